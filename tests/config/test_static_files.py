"""Style sheets and scripts as they are gathered: joined, under hashed names, and kept a while."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import StaticFilesStorage, staticfiles_storage
from django.template import Context, Template
from pytest_django.fixtures import Settings

from config import bundles
from config.static_files import DAY, BundlingStorage, gather_static_files

Reader = Callable[[str], str]


@pytest.fixture
def sources(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two style sheets, which are one bundle, and where they are gathered."""
    folder = tmp_path / "static"
    (folder / "css").mkdir(parents=True)
    (folder / "css" / "one.css").write_text("a { color: red }\n" * 20)
    (folder / "css" / "two.css").write_text("b { color: blue }")
    monkeypatch.setattr(bundles, "BUNDLES", {"both.css": ("css/one.css", "css/two.css")})
    settings.STATICFILES_DIRS = [folder]
    settings.STATIC_ROOT = tmp_path / "gathered"
    return folder


def gathered(settings: Settings) -> str:
    """The name of the bundle as a page would name it now."""
    manifest = json.loads((settings.STATIC_ROOT / "staticfiles.json").read_text())
    return str(manifest["paths"]["bundles/both.css"])


def read_from(**texts: str) -> Reader:
    return lambda source: texts[source.partition(".")[0]]


def test_a_bundle_is_gathered_hashed_and_compressed_and_again_when_a_source_changes(
    sources: Path, settings: Settings
) -> None:
    assert gather_static_files()
    first = gathered(settings)
    whole = (settings.STATIC_ROOT / first).read_text()
    assert whole == "a{color: red}" * 20 + "\nb{color: blue}\n"
    assert (settings.STATIC_ROOT / f"{first}.gz").exists()
    assert not gather_static_files()
    (sources / "css" / "two.css").write_text("b { color: green }")
    os.utime(sources / "css" / "two.css", (0, 0))  # as archives do
    assert gather_static_files()
    assert gathered(settings) != first
    assert "green" in (settings.STATIC_ROOT / gathered(settings)).read_text()


@pytest.mark.usefixtures("sources")
def test_what_a_running_server_may_still_name_is_kept_for_a_day(settings: Settings) -> None:
    gather_static_files()
    named = settings.STATIC_ROOT / gathered(settings)
    old = settings.STATIC_ROOT / "bundles" / "both.0123456789ab.css"
    for path in (old, old.with_name(f"{old.name}.gz"), named):
        path.write_text("")
    BundlingStorage().sweep()
    assert old.exists()
    for path in (old, old.with_name(f"{old.name}.gz"), named):
        os.utime(path, (time.time() - DAY - 60,) * 2)
    BundlingStorage().sweep()
    assert not old.exists()
    assert not old.with_name(f"{old.name}.gz").exists()
    assert named.exists()


def test_every_style_sheet_and_script_belongs_to_a_page() -> None:
    folder = Path(bundles.__file__).parent.parent / "static"
    kinds = ("css/*.css", "js/*.js", "vendor/*.js")
    found = {p.relative_to(folder).as_posix() for kind in kinds for p in folder.glob(kind)}
    assert found == {source for sources in bundles.BUNDLES.values() for source in sources}


def test_a_page_names_its_bundle_and_for_developers_its_sources(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = Template('{% load bundles %}{% styles "player" %}|{% scripts "drag" %}')
    styles, scripts = page.render(Context()).split("|")
    assert styles.startswith('<link rel="stylesheet" href="/static/bundles/player.')
    assert scripts.count("<script") == 1
    monkeypatch.setattr(staticfiles_storage, "_wrapped", StaticFilesStorage())
    styles, scripts = page.render(Context()).split("|")
    assert styles.splitlines() == [
        '<link rel="stylesheet" href="/static/css/tokens.css">',
        '<link rel="stylesheet" href="/static/css/player.css">',
    ]
    assert scripts.splitlines() == [
        '<script src="/static/vendor/Sortable.min.js" defer></script>',
        '<script src="/static/js/drag.js" defer></script>',
    ]


@pytest.mark.parametrize(
    ("source", "text", "lighter"),
    [
        ("x.css", "/* one */\n@layer a {\n  /* two\n  lines */\n\n}", "@layer a{}"),
        ("x.css", "a b,\n  c > d:hover {\n  inset: 0 1px;\n}\n", "a b,c>d:hover{inset: 0 1px}"),
        ("x.css", 'q { content: "/* ; kept } */" }', 'q{content: "/* ; kept } */"}'),
        ("x.js", "// one\n\n  /** two */\n  f(); // three\n  // four", "f();"),
        ("x.js", 'f("http://a", "b\'"); // five\nf(\'"\');', 'f("http://a", "b\'");\nf(\'"\');'),
        ("x.js", 'f("\\"", "; // kept");', 'f("\\"", "; // kept");'),
        ("x.js", "f(`; // kept`);", "f(`; // kept`);"),
        ("x.js", "const a = b / c; // kept", "const a = b / c; // kept"),
        ("x.js", "const t = `\n  // kept\n`;", "const t = `\n  // kept\n`;"),
        ("x.min.js", "/*! of others */\n  f();", "/*! of others */\n  f();"),
    ],
)  # fmt: skip
def test_comments_and_spaces_go_that_mean_nothing_and_nothing_else(
    source: str, text: str, lighter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundles, "BUNDLES", {"x": (source,)})
    assert bundles.joined("x", read_from(x=text)) == f"{lighter}\n"
