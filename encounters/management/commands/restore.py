import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error
from django.utils import translation
from django.utils.translation import gettext as _

from config import copies
from config.backup import RestoreFailed, restore
from config.installation import AlreadyRunning, RunningLock
from config.postgresql import in_use
from config.terminal import language
from config.upgrading import is_up_to_date
from encounters.models import PlayerLink


class Command(BaseCommand):
    help = "Puts a copy that `backup` made in the place of the database, which is kept as a copy."
    requires_system_checks = ()  # the database may be damaged, or not there at all

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="without it: lists the copies")

    def handle(self, *args: Any, **options: Any) -> None:
        os.umask(0o077)
        with translation.override(language()):
            if options["file"] is None:
                self._list()
                return
            try:
                with RunningLock(settings.DATA_DIR):
                    kept = restore(options["file"])
            except AlreadyRunning:
                raise CommandError(_failed(in_use())) from None
            except (RestoreFailed, Error) as problem:
                raise CommandError(_failed(str(problem))) from None
            self.stdout.write(_("Restored from %(path)s") % {"path": options["file"]})
            if kept:
                self.stdout.write(_("What was there before is here: %(path)s") % {"path": kept})
            if is_up_to_date() and (links := PlayerLink.of_another_key()):
                for link in links:
                    link.renew()
                self.stdout.write(
                    _("The players’ links came from another computer: give out the new ones.")
                )

    def _list(self) -> None:
        found = copies.newest_first()
        if not found:
            self.stdout.write(_("There is no copy in %(path)s.") % {"path": copies.folder()})
        for copy in found:
            state = _("good") if copy.is_good() else _("damaged")
            size = max(1, copy.size // 1024)
            self.stdout.write(f"{copy.when:%Y-%m-%d %H:%M}  {size:>8} kB  {state}  {copy.path}")


def _failed(reason: str) -> str:
    return _("Nothing was restored: %(reason)s") % {"reason": reason}
