"""The project's settings over a data directory and key that end with the tests."""

import atexit
import os
import shutil
import tempfile

_data = tempfile.mkdtemp(prefix="qui-vive-tests-")
atexit.register(shutil.rmtree, _data, ignore_errors=True)

for _name in [name for name in os.environ if name.startswith("QUI_VIVE_")]:
    if not _name.startswith("QUI_VIVE_TEST_"):
        del os.environ[_name]
os.environ["QUI_VIVE_DATA"] = _data
os.environ["QUI_VIVE_SECRET_KEY"] = "for-tests-only-" * 4

from config.settings import *  # noqa: E402, F403
