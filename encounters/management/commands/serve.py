import os
import signal
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error, connection, connections
from django.utils import translation
from django.utils.translation import gettext as _

from bestiary.book import load_book
from config import copies, serving
from config.backup import Damaged
from config.database import several_processes
from config.installation import AlreadyRunning, RunningLock, announce
from config.static_files import gather_static_files
from config.terminal import command, language
from config.upgrading import UpgradeFailed, is_up_to_date, refuse_newer
from encounters.bin_views import empty_old_bin
from encounters.greeting import dead_links


class Command(BaseCommand):
    help = "Serves Qui-Vive for a service manager: nothing is opened, migrated or asked."
    requires_system_checks = ()  # run below, once the database is there

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
        parser.add_argument("--port", type=int, default=8000, help="the port to listen on")
        parser.add_argument(
            "--processes", type=int, default=1, help="how many; several need PostgreSQL"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        os.umask(0o077)  # what is written beside the database is the owner's
        with translation.override(language()):
            if options["processes"] < 1:
                raise CommandError(_("--processes takes a number from 1 on."))
            if settings.TLS:
                raise CommandError(
                    _("serve leaves HTTPS to a proxy. Unset QUI_VIVE_TLS, or use start --tls.")
                )
            if connection.vendor != "sqlite":
                self._serve(**options)
                return
            if options["processes"] > 1:
                raise CommandError(several_processes())
            try:
                with RunningLock(settings.DATA_DIR):
                    self._serve(**options)
            except AlreadyRunning:
                sentence = _("Qui-Vive runs on this data already: %(path)s. Stop it first.")
                raise CommandError(
                    " ".join([sentence % {"path": settings.DATA_DIR}, several_processes()])
                ) from None

    def _serve(self, **options: Any) -> None:
        self._prepare()
        try:
            listener = serving.listen(options["host"], options["port"])
        except OSError as problem:
            address = {"host": options["host"], "port": options["port"], "reason": problem}
            raise CommandError(
                _("Cannot listen on %(host)s, port %(port)s: %(reason)s") % address
            ) from None
        port = listener.getsockname()[1]

        def on_started() -> None:
            announce(settings.DATA_DIR, serving.url_of(listener))
            self.stdout.write(
                _("Serving on %(host)s, port %(port)s. `manage.py entry_link` prints a link.")
                % {"host": options["host"], "port": port}
            )
            self.stdout.flush()  # for whoever waits for it at the other end of a pipe

        if options["processes"] > 1:
            on_started()
            if not serving.serve_several(listener, options["processes"]):
                raise CommandError(_("A process did not start."))
            return
        # A polite end by a service manager is as good as Ctrl+C.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            serving.serve(listener, on_started)
        except KeyboardInterrupt:
            self.stdout.write(_("Stopped."))

    def _prepare(self) -> None:
        """Refuse what would not work; bring up to date what needs no decision."""
        try:
            if failed := copies.make_at_start():
                self.stdout.write(failed)
            refuse_newer()
            if not is_up_to_date():
                raise CommandError(
                    _("The database is of another version. Make a copy, then bring it up to date:")
                    + f"\n    {command('backup')}\n    {command('migrate')}"
                )
            load_book()
            empty_old_bin()
            if warning := dead_links():
                self.stdout.write(warning)
        except UpgradeFailed as problem:
            raise CommandError(str(problem)) from None
        except (Error, Damaged) as problem:
            raise CommandError(copies.trouble(problem)) from None
        try:
            gather_static_files()
        except OSError as problem:
            sentence = _("Style sheets and scripts cannot be gathered: %(reason)s")
            raise CommandError(sentence % {"reason": problem}) from None
        self.check(databases=["default"])
        connections.close_all()
