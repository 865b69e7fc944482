from functools import partial
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction
from django.utils import translation
from django.utils.translation import ngettext

from config.installation import AlreadyRunning, RunningLock
from config.postgresql import in_use
from config.terminal import language
from encounters import live
from encounters.models import PlayerLink


class Command(BaseCommand):
    help = "Gives every players' link a new address; the old ones open nothing any more."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        with translation.override(language()):
            if connection.vendor != "sqlite":
                self._renew()
                return
            try:  # who has a page open would keep it: only the server itself can tell them
                with RunningLock(settings.DATA_DIR):
                    self._renew()
            except AlreadyRunning:
                raise CommandError(in_use()) from None

    @transaction.atomic
    def _renew(self) -> None:
        links = PlayerLink.objects.all()
        for link in links:
            link.renew()
            transaction.on_commit(partial(live.close_link, link.pk))
        told = ngettext(
            "%(count)s link has a new address: give it out again.",
            "%(count)s links have new addresses: give them out again.",
            len(links),
        )
        self.stdout.write(told % {"count": len(links)})
