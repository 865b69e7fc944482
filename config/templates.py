"""Templates are indented for those who read them; pages go out without."""

import re

from django.template import Origin
from django.template.loaders import filesystem

_INDENTATION = re.compile(r"\n[ \t]+")


class Loader(filesystem.Loader):
    """Reads templates without the indentation of their lines, which keep their numbers.

    No template may hold text in which it counts, as in `<pre>`.
    """

    def get_contents(self, origin: Origin) -> str:
        return _INDENTATION.sub("\n", super().get_contents(origin))
