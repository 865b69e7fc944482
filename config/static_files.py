"""Gathers style sheets and scripts under hashed names, joined and compressed, when they change."""

import hashlib
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.management import call_command
from servestatic.storage import (  # type: ignore[import-untyped]
    CompressedManifestStaticFilesStorage,
)

from config import bundles
from config.bootstrap import Lock

DAY = 24 * 3600  # seconds


class BundlingStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Adds the bundles to what is gathered, before all of it is hashed and compressed."""

    def post_process(
        self, paths: dict[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[Any]:
        made = [] if dry_run else [self._join(name) for name in bundles.BUNDLES]
        found = paths | {path: (self, path) for path in made}
        yield from super().post_process(found, dry_run=dry_run, **options)

    def get_modified_time(self, name: str) -> datetime:
        """Long ago: every source is gathered anew, whatever times an archive has given it."""
        return datetime.min.replace(tzinfo=UTC)

    def sweep(self) -> None:
        """Remove files of a day or more that the pages of now do not name.

        A server that was started with the pages before still has its own.
        """
        named = {*self.hashed_files, *self.hashed_files.values()}
        before = time.time() - DAY
        for path in Path(self.location).rglob("*.*"):
            name = path.relative_to(self.location).as_posix().removesuffix(".gz")
            unknown = path.is_file() and name not in named and name != self.manifest_name
            if unknown and path.stat().st_mtime < before:
                path.unlink()

    def _join(self, name: str) -> str:
        """Write a bundle from the gathered files; its path among them."""
        path = bundles.gathered_name(name)
        text = bundles.joined(name, self._read)
        self.delete(path)
        self._save(path, ContentFile(text.encode()))
        return path

    def _read(self, source: str) -> str:
        with self.open(source) as file:
            return str(file.read().decode())


def gather_static_files() -> bool:
    """Bring STATIC_ROOT up to date with `static/`; whether there was anything to do."""
    if settings.DEBUG:  # then served where they are
        return False
    root = Path(settings.STATIC_ROOT)
    stamp = root / ".gathered"
    wanted = _digest([Path(folder) for folder in settings.STATICFILES_DIRS])
    if _says(stamp, wanted):  # servers that may not write here need no lock either
        return False
    with Lock(root.with_name(f"{root.name}.lock")):
        if _says(stamp, wanted):
            return False
        BundlingStorage().sweep()
        call_command("collectstatic", interactive=False, verbosity=0)
        stamp.write_text(wanted, encoding="ascii")
    return True


def _says(stamp: Path, wanted: str) -> bool:
    return stamp.exists() and stamp.read_text(encoding="ascii") == wanted


def _digest(folders: list[Path]) -> str:
    """A hash of every file's name and contents, and of how they are joined and stored."""
    found = hashlib.sha256(str(settings.STORAGES["staticfiles"]).encode())
    found.update(Path(bundles.__file__).read_bytes())
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                contents = hashlib.sha256(path.read_bytes()).hexdigest()
                found.update(f"{path.relative_to(folder).as_posix()} {contents}\n".encode())
    return found.hexdigest()
