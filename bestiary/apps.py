from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class BestiaryConfig(AppConfig):
    name = "bestiary"
    verbose_name = _("bestiary")
    default_auto_field = "django.db.models.BigAutoField"
