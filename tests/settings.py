"""The project's settings over a data directory and key that end with the tests.

QUI_VIVE_TEST_DATABASE_URL is a PostgreSQL to run them on instead of a SQLite file.
"""

import atexit
import os
import shutil
import tempfile

_data = tempfile.mkdtemp(prefix="qui-vive-tests-")
atexit.register(shutil.rmtree, _data, ignore_errors=True)

for _name in [name for name in os.environ if name.startswith("QUI_VIVE_")]:
    if not _name.startswith("QUI_VIVE_TEST_"):
        del os.environ[_name]
for _name in ("DATABASE_URL", "REDIS_URL", "WEB_CONCURRENCY"):
    os.environ.pop(_name, None)
if _database_url := os.environ.get("QUI_VIVE_TEST_DATABASE_URL"):
    os.environ["DATABASE_URL"] = _database_url
os.environ["QUI_VIVE_DATA"] = _data
os.environ["QUI_VIVE_SECRET_KEY"] = "for-tests-only-" * 4

from config.settings import *  # noqa: E402, F403
