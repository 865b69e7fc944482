"""The French catalogue: complete, well set, in the game's terms, and with nothing left over.

After a change of sentences: `manage.py makemessages -l fr --no-location --no-obsolete`, translate
what is new, then `manage.py compilemessages -l fr`.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.utils import translation

from config.components import GETTEXT
from encounters import labels
from tests.processes import need

ROOT = Path(settings.BASE_DIR)
CATALOGUE = ROOT / "locale" / "fr" / "LC_MESSAGES" / "django.po"
SOURCES = ("bestiary", "config", "encounters", "rules", "templates")
Key = tuple[str | None, str, str]  # context, sentence, plural

NARROW, WIDE = "\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}"
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w+\}|<[^>]+>")


Entry = polib.POEntry | polib.MOEntry


def key(entry: Entry) -> Key:
    return entry.msgctxt, entry.msgid, entry.msgid_plural


def french(entry: Entry) -> list[str]:
    """What it is in French: one text, or one for each number."""
    return list(entry.msgstr_plural.values()) or [entry.msgstr]


def english(entry: Entry) -> list[str]:
    return [entry.msgid, *([entry.msgid_plural] if entry.msgid_plural else [])]


CATALOGUE_ENTRIES = list(polib.pofile(str(CATALOGUE)))
PAIRS = [pair for e in CATALOGUE_ENTRIES for pair in zip(english(e), french(e), strict=True)]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> set[Key]:
    """The sentences of the sources, as gettext's own tools find them in a copy."""
    need(GETTEXT)
    copy = tmp_path_factory.mktemp("sources")
    for name in SOURCES:
        shutil.copytree(ROOT / name, copy / name)
    (copy / "locale").mkdir()
    subprocess.run(
        [sys.executable, "-m", "django", "makemessages", "-l", "fr", "--keep-pot"],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy), "DJANGO_SETTINGS_MODULE": "config.settings"},
        check=True,
        capture_output=True,
    )
    return {key(entry) for entry in polib.pofile(str(copy / "locale" / "django.pot"))}


# The whole of it


def test_the_catalogue_has_every_sentence_of_the_sources_and_no_other(sources: set[Key]) -> None:
    catalogue = {key(entry) for entry in CATALOGUE_ENTRIES}
    assert sources - catalogue == set(), "not translated yet"
    assert catalogue - sources == set(), "no longer said"


def test_every_sentence_is_said_in_french_for_good() -> None:
    assert [e.msgid for e in CATALOGUE_ENTRIES if not all(french(e))] == []
    assert [e.msgid for e in CATALOGUE_ENTRIES if e.fuzzy or e.obsolete] == []


SHARED = {
    *("Initiative", "notes", "Notes", "source", "Surprise", "surprise", "Action", "action"),
    *("Bonus", "invisible", "normal", "score", "alt", "Init.", "Round %(round)s", "%(n)d round"),
    *("6 gob, ogre, Aria…", "5e, 2014 (SRD 5.1, DRS)", "5e, 2024 (SRD 5.2)"),
    *("%(effect)s (%(who)s)", "d20 %(die)s %(modifier)s = %(total)s"),
    *("DEX", "CON", "INT", "CHA", "violet", "absorption", "concentration", "%(n)d r"),
    *("1 round", "1 minute", "10 minutes", "Rounds", "Total", "%(who)s %(amount)s", "Alias"),
    *("Animation", "Table", "Vibration", "d20", "initiative %(bonus)s"),
}


def test_only_what_both_languages_share_is_left_as_it_is() -> None:
    assert {e.msgid for e in CATALOGUE_ENTRIES if e.msgid in french(e)} == SHARED


def test_the_compiled_catalogue_says_the_same() -> None:
    compiled = {key(e): french(e) for e in polib.mofile(str(CATALOGUE.with_suffix(".mo")))}
    assert compiled == {key(e): french(e) for e in CATALOGUE_ENTRIES}


def test_none_and_one_are_singular_in_french() -> None:
    assert polib.pofile(str(CATALOGUE)).metadata["Plural-Forms"] == ("nplurals=2; plural=(n > 1);")


def test_french_fills_in_what_english_fills_in() -> None:
    assert [
        (source, said)
        for source, said in PAIRS
        if sorted(PLACEHOLDER.findall(source)) != sorted(PLACEHOLDER.findall(said))
    ] == []


# How it is set


def test_french_is_set_as_french_printers_set_it() -> None:
    wrong = {
        "straight apostrophe": r"\w'\w",
        "three dots": r"\.\.\.",
        "straight or English quotes": r"[“”]|(?<!=)\"(?![>])",
        "no wide space before a colon": rf"[^{WIDE}\d/s]:(?!//)|(?<!http)(?<!https)(?<!{WIDE}):\s",
        "no narrow space before ; ! ?": rf"[^{NARROW}];|[^{NARROW}][!?]",
        "guillemets without wide spaces": rf"«(?!{WIDE})|(?<!{WIDE})»",
        "hyphen for a minus": r"(?<![\w-])-\d",
        "point in a decimal number": r"(?<!SRD )\d\.\d(?!\.)(?!.*licence)",
    }
    assert [
        (rule, said)
        for said in {said for _, said in PAIRS}
        for rule, pattern in wrong.items()
        if re.search(pattern, said)
    ] == []


def test_english_is_set_as_english_printers_set_it() -> None:
    wrong = re.compile(r"\w'\w|\w' |\.\.\.|(?<!=)\"(?!>)|(?<![\w-])-\d")
    assert [text for e in CATALOGUE_ENTRIES for text in english(e) if wrong.search(text)] == []


# The game's terms


def terms() -> Iterator[tuple[str, set[str]]]:
    """Each English term of the glossary, lower case, with the French ones that may stand for it."""
    glossary = json.loads((ROOT / "bestiary" / "data" / "glossary.json").read_text("utf-8"))
    for part in ("stat_labels", "turn_parts", "combat_actions", "skills", "abilities"):
        for term in glossary[part].values():
            said = {term["fr"], term.get("abbr_fr") or term["fr"]}
            allowed = {word.replace("'", "’").casefold() for word in said}
            for word in (term["en"], term.get("abbr_en")):
                if word:
                    yield word.casefold(), allowed


def test_the_game_s_terms_are_those_of_the_glossary() -> None:
    by_english = {e.msgid.casefold(): e for e in CATALOGUE_ENTRIES if not e.msgctxt}
    wrong = [
        (word, french(by_english[word]), allowed)
        for word, allowed in terms()
        if word in by_english and not {t.casefold() for t in french(by_english[word])} <= allowed
    ]
    assert wrong == []
    assert {"hp", "ac", "passive perception", "speed"} <= set(by_english), "nothing was compared"


# As the DRS calls them: names of states, which agree with nobody.
CONDITIONS = {
    "blinded": "aveuglé",
    "charmed": "charmé",
    "deafened": "assourdi",
    "exhaustion": "épuisement",
    "frightened": "terrorisé",
    "grappled": "empoigné",
    "incapacitated": "neutralisé",
    "invisible": "invisible",
    "paralyzed": "paralysé",
    "petrified": "pétrifié",
    "poisoned": "empoisonné",
    "prone": "à terre",
    "restrained": "entravé",
    "stunned": "étourdi",
    "unconscious": "inconscient",
}


def test_conditions_have_the_names_of_the_drs() -> None:
    with translation.override("fr"):
        assert {code: str(word) for code, word in labels.CONDITIONS.items()} == CONDITIONS
