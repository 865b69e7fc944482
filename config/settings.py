"""One settings file for every installation: all from the environment, with defaults that work alone.

QUI_VIVE_DATA        directory of the database, key and backups (default: the user's data folder)
QUI_VIVE_SECRET_KEY  50 characters or more (default: made at the first start, kept in the data)
QUI_VIVE_BASE_URL    https address of the proxy in front, if there is one: cookies turn secure, and
                     the proxy must set X-Forwarded-Proto itself
QUI_VIVE_HOSTS       further host names to answer to, with commas between
QUI_VIVE_LAN         1: also answer to this computer's names and addresses (`start --lan` sets it)
QUI_VIVE_DEBUG       1: for developers, on loopback only (`start --reload` sets it)
QUI_VIVE_HSTS_PRELOAD  0: leave the domain off the browsers' preload lists
"""

import hashlib
import os
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from config.installation import KEY_LENGTH, data_directory, make_data_directory, secret_key
from config.network import LOOPBACK_HOSTS, AllowedHosts

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = data_directory()
make_data_directory(DATA_DIR)

SECRET_KEY = os.environ.get("QUI_VIVE_SECRET_KEY") or secret_key(DATA_DIR)
if len(SECRET_KEY) < KEY_LENGTH:
    raise ImproperlyConfigured(f"QUI_VIVE_SECRET_KEY must have {KEY_LENGTH} characters or more.")

BASE_URL = os.environ.get("QUI_VIVE_BASE_URL", "").rstrip("/")
_base = urlsplit(BASE_URL)
if BASE_URL and (_base.scheme != "https" or not _base.hostname or _base.path):
    raise ImproperlyConfigured("QUI_VIVE_BASE_URL must look like https://table.example.org")
HTTPS = bool(BASE_URL)

DEBUG = os.environ.get("QUI_VIVE_DEBUG") == "1"
if DEBUG and (HTTPS or os.environ.get("QUI_VIVE_LAN") == "1"):
    raise ImproperlyConfigured("QUI_VIVE_DEBUG is for loopback only.")

_named_hosts = [
    host.strip() for host in os.environ.get("QUI_VIVE_HOSTS", "").split(",") if host.strip()
]
if any("*" in host for host in _named_hosts):
    raise ImproperlyConfigured("QUI_VIVE_HOSTS takes names, not wildcards.")
ALLOWED_HOSTS = AllowedHosts(
    [*LOOPBACK_HOSTS, *_named_hosts, *([_base.hostname] if _base.hostname else [])]
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
    "config.middleware.small_bodies",
    # Before all that reads or sets a cookie.
    "config.middleware.player_pages",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "config.urls"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
            ],
        },
    },
]

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": DATA_DIR / "quivive.sqlite3",
        # The server's threads are few and fixed: each keeps its connection.
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            # A transaction that will write says so at once, and waits instead of failing.
            "transaction_mode": "IMMEDIATE",
            "timeout": 5,
            "init_command": (
                "PRAGMA journal_mode=WAL;"
                "PRAGMA synchronous=FULL;"
                "PRAGMA foreign_keys=ON;"
                "PRAGMA busy_timeout=5000;"
                "PRAGMA trusted_schema=OFF"
            ),
        },
        # A file, since WAL and several connections are what is to be tested.
        "TEST": {"NAME": DATA_DIR / "test.sqlite3"},
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("fr", "Français")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
if DEBUG:  # served as they are, so that an edit is seen at once
    STATIC_ROOT = BASE_DIR / "static"
    STATICFILES_DIRS: list[Path] = []
    _static_storage = "django.contrib.staticfiles.storage.StaticFilesStorage"
else:
    STATIC_ROOT = BASE_DIR / ".static"
    STATICFILES_DIRS = [BASE_DIR / "static"]
    _static_storage = "servestatic.storage.CompressedManifestStaticFilesStorage"
STORAGES = {"staticfiles": {"BACKEND": _static_storage}}

# Cookies do not tell ports apart: two installations on one computer need different names.
_install = hashlib.sha256(f"cookies {SECRET_KEY}".encode()).hexdigest()[:8]
_cookie = "__Host-qv" if HTTPS else "qv"
SESSION_COOKIE_NAME = f"{_cookie}_session_{_install}"
SESSION_COOKIE_AGE = 14 * 24 * 3600  # seconds without a visit
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_NAME = f"{_cookie}_csrf_{_install}"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SECURE = HTTPS
CSRF_TRUSTED_ORIGINS = [BASE_URL] if HTTPS else []
LANGUAGE_COOKIE_NAME = "qv_language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600  # seconds
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS

DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024  # bytes
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = os.environ.get("QUI_VIVE_HSTS_PRELOAD") != "0"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"secret-paths": {"()": "config.logs.SecretPaths"}},
    "handlers": {"terminal": {"class": "logging.StreamHandler", "filters": ["secret-paths"]}},
    "root": {"handlers": ["terminal"], "level": "WARNING"},
    # Django's own set-up mails errors to nobody and stays silent on the terminal.
    "loggers": {"django": {"handlers": [], "level": "WARNING", "propagate": True}},
}
