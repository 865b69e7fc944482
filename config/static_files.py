"""Gathers the style sheets and scripts under hashed names, compressed, when they have changed."""

import hashlib
from pathlib import Path

from django.conf import settings
from django.core.management import call_command


def gather_static_files() -> bool:
    """Bring STATIC_ROOT up to date with `static/`; whether there was anything to do."""
    if settings.DEBUG:  # then served where they are
        return False
    stamp = Path(settings.STATIC_ROOT) / ".gathered"
    wanted = _digest([Path(folder) for folder in settings.STATICFILES_DIRS])
    if stamp.exists() and stamp.read_text(encoding="ascii") == wanted:
        return False
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(wanted, encoding="ascii")
    return True


def _digest(folders: list[Path]) -> str:
    """A hash of every file's name and contents, and of how they are stored."""
    found = hashlib.sha256(str(settings.STORAGES["staticfiles"]).encode())
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                contents = hashlib.sha256(path.read_bytes()).hexdigest()
                found.update(f"{path.relative_to(folder).as_posix()} {contents}\n".encode())
    return found.hexdigest()
