from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from config.installation import running_url
from encounters.access import new_entry_path

USUAL_URL = "http://127.0.0.1:8000"


class Command(BaseCommand):
    help = "Prints another entry link for the game master: it works once, for 30 minutes."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        base = settings.BASE_URL or running_url(settings.DATA_DIR) or USUAL_URL
        self.stdout.write(base + new_entry_path())
