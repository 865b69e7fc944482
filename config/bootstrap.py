"""From a bare Python to a running project: makes `.venv` from the hashed locks, then re-enters it.

Standard library only. Everything here must parse on old Pythons, to say kindly that they are old.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from config.terminal import gettext as _

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOCKS = ROOT / "requirements"
OLDEST = (3, 11)
# Each lock, and those whose packages it holds as well.
HELD = {"main": ("main",), "scale": ("scale", "main"), "dev": ("dev", "scale", "main")}


def enter_environment(development: bool) -> None:
    """Return inside an environment that holds the wanted set, or do not return.

    `development` also wants what the tests need. Inside somebody's own virtual environment this
    does nothing: what is installed there is their choice.
    """
    if sys.version_info < OLDEST:
        version = "{}.{}".format(*OLDEST)
        sys.exit(_("Qui-Vive needs Python %(version)s or newer.") % {"version": version})
    ours = Path(sys.prefix).resolve() == VENV.resolve()
    if sys.prefix != sys.base_prefix and not ours:
        return
    with Lock(ROOT / ".venv.lock"):
        _make_ready(development)
    if not ours:
        _become([str(_venv_python()), *sys.argv])


def _make_ready(development: bool) -> None:
    """Bring `.venv` to the state of the locks; does nothing when the stamps say so already."""
    if not _made_by_this_python():
        _say(_("Setting up (once, a few seconds)…"))
        _make_venv()
    name = "dev" if development else _lock_for_running()
    if _is_stamped(name):
        return
    if development:
        _say(_("Installing what the tests need…"))
    _install(name)
    for held in HELD[name]:
        _stamp(held)


def _lock_for_running() -> str:
    """Which lock this environment's servers need; a PostgreSQL or Redis of its own needs more."""
    postgresql = os.environ.get("DATABASE_URL", "").startswith("postgres")
    return "scale" if postgresql or os.environ.get("REDIS_URL") else "main"


def _venv_python() -> Path:
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _made_by_this_python() -> bool:
    """Whether `.venv` is whole and of the running Python's version."""
    made = VENV / "qui-vive-python"
    return (
        _venv_python().exists()
        and made.exists()
        and made.read_text(encoding="ascii") == _python_version()
    )


def _python_version() -> str:
    return "{}.{}.{}".format(*sys.version_info[:3])


def _make_venv() -> None:
    uv = shutil.which("uv")
    if VENV.exists():
        shutil.rmtree(str(VENV))
    if uv:
        _run([uv, "venv", "--quiet", "--python", sys.executable, str(VENV)])
    else:
        _require_venv_module()
        _run([sys.executable, "-m", "venv", str(VENV)])
    (VENV / "qui-vive-python").write_text(_python_version(), encoding="ascii")


def _require_venv_module() -> None:
    """Debian and Ubuntu ship Python without `ensurepip`, which makes environments."""
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        package = "python{}.{}-venv".format(*sys.version_info[:2])
        sys.exit(
            _("Python’s venv module is missing. Install it, then try again: %(command)s")
            % {"command": "sudo apt install " + package}
        )


def _install(name: str) -> None:
    """Install a lock into `.venv`: with uv where there is one, else pip; hashes always checked."""
    python, lock = str(_venv_python()), str(LOCKS / (name + ".txt"))
    uv = shutil.which("uv")
    if not uv and name == "dev":
        # The development set is large: uv takes a fraction of pip's time, fetching included.
        _pip_install("uv")
        uv = str(_venv_python().with_name("uv.exe" if os.name == "nt" else "uv"))
    if uv:
        _run([uv, "pip", "install", "--quiet", "--python", python, "--require-hashes", "-r", lock])
    else:
        _pip_install(name)


def _pip_install(name: str) -> None:
    pip = [str(_venv_python()), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    lock = str(LOCKS / (name + ".txt"))
    _run([*pip, "install", "--require-hashes", "--no-deps", "-r", lock])


def _stamp_text(name: str) -> str:
    lock = (LOCKS / (name + ".txt")).read_bytes()
    return hashlib.sha256(lock).hexdigest() + " " + _python_version()


def _is_stamped(name: str) -> bool:
    stamp = VENV / ("qui-vive-" + name)
    return stamp.exists() and stamp.read_text(encoding="ascii") == _stamp_text(name)


def _stamp(name: str) -> None:
    (VENV / ("qui-vive-" + name)).write_text(_stamp_text(name), encoding="ascii")


def _run(command: list[str]) -> None:
    if subprocess.run(command).returncode:
        sys.exit(
            _("Setting up failed. Is there a network connection? This did not work: %(command)s")
            % {"command": " ".join(command)}
        )


def _become(command: list[str]) -> None:
    """Go on as another program. Windows has no real exec: there, wait for a child instead."""
    if os.name == "nt":
        sys.exit(subprocess.run(command).returncode)
    sys.stdout.flush()
    os.execv(command[0], command)


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


class Lock:
    """Two commands started at once set up one after the other."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        self.file = self.path.open("a", encoding="ascii")
        if os.name != "nt":
            import fcntl

            fcntl.flock(self.file, fcntl.LOCK_EX)

    def __exit__(self, *_error: object) -> None:
        self.file.close()
