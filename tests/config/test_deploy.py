"""What is written about running it for others is so: the guide and its files beside the code."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands, load_command_class

from config import machines, static_files
from config import settings as settings_module
from encounters.live import Streams

ROOT: Path = settings.BASE_DIR
DEPLOY = ROOT / "deploy"
GUIDE = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
TOKEN = "0123456789ABCDEFGHJKMNPQRS"
VARIABLE = r"QUI_VIVE_[A-Z_]+|DATABASE_URL|REDIS_URL|WEB_CONCURRENCY"


@cache
def read_variables() -> frozenset[str]:
    """The environment variables that the program reads, but for those of its tests."""
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "config").glob("*.py"))
    found = re.findall(rf'environ(?:\.get\(|\[)\s*"({VARIABLE})"', code)
    return frozenset(name for name in found if not name.startswith("QUI_VIVE_TEST_"))


def of_deploy(name: str) -> str:
    return (DEPLOY / name).read_text(encoding="utf-8")


# Variables


def test_the_guide_names_every_variable_and_no_other() -> None:
    table = GUIDE.partition("## Environment")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert set(re.findall(VARIABLE, "".join(rows))) == read_variables()


def test_the_settings_name_every_variable_of_theirs_and_no_other() -> None:
    said = re.findall(rf"^({VARIABLE}) ", settings_module.__doc__ or "", re.MULTILINE)
    assert {*said, "WEB_CONCURRENCY"} == read_variables()  # which is only read to refuse it


def test_files_set_no_variable_that_nobody_reads() -> None:
    example = re.findall(r"^(?:# )?([A-Z_]+)=", of_deploy("environment.example"), re.MULTILINE)
    assert {"QUI_VIVE_DATA", "QUI_VIVE_BASE_URL", "DATABASE_URL"} <= set(example)
    assert set(example) <= read_variables()
    for name, service in services().items():
        if service.get("image") == "qui-vive":
            assert set(service["environment"]) <= read_variables(), name


def test_containers_get_every_setting_that_is_for_servers() -> None:
    table = GUIDE.partition("## Environment")[2].partition("\n## ")[0]
    named = {name for name in re.findall(VARIABLE, table) if "not for servers" not in row(name)}
    # Their data and processes are what the containers are.
    wanted = named - {"QUI_VIVE_DATA", "WEB_CONCURRENCY"}
    for name in ("migrate", "app-1", "app-2"):
        assert wanted <= set(services()[name]["environment"]), name


def row(name: str) -> str:
    return next(line for line in GUIDE.splitlines() if line.startswith("| `") and name in line)


# Commands


COMMANDS = {
    "README.md": README,
    "docs/deploy.md": GUIDE,
    **{path.name: path.read_text(encoding="utf-8") for path in sorted(DEPLOY.iterdir())},
}


def calls(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each command of ours that a text calls, with its arguments."""
    plain = re.sub(r'", ?"|\[|\]', " ", text)  # Docker's lists as a line
    for found in re.finditer(r"(?:manage\.py|^qui-vive) ([a-z_]+)([^\n`|&;})#\"]*)", plain, re.M):
        yield found[1], found[2].split()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_that_is_written_down_exists_with_its_options(name: str) -> None:
    for command, arguments in calls(COMMANDS[name]):
        assert command in get_commands(), command
        known = options_of(command)
        for option in (word for word in arguments if word.startswith("-")):
            assert option.partition("=")[0] in known, (command, option)


def options_of(command: str) -> set[str]:
    app = get_commands()[command]
    found = app if not isinstance(app, str) else load_command_class(app, command)
    return set(found.create_parser("manage.py", command)._option_string_actions)


def test_the_commands_are_found_where_they_are_written() -> None:
    assert ("serve", ["--host", "127.0.0.1", "--port", "8000", "--processes", "2"]) in calls(
        COMMANDS["qui-vive.service"]
    )
    assert "serve" in dict(calls(COMMANDS["Dockerfile"]))
    assert {"migrate", "backup"} <= dict(calls(COMMANDS["compose.yaml"])).keys()
    assert {"migrate", "entry_link", "backup", "restore"} <= dict(calls(GUIDE)).keys()


def test_the_readme_lists_every_option_of_start_and_no_other() -> None:
    listed = set(re.findall(r"^\| `(--[a-z-]+)", README, re.MULTILINE))
    usual = options_of("check")
    assert listed == {name for name in options_of("start") - usual if name.startswith("--")}


def test_what_machines_may_ask_is_what_the_guide_says() -> None:
    assert set(re.findall(r"`(/[a-z]+)`", GUIDE)) == set(machines.PATHS)


def test_links_between_the_texts_lead_somewhere() -> None:
    for text, folder in ((GUIDE, ROOT / "docs"), (README, ROOT)):
        for target in re.findall(r"\]\(([^):#]+)\)", text):
            assert (folder / target).exists(), target


# Containers


@cache
def compose() -> dict[str, Any]:
    parsed: dict[str, Any] = yaml.safe_load(of_deploy("compose.yaml"))
    return parsed


def services() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = compose()["services"]
    return found


def test_every_image_is_made_here_or_pinned_and_no_registry_is_named() -> None:
    bases = re.findall(r"^FROM (\S+)", of_deploy("Dockerfile"), re.MULTILINE)
    others = [one["image"] for one in services().values() if "build" not in one]
    assert len(bases) == 2
    for image in (*bases, *others):
        name, _, tag = image.partition(":")
        assert re.match(r"\d+\.?\d*", tag), image
        assert "." not in name
        assert "localhost" not in name


def test_services_wait_for_and_share_only_what_there_is() -> None:
    for one in services().values():
        assert set(one.get("depends_on", ())) <= services().keys()
        assert set(one["networks"]) <= compose()["networks"].keys()
        sources = {volume.partition(":")[0] for volume in one.get("volumes", ())}
        assert {name for name in sources if name[0] != "."} <= compose()["volumes"].keys()
        assert all((DEPLOY / name).exists() for name in sources if name[0] == ".")


def test_only_the_proxy_has_ports_and_every_server_says_whether_it_is_well() -> None:
    assert [name for name, one in services().items() if "ports" in one] == ["proxy"]
    lasting = {name for name, one in services().items() if one["restart"] != "no"}
    assert {name for name, one in services().items() if "healthcheck" in one} == lasting
    assert services().keys() - lasting == {"migrate"}


def test_the_application_in_a_container_may_write_nothing_but_its_data() -> None:
    for name in ("migrate", "app-1", "app-2"):
        one = services()[name]
        assert one["read_only"] is True
        assert one["cap_drop"] == ["ALL"]
        assert one["volumes"] == ["backups:/data/backups"]
    lines = of_deploy("Dockerfile").splitlines()
    assert lines.index("USER qui-vive") > max(
        number for number, line in enumerate(lines) if line.startswith(("RUN", "COPY"))
    )


def test_what_a_person_must_choose_is_said() -> None:
    asked = set(re.findall(r"\$\{([A-Z_]+):\?\}", of_deploy("compose.yaml")))
    block = GUIDE.partition("file `.env`")[2].partition("```\n\n")[0]
    assert set(re.findall(r"^([A-Z_]+)=", block, re.MULTILINE)) == asked


def test_all_that_runs_goes_into_the_image() -> None:
    kept = set(re.findall(r"^!(\S+)$", of_deploy("Dockerfile.dockerignore"), re.MULTILINE))
    code = {path.parent.name for path in ROOT.glob("[a-z]*/__init__.py")} - {"tests", "benchmarks"}
    assert code | {"templates", "static", "locale", "manage.py", "requirements"} <= kept
    assert all((ROOT / name).exists() for name in kept)
    for copied in re.findall(r"^COPY ([a-z]\S+) ", of_deploy("Dockerfile"), re.MULTILINE):
        assert (ROOT / copied).exists()


# Proxies


def test_proxies_log_no_address_that_opens_something() -> None:
    nginx = re.search(r'"~\*(\^.*\$)" "(.*)";', of_deploy("nginx.conf"))
    caddy = re.findall(r'request>uri regexp "(.*)" "(.*)"', of_deploy("Caddyfile"))
    assert nginx
    assert len(set(caddy)) == 1
    assert len(caddy) == 2  # of the log of requests and of that of errors
    uri, stars = caddy[0]
    cut = re.compile(nginx[1].replace("?<", "?P<"), re.IGNORECASE)
    in_nginx = nginx[2].replace("${opens}", r"\g<opens>").replace("${rest}", r"\g<rest>")
    for path in (f"/j/{TOKEN}", f"/J/{TOKEN}/live", f"/entry/{TOKEN}/"):
        assert TOKEN not in cut.sub(in_nginx, path) == re.sub(uri, stars, path)
        assert path.endswith(re.sub(r".*\*\*\*", "", cut.sub(in_nginx, path)))
    assert cut.sub(in_nginx, "/e/1/live") == "/e/1/live" == re.sub(uri, stars, "/e/1/live")
    # nginx decodes a path before it looks at it; Caddy does not.
    for path in (f"/%6a/{TOKEN}", f"//j/{TOKEN}", f"/j/%30{TOKEN[1:]}", f"/?next=/j/{TOKEN}"):
        assert TOKEN[3:] not in re.sub(uri, stars, path)


def test_proxies_know_the_streams() -> None:
    uuid = "11111111-2222-4333-8444-555555555555"
    nginx = re.search(r'location ~ "(.*)"', of_deploy("nginx.conf"))
    caddy = re.search(r"not path_regexp (\S+)", of_deploy("Caddyfile"))
    assert nginx
    assert caddy
    for path in (f"/j/{TOKEN}/live", f"/J/{TOKEN}/live", f"/e/{uuid}/live", f"/j/{TOKEN}", "/"):
        for pattern in (nginx[1], caddy[1]):
            assert bool(re.search(pattern, path)) == Streams.takes(path), path


def test_nginx_passes_streams_on_at_once_and_says_who_asks_over_what() -> None:
    streams = of_deploy("nginx.conf").partition("location ~")[2]
    for line in ("proxy_buffering off;", "proxy_read_timeout 1h;"):
        assert line in streams
    for line in (
        "proxy_http_version 1.1;",
        "proxy_set_header X-Forwarded-Proto $scheme;",
        "proxy_set_header X-Forwarded-For $remote_addr;",
    ):
        assert line in of_deploy("nginx.conf")


# Services


def test_units_call_the_program_and_settings_where_the_guide_puts_them() -> None:
    for name in ("qui-vive.service", "qui-vive-backup.service"):
        unit = of_deploy(name)
        assert "ExecStart=/opt/qui-vive/venv/bin/python manage.py " in unit
        assert "EnvironmentFile=/etc/qui-vive/environment\n" in unit
        assert "StateDirectory=qui-vive\n" in unit
        for line in ("User=qui-vive", "ProtectSystem=strict", "NoNewPrivileges=yes"):
            assert f"{line}\n" in unit
    assert "deploy/environment.example /etc/qui-vive/environment\n" in GUIDE
    assert "QUI_VIVE_DATA=/var/lib/qui-vive\n" in of_deploy("environment.example")


def test_a_server_that_may_not_write_beside_the_program_finds_all_gathered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    static_files.gather_static_files()

    def refuse(path: Path) -> None:
        raise OSError(path)

    monkeypatch.setattr(static_files, "Lock", refuse)
    assert not static_files.gather_static_files()
