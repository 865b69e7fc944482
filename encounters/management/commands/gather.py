from typing import Any

from django.core.management.base import BaseCommand

from config.static_files import gather_static_files


class Command(BaseCommand):
    help = "Gathers style sheets and scripts, for a server that may not write where they go."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        gather_static_files()
