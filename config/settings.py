"""One settings file for every installation: from the environment, with defaults that work alone.

QUI_VIVE_DATA        directory of the database, key and backups (default: the user's data folder)
QUI_VIVE_SECRET_KEY  50 characters or more (default: made at the first start, kept in the data)
QUI_VIVE_BASE_URL    https address of the proxy in front, if there is one: cookies turn secure, and
                     the proxy must set X-Forwarded-Proto itself
QUI_VIVE_COMMAND     how our commands are typed here, for advice (default: python3 manage.py)
QUI_VIVE_HOSTS       further host names to answer to, with commas between
QUI_VIVE_LAN         1: also answer to this computer's names and addresses (`start --lan` sets it)
QUI_VIVE_TLS         1: what is served is HTTPS itself, without a proxy (`start --tls` sets it)
QUI_VIVE_DEBUG       1: for developers, on loopback only (`start --reload` sets it)
QUI_VIVE_HSTS_PRELOAD  1: bind the host's subdomains to HTTPS, too, for the browsers' preload lists
QUI_VIVE_PROXY_HOPS  how many proxies in front write X-Forwarded-For: the client is that many from
                     its right end (default: 0, the header is not believed)
QUI_VIVE_METRICS_TOKEN  20 characters or more: opens /metrics as a bearer token (default: closed)
DATABASE_URL         postgresql://name:password@host/database (default: a SQLite file in the data)
REDIS_URL            redis://host: carries news between processes (default: PostgreSQL does)
"""

import hashlib
import os
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from config.database import database, refuse_several_processes, require
from config.installation import (
    KEY_LENGTH,
    Unsafe,
    data_directory,
    make_data_directory,
    secret_key,
)
from config.network import LOOPBACK_HOSTS, AllowedHosts
from config.terminal import gettext as _

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = data_directory()
SECRET_KEY = os.environ.get("QUI_VIVE_SECRET_KEY", "")
try:
    make_data_directory(DATA_DIR)
    SECRET_KEY = SECRET_KEY or secret_key(DATA_DIR)
except Unsafe as exposed:
    raise ImproperlyConfigured(
        _("Others can read or change %(path)s. Make it private: chmod go-rwx") % {"path": exposed}
    ) from None
except OSError as problem:  # read-only, full, or somebody else's
    raise ImproperlyConfigured(
        _("Cannot use the data folder %(path)s: %(reason)s")
        % {"path": DATA_DIR, "reason": problem.strerror}
    ) from None
if len(SECRET_KEY) < KEY_LENGTH:
    raise ImproperlyConfigured(
        _("QUI_VIVE_SECRET_KEY needs %(number)s characters or more.") % {"number": KEY_LENGTH}
    )

BASE_URL = os.environ.get("QUI_VIVE_BASE_URL", "").rstrip("/")
_base = urlsplit(BASE_URL)
if BASE_URL and (_base.scheme != "https" or not _base.hostname or _base.path):
    raise ImproperlyConfigured(
        _("QUI_VIVE_BASE_URL must look like this: %(example)s")
        % {"example": "https://table.example.org"}
    )
TLS = os.environ.get("QUI_VIVE_TLS") == "1"
HTTPS = TLS or bool(BASE_URL)

LAN = os.environ.get("QUI_VIVE_LAN") == "1"
DEBUG = os.environ.get("QUI_VIVE_DEBUG") == "1"
if DEBUG and (HTTPS or LAN):
    raise ImproperlyConfigured(_("QUI_VIVE_DEBUG is for this computer alone."))

_named_hosts = [
    host.strip() for host in os.environ.get("QUI_VIVE_HOSTS", "").split(",") if host.strip()
]
if any("*" in host for host in _named_hosts):
    raise ImproperlyConfigured(_("QUI_VIVE_HOSTS takes names, not patterns."))
ALLOWED_HOSTS = AllowedHosts(
    [*LOOPBACK_HOSTS, *_named_hosts, *([_base.hostname] if _base.hostname else [])]
)

_hops = os.environ.get("QUI_VIVE_PROXY_HOPS", "0")
if not (_hops.isascii() and _hops.isdigit() and len(_hops) == 1):
    raise ImproperlyConfigured(_("QUI_VIVE_PROXY_HOPS is a number from 0 to 9."))
PROXY_HOPS = int(_hops)
if PROXY_HOPS and LAN:
    raise ImproperlyConfigured(
        _("QUI_VIVE_PROXY_HOPS is for a server behind a proxy: not together with --lan.")
    )
METRICS_TOKEN = os.environ.get("QUI_VIVE_METRICS_TOKEN", "")
if METRICS_TOKEN and len(METRICS_TOKEN) < 20:
    raise ImproperlyConfigured(
        _("QUI_VIVE_METRICS_TOKEN needs %(number)s characters or more.") % {"number": 20}
    )

INSTALLED_APPS = [
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django_htmx",
    "config",
    "rules",
    "bestiary",
    "encounters",
]

MIDDLEWARE = [
    "config.middleware.page_headers",
    "django.middleware.security.SecurityMiddleware",
    # Before all that reads or sets a cookie.
    "config.middleware.player_pages",
    "config.unavailable.Sessions",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "config.urls"
_template_loader = "config.templates.Loader"
_kept_templates = ("django.template.loaders.cached.Loader", [_template_loader])
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            # Developers see an edit at once.
            "loaders": [_template_loader if DEBUG else _kept_templates],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
            ],
        },
    },
]

DATABASES = {"default": database(DATA_DIR)}
refuse_several_processes(DATABASES["default"])
REDIS_URL = os.environ.get("REDIS_URL", "")
if REDIS_URL:
    require("redis", "REDIS_URL")
    if not REDIS_URL.startswith(("redis://", "rediss://", "unix://")):
        raise ImproperlyConfigured(
            _("REDIS_URL must look like this: %(example)s") % {"example": "redis://host:6379/0"}
        )
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("fr", "Français")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
if DEBUG:  # served as they are, so that an edit is seen at once
    STATIC_ROOT = BASE_DIR / "static"
    STATICFILES_DIRS: list[Path] = []
    _static_storage = "django.contrib.staticfiles.storage.StaticFilesStorage"
else:
    STATIC_ROOT = BASE_DIR / ".static"
    STATICFILES_DIRS = [BASE_DIR / "static"]
    _static_storage = "config.static_files.BundlingStorage"
STORAGES = {"staticfiles": {"BACKEND": _static_storage}}

# Cookies do not tell ports apart: two installations on one computer need different names.
_install = hashlib.sha256(f"cookies {SECRET_KEY}".encode()).hexdigest()[:8]
_cookie = "__Host-qv" if HTTPS else "qv"
SESSION_ENGINE = "encounters.sessions"
SESSION_COOKIE_NAME = f"{_cookie}_session_{_install}"
SESSION_COOKIE_AGE = 14 * 24 * 3600  # seconds without a visit
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_NAME = f"{_cookie}_csrf_{_install}"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SECURE = HTTPS
CSRF_FAILURE_VIEW = "encounters.error_views.csrf_failed"
CSRF_TRUSTED_ORIGINS = [BASE_URL] if BASE_URL else []
LANGUAGE_COOKIE_NAME = "qv_language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600  # seconds
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS

DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024  # bytes
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if BASE_URL and not TLS:  # on a table's own network no browser is bound to HTTPS for a year
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SECURE_HSTS_PRELOAD = os.environ.get("QUI_VIVE_HSTS_PRELOAD") == "1"
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD  # they may be somebody else's matter,
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]  # and so no fault to leave them out

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"secret-paths": {"()": "config.logs.SecretPaths"}},
    "handlers": {"terminal": {"class": "logging.StreamHandler", "filters": ["secret-paths"]}},
    "root": {"handlers": ["terminal"], "level": "WARNING"},
    "loggers": {
        # Django's own set-up mails errors to nobody and stays silent on the terminal.
        "django": {"handlers": [], "level": "WARNING", "propagate": True},
        # What a stranger asks for in vain is no news to the GM.
        "django.request": {"level": "ERROR"},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        "uvicorn.error": {"level": "ERROR"},  # else a line for each request that is none
        # A repeated step is refused by the database, and then it warns of what it leaves undone.
        "psycopg": {"level": "ERROR"},
    },
}
