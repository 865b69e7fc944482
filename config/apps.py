from django.apps import AppConfig


class InstallationConfig(AppConfig):
    """The installation itself: no rows, only what is checked at the start."""

    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401  (registers them)
