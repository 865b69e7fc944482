"""Words that a table would not say stand nowhere any more: neither in English nor in French."""

import re

import pytest

from tests.test_translations import PAIRS

# English: clever, without a subject, or with a pronoun that hangs in the air.
NOT_ENGLISH = (
    *("Hiding, with Stealth", "what its state gives", "as conditions say", "GM only"),
    *("Wait for a later place", "Pass over", "Take back in", "held ready", "did what was"),
    *("nobody: only roll", "spare it", "though immune", "only then", "Only sometimes"),
    *("defences depend on", "Put on", "Take away", "not by itself", "whose doing"),
    *("the present one", "asked for", "on the spell", "Own words", "Leave it aside", "Left aside"),
    *("Done again", "asks: ", "Give the turn", "Act next", "Place and side", "Count something"),
    *("is counted", "Every step, and", "What they saw, they saw", "players’ sight"),
    *("had moved on", "This one is", "can do nothing now", "to spend", "second turns in round"),
    *("follows another’s", "Rolled before that", "Asked: ", "One die: ", "being opened"),
    *("from no book", "change of tint", "Once more", "Reset to the start", "stands as it stood"),
    *("Lock this", "Not from here", "Something broke", "decides for itself", "way in"),
)
# French: calques, riddles, and words that are not those of the DRS.
NOT_FRENCH = (
    *("Actions de combat", "repèr", "lui échappe", "K.-O.", "dépens", "rendue", "action prête"),
    *("sort gardé", "qui observe", "une à une", "un par un", "que donne son état"),
    *("MJ seul", "attaques portées contre", "de jouer", "Fin de la surprise pour"),
    *(
        "Aucune action possible",
        "et le combat d’alors",
        "insensible",
        "en selle",
        "à la main (durée",
    ),
    *("Nouvelle place", "autre place", "Place dans", "d’aucun livre", "Sous les yeux"),
    *("Encore une fois", "Pas d’ici", "quelque chose a cassé", "règle lui-même", "vous rangez"),
    *("avant cela", "blessures légères", "malgré tout", "Verrouiller ce navigateur"),
    *("dépensée", "Laissé de côté", "inconscience", "État stable", "état neutralisé"),
)
PLAYERS_TURN = "À vous de jouer"


@pytest.mark.parametrize("words", NOT_ENGLISH)
def test_no_english_sentence_says_it_so(words: str) -> None:
    said = re.compile(rf"\b{re.escape(words)}" if words[0].isalpha() else re.escape(words))
    assert [english for english, _ in PAIRS if said.search(english)] == []


@pytest.mark.parametrize("words", NOT_FRENCH)
def test_no_french_sentence_says_it_so(words: str) -> None:
    found = [french for _, french in PAIRS if words.casefold() in french.casefold()]
    assert [french for french in found if french != PLAYERS_TURN] == []


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("Turn: %(who)s", "Au tour de\N{NO-BREAK SPACE}: %(who)s"),
        ("No reaction left: %(who)s.", "Pas de réaction disponible\N{NO-BREAK SPACE}: %(who)s."),
        ("Delay (house rule)", "Retarder son tour (règle maison)"),
        ("Trigger", "Déclencher"),
        ("Run it again", "Rejouer"),
        ("hidden", "masqué"),
    ],
)
def test_what_a_table_says_is_said(english: str, french: str) -> None:
    assert (english, french) in PAIRS
