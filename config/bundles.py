"""Which style sheets and scripts each kind of page loads: every list goes out as one file.

Requests cost a journey each, and what is compressed together gets smaller. Developers edit the
sources and nothing else: they are joined as they are gathered, and served singly by
`start --reload`. The order within a list is the order on the page.
"""

import re
from collections.abc import Callable

from django.contrib.staticfiles.storage import ManifestStaticFilesStorage, staticfiles_storage
from django.templatetags.static import static

_EVERYWHERE = ("css/tokens.css", "css/base.css")
_PAGES = (*_EVERYWHERE, "css/pages.css")
_PLAYER = ("css/tokens.css", "css/player.css")

BUNDLES: dict[str, tuple[str, ...]] = {
    "pages.css": _PAGES,
    "settings.css": (*_PAGES, "css/settings.css"),
    "campaign.css": (*_PAGES, "css/settings.css", "css/copy.css", "css/links.css"),
    "attack.css": (*_PAGES, "css/attacks.css"),
    "card.css": (*_PAGES, "css/card.css"),
    "log.css": (*_PAGES, "css/log.css", "css/copy.css"),
    "summary.css": (*_PAGES, "css/summary.css", "css/copy.css"),
    "copy.js": ("js/copy.js",),
    "campaign.js": ("js/copy.js", "js/lines.js", "js/cells.js"),
    "print.js": ("js/print.js",),
    "board.css": (
        *_EVERYWHERE,
        "css/board.css",
        "css/adding.css",
        "css/turn.css",
        "css/attacks.css",
        "css/keys.css",
        "css/due.css",
        "css/effects.css",
        "css/hit_points.css",
    ),
    "paper.css": ("css/paper.css",),
    "opening.css": ("css/opening.css", "css/preparation.css"),  # used until a fight begins
    "opening.js": ("js/totals.js",),
    "share.css": ("css/share.css", "css/copy.css"),  # used once its panel is open
    "board.js": (
        "vendor/htmx.min.js",
        "js/live.js",
        "js/select.js",
        "js/fold.js",
        "js/board.js",
        "js/lines.js",
        "js/parts.js",
        "js/move.js",
        "js/keys.js",
        "js/timer.js",
        "js/effects.js",
        "js/hit_points.js",
        "js/meanings.js",
        "js/naming.js",
        "js/later.js",
    ),
    "lost.js": ("js/lost.js",),
    "drag.js": ("vendor/Sortable.min.js", "js/drag.js"),  # fetched when it is about to be used
    "player.css": _PLAYER,
    "player_view.css": (*_PLAYER, "css/player_views.css"),
    "player_choices.js": ("js/player_choices.js",),  # before anything is drawn
    "player.js": (
        "js/live.js",
        "js/player_board.js",
        "js/meanings.js",
        "js/timer.js",
        "js/player.js",
        "js/television.js",
    ),
}


def gathered_name(name: str) -> str:
    """Where the joined file lies among the gathered ones; as deep as its sources."""
    return f"bundles/{name}"


def addresses(name: str) -> list[str]:
    """What a page names to load this bundle, in order."""
    if isinstance(staticfiles_storage, ManifestStaticFilesStorage):
        return [static(gathered_name(name))]
    return [static(source) for source in BUNDLES[name]]


def joined(name: str, read: Callable[[str], str]) -> str:
    """The text of a bundle, its sources read by `read`, without comments and indentation."""
    return "".join(f"{_lighter(source, read(source))}\n" for source in BUNDLES[name])


def _lighter(source: str, text: str) -> str:
    if ".min." in source:  # of others: as published
        return text.strip()
    if source.endswith(".css"):
        text = _CSS_COMMENT.sub(lambda found: found["kept"] or "", text)
        return _CSS_SPACE.sub(
            lambda found: found["kept"] or found["mark"] or found["mark2"], text
        ).strip()
    if _SPANS_LINES.search(text):  # its lines may be text, of which nothing may be taken away
        return text.strip()
    text = _JS_LATE_COMMENT.sub(r"\1", _JS_COMMENT.sub("", text))
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line)


_CSS_COMMENT = re.compile(r"""(?P<kept>"[^"\n]*"|'[^'\n]*')|/\*.*?\*/""", re.DOTALL)
# Nothing of a rule hangs on spaces around these, nor on a semicolon at its end.
_CSS_SPACE = re.compile(
    r"""(?P<kept>"[^"\n]*"|'[^'\n]*')|;?\s*(?P<mark>\})\s*|\s*(?P<mark2>[{;,>])\s*"""
)
_JS_COMMENT = re.compile(r"^\s*(//.*|/\*((?!\*/).)*\*/\s*)$", re.MULTILINE)
# Behind code with whole strings alone: in others, and in regular expressions, // may be a part.
_JS_LATE_COMMENT = re.compile(
    r"""^((?:[^"'`/\n]|"[^"\\\n]*"|'[^'\\\n]*')*[;,{(]) // .*$""", re.MULTILINE
)
# A template literal or string that goes on in the next line.
_SPANS_LINES = re.compile(r"^([^`\n]*`[^`\n]*`)*[^`\n]*`[^`\n]*$|\\$", re.MULTILINE)
