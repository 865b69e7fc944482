from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation
from django.utils.translation import gettext as _

from config.backup import BackupFailed, back_up_now
from config.terminal import language


class Command(BaseCommand):
    help = "Copies the database, while it may be in use, and checks the copy."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file",
            nargs="?",
            type=Path,
            help="where to (default: among the last ten in the data folder)",
        )
        parser.add_argument(
            "--nightly",
            action="store_true",
            help="for timers: kept apart, 7 days and the last of each month",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with translation.override(language()):
            try:
                copy = back_up_now(options["file"], by_itself=options["nightly"])
            except BackupFailed as problem:
                sentence = _("No copy was made: %(reason)s")
                raise CommandError(sentence % {"reason": problem}) from None
            self.stdout.write(_("Copied to %(path)s") % {"path": copy})
