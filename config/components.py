"""Programs beyond Python that the tests need, and how Debian and Ubuntu call them."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Component:
    """One program."""

    name: str
    programs: tuple[str, ...]  # any one of them will do
    debian: tuple[str, ...]
    ubuntu: tuple[str, ...]
    folders: str = ""  # pattern, from the root, of folders to look in that no PATH holds

    def find(self) -> str | None:
        """The program's path, or None; of several versions in such folders the newest."""
        for name in self.programs:
            if path := shutil.which(name) or self._in_folders(name):
                return path
        return None

    def _in_folders(self, name: str) -> str | None:
        folders = Path("/").glob(self.folders) if self.folders else ()
        newest_first = sorted(map(str, folders), key=_version, reverse=True)
        found = (shutil.which(name, path=folder) for folder in newest_first)
        return next(filter(None, found), None)


def _version(folder: str) -> list[int]:
    return [int(digits) for digits in re.findall(r"\d+", folder)]


CHROMIUM = Component(
    name="Chromium",
    programs=("chromium", "chromium-browser", "google-chrome"),
    debian=("chromium", "fonts-liberation"),
    ubuntu=("chromium-browser", "fonts-liberation"),
)
# The same without what draws windows, and without pages kept for the way back: it takes less time.
HEADLESS_CHROMIUM = Component(
    name="Chromium (headless)",
    programs=("chromium-headless-shell", *CHROMIUM.programs),
    debian=("chromium-headless-shell", "fonts-liberation"),
    ubuntu=CHROMIUM.ubuntu,
)
GETTEXT = Component(name="gettext", programs=("msgfmt",), debian=("gettext",), ubuntu=("gettext",))
POSTGRESQL = Component(
    name="PostgreSQL",
    programs=("initdb",),
    debian=("postgresql",),
    ubuntu=("postgresql",),
    folders="usr/lib/postgresql/*/bin",
)
REDIS = Component(
    name="Redis",
    programs=("redis-server", "valkey-server"),
    debian=("redis-server",),
    ubuntu=("redis-server",),
)


def provide(components: Sequence[Component]) -> list[Component]:
    """Install what is missing where that is possible, and return what still is."""
    missing = [component for component in components if not component.find()]
    if missing and _can_install():
        packages = [package for component in missing for package in _packages(component)]
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        install = ["apt-get", "install", "--yes", "--quiet", "--no-install-recommends", *packages]
        for command in (["apt-get", "update", "--quiet"], install):
            subprocess.run(command, env=environment, check=False)
        missing = [component for component in missing if not component.find()]
    return missing


def install_hint(component: Component) -> str:
    """What to type to have it, or its bare name where no package is known."""
    if _system() in ("debian", "ubuntu"):
        return f"sudo apt install {' '.join(_packages(component))}"
    return component.name


def _packages(component: Component) -> tuple[str, ...]:
    return component.ubuntu if _system() == "ubuntu" else component.debian


def _can_install() -> bool:
    return _system() in ("debian", "ubuntu") and os.geteuid() == 0


def _system() -> str:
    """The system's id by os-release(5), "" where there is none."""
    try:
        lines = Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    values = dict(line.split("=", 1) for line in lines if "=" in line)
    return values.get("ID", "").strip('"')
