#!/usr/bin/env python3
"""Qui-Vive's one door: `python3 manage.py start --lan` and `python3 manage.py test`."""

import os
import sys

from config import bootstrap, terminal


def main() -> None:
    """Set the environment up if need be, then run the command."""
    terminal.write_what_it_can()
    testing = sys.argv[1:2] == ["test"]
    bootstrap.enter_environment(development=testing)
    if sys.argv[1:2] == ["start"] and "--tls" in sys.argv:
        os.environ["QUI_VIVE_TLS"] = "1"  # the settings are read before the options
    # Tests live in a data directory of their own.
    os.environ.setdefault(
        "DJANGO_SETTINGS_MODULE", "tests.settings" if testing else "config.settings"
    )
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as problem:  # a setting, not a bug: the sentence is enough
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
