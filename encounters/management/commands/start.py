import asyncio
import os
import signal
import socket
import sys
import threading
import time
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error, connections
from django.utils import translation
from django.utils.translation import gettext as _

from bestiary.book import load_book
from config import copies, serving
from config.backup import Damaged
from config.installation import AlreadyRunning, RunningLock, announce, running_url
from config.static_files import gather_static_files
from config.terminal import language
from config.upgrading import UpgradeFailed, bring_up_to_date
from encounters.access import new_entry_path
from encounters.bin_views import empty_old_bin
from encounters.following import FirstTable, Following, Look, NewAddress
from encounters.greeting import dead_links, first_link, greeting, here

if TYPE_CHECKING:
    from config.tls import Shown

CODE = ("config", "rules", "encounters", "bestiary")
STARTING = 15.0  # seconds that a server which holds the lock is given to say its address


class Command(BaseCommand):
    help = "Starts Qui-Vive and opens the game master's page."
    requires_system_checks = ()  # run below, once the database is there

    def add_arguments(self, parser: CommandParser) -> None:
        parser.allow_abbrev = False  # manage.py looks for --tls in full
        parser.add_argument(
            "--lan", action="store_true", help="also answer on the local network, for the phones"
        )
        parser.add_argument(
            "--tls",
            nargs="*",
            type=Path,
            metavar=("CERTIFICATE", "KEY"),
            help="serve HTTPS: with these PEM files, or with a certificate made here",
        )
        parser.add_argument("--port", type=int, default=8000, help="the first port to try")
        parser.add_argument(
            "--demo", action="store_true", help="make a campaign with a fight ready to run"
        )
        parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
        parser.add_argument(
            "--reload", action="store_true", help="for developers: start again when code changes"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        os.umask(0o077)  # the database and all beside it are the owner's
        with translation.override(language()):
            if options["reload"] and (options["lan"] or settings.TLS):
                raise CommandError(
                    _("--reload shows error pages: not together with --lan or --tls.")
                )
            try:
                with RunningLock(settings.DATA_DIR):
                    shown = _certificate(options["tls"] or []) if settings.TLS else None
                    self._prepare(demo=options["demo"])
                    self._serve(shown, **options)
            except AlreadyRunning:
                self._open_running(browser=not options["no_browser"])
            except (Error, Damaged) as problem:
                raise CommandError(copies.trouble(problem)) from problem
            except KeyboardInterrupt:
                self.stdout.write(_("Stopped."))

    def _prepare(self, *, demo: bool) -> None:
        try:
            if failed := copies.make_at_start():
                self.stdout.write(failed)
            copy = bring_up_to_date()
        except UpgradeFailed as failure:
            raise CommandError(_upgrade_problem(failure)) from failure
        if copy:
            self.stdout.write(_("Updated. Kept a copy before: %(path)s") % {"path": copy})
        load_book()
        empty_old_bin()
        if warning := dead_links():
            self.stdout.write(warning)
        gather_static_files()
        self.check(databases=["default"])
        if demo:
            from encounters.demo import make_demo

            make_demo()

    def _serve(self, shown: "Shown | None", **options: Any) -> None:
        lan = options["lan"]
        listener = self._listen("0.0.0.0" if lan else "127.0.0.1", options["port"])
        port = listener.getsockname()[1]
        if lan:
            settings.LAN = True
            os.environ["QUI_VIVE_LAN"] = "1"
        words = tuple(shown.words()) if shown else ()
        # It asks the database: before the event loop.
        hello = greeting(port, lan=lan, certificate=words)
        following = Following(self.stdout.write)
        waiting = [FirstTable(port)] if lan and first_link() is None else []
        connections.close_all()

        def on_started() -> None:
            announce(settings.DATA_DIR, here(port))
            self.stdout.write(hello.text)
            following.begin([*_looks(port, shown, lan=lan), *waiting])
            if not options["no_browser"]:
                _open_browser(hello.entry_url)

        # A polite end by a service manager is as good as Ctrl+C.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        if options["reload"]:
            os.environ["QUI_VIVE_DEBUG"] = "1"
            on_started()
            serving.serve_reloading(listener, [settings.BASE_DIR / name for name in CODE])
        else:
            try:
                serving.serve(listener, on_started, shown.context if shown else None)
            finally:
                following.end()

    def _listen(self, host: str, wanted: int) -> socket.socket:
        try:
            listener = serving.open_socket(host, wanted)
        except serving.NoFreePort:
            raise CommandError(_("No free port from %(port)s on.") % {"port": wanted}) from None
        port = listener.getsockname()[1]
        if port != wanted:
            sentence = _("Port %(wanted)s is taken: this is %(port)s.")
            self.stdout.write(sentence % {"wanted": wanted, "port": port})
        return listener

    def _open_running(self, *, browser: bool) -> None:
        """A second start opens the running instance."""
        until = time.monotonic() + STARTING
        while not (running := running_url(settings.DATA_DIR)) and time.monotonic() < until:
            time.sleep(0.1)
        if not running:
            raise CommandError(_("Qui-Vive is being started already, but does not answer yet."))
        entry_url = (settings.BASE_URL or running) + new_entry_path()
        self.stdout.write(_("Qui-Vive is already running. The game master’s entry link:"))
        self.stdout.write(f"    {entry_url}")
        if browser:
            _open_browser(entry_url)


def _certificate(files: list[Path]) -> "Shown":
    """The certificate to show, from one's own files or made here; CommandError without one."""
    if len(files) not in (0, 2):
        raise CommandError(_("--tls takes two files, the certificate and its key, or none."))
    try:
        from config import tls
    except ImportError:
        sentence = _("--tls needs a package that is missing: %(command)s")
        raise CommandError(sentence % {"command": "pip install cryptography"}) from None
    try:
        return tls.OwnFiles(*files) if files else tls.MadeHere(settings.DATA_DIR)
    except tls.Unusable as problem:
        raise CommandError(str(problem)) from problem


def _looks(port: int, shown: "Shown | None", *, lan: bool) -> list[Look]:
    """What is looked at again while the server runs; asked for in its event loop."""
    looks: list[Look] = [NewAddress(port)] if lan else []
    if shown:
        from config.tls import NewCertificate

        looks.append(NewCertificate(shown, asyncio.get_running_loop().call_soon_threadsafe))
    return looks


def _upgrade_problem(failure: UpgradeFailed) -> str:
    problem = _("The database could not be brought up to date: %(reason)s") % {"reason": failure}
    if failure.copy is None:
        return problem
    kept = _("A copy from before is here: %(path)s") % {"path": failure.copy}
    return f"{problem}\n{kept}"


def _open_browser(url: str) -> None:
    """Open the page where somebody sits before a screen; never wait for the browser."""
    has_screen = sys.platform in ("win32", "darwin") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    if has_screen and sys.stdout.isatty() and not os.environ.get("CI"):
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
