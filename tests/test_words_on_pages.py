"""Whatever is written on a page is in the reader's language: nothing hard-written in English."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any

import polib
import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation
from django.utils.functional import Promise

from encounters import campaign_forms, chance, labels
from encounters.demo import make_demo
from encounters.forms import EditForm
from encounters.link_forms import LinkForm
from encounters.models import Campaign, Encounter, PlayerLink
from tests.encounters import playing, uses
from tests.encounters.uses import USES
from tests.factories import CreatureFactory
from tests.test_translations import NARROW, WIDE

ROOT = Path(settings.BASE_DIR)
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
CATALOGUE = ROOT / "locale" / "fr" / "LC_MESSAGES" / "django.po"


class Words(HTMLParser):
    """The words of a page: its texts, and the attributes that people read or hear."""

    READ = frozenset(
        (
            *("placeholder", "title", "aria-label", "alt", "label", "data-live", "data-gone"),
            *(
                "data-since",
                "data-reconnecting",
                "data-dropped",
                "data-text",
                "data-one",
                "data-other",
            ),
            *(
                "data-press",
                "data-taken",
                "data-unfit",
                "data-changed",
                "data-reset",
                "data-stale",
                "data-waiting",
            ),
            *("data-alt", "data-shift", "data-space", "data-delete", "data-spoken", "data-over"),
            *("data-label", "data-done", "data-selected", "data-failed", "data-save", "data-said"),
            *("data-never", "data-start", "data-end", "data-starts", "data-ends", "data-rounds"),
            *("data-each", "data-hangs", "data-nobody", "data-lost", "data-saved", "data-unsaved"),
            *("data-on", "data-next", "data-in", "data-mine", "data-mine-in", "data-waits"),
        )
    )
    SILENT = ("script", "style", "kbd", "code")

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.silent = ""  # the element whose texts are no words, or in a language of their own

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if value and name in self.READ]
        speaks = tag != "html" and any(name == "lang" for name, _ in attrs)
        if not self.silent and (tag in self.SILENT or speaks):
            self.silent = tag

    def handle_endtag(self, tag: str) -> None:
        if tag == self.silent:
            self.silent = ""

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.found.append(data)


@lru_cache(maxsize=16)  # each page is asked about twice
def words_of(html: str) -> list[str]:
    reader = Words()
    reader.feed(html)
    return [re.sub(r"[ \n]+", " ", text.strip(" \n")) for text in reader.found if text.strip()]


# What is written down


# What Django fills in.
FILLED = re.compile(
    r"{%\s*blocktranslate\b.*?{%\s*endblocktranslate\s*%}|{%.*?%}|{{.*?}}|{#.*?#}", re.DOTALL
)
# Names, and what is the same in both languages.
NO_WORDS = re.compile(r"\bQui-Vive\b|\bAria, Bran, Cleo, Dain\b|\b\d*d\d+\b|\balt\+n\b")


def written_in(template: Path) -> str:
    """A template without what Django fills in, nor the blocks that stand inside a tag."""
    text = template.read_text("utf-8")
    for block in INSIDE_TAGS:
        text = re.sub(
            rf"{{%\s*block {block}\s*%}}.*?{{%\s*endblock", "{% endblock", text, flags=re.S
        )
    return FILLED.sub("", text)


INSIDE_TAGS = {
    block
    for template in TEMPLATES
    for block in re.findall(r"<[^<>]*{%\s*block (\w+)", template.read_text("utf-8"))
}


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.stem)
def test_templates_write_no_words_but_through_translations(template: Path) -> None:
    written = words_of(written_in(template))
    assert [text for text in written if re.search(r"[^\W\d]{2}", NO_WORDS.sub("", text))] == []


def test_every_attribute_that_is_translated_is_read_here() -> None:
    translated = {
        name
        for template in TEMPLATES
        for name in re.findall(
            r'([\w-]+)="[^"{]*{%\s*(?:block)?translate', template.read_text("utf-8")
        )
    }
    assert translated - set(Words.READ) == set()


def test_every_label_waits_for_the_reader_s_language() -> None:
    words = [
        (name, code, word)
        for name, words in vars(labels).items()
        if name.isupper() and isinstance(words, dict)
        for code, word in words.items()
    ]
    assert len(words) > 50
    assert [one for one in words if one[1] and not isinstance(one[2], Promise)] == []


HIDDEN_FIELDS = ("key", "seen", "target")


def test_every_field_is_named_in_the_reader_s_language() -> None:
    for form in (
        EditForm,
        campaign_forms.CampaignForm,
        campaign_forms.EncounterForm,
        campaign_forms.HeroForm,
        campaign_forms.HeroesForm,
        campaign_forms.SettingsForm,
        campaign_forms.PlayersSeeForm,
        LinkForm,
    ):
        for name, field in form.base_fields.items():
            assert isinstance(field.label, Promise) or name in HIDDEN_FIELDS, f"{form}: {name}"


# What is served


def said_in_english() -> list[tuple[str, str]]:
    """The pattern of each English sentence of two words and more, filled in.

    Its longest part first: without it, there is no need to look for the whole.
    """
    found = []
    for entry in polib.pofile(str(CATALOGUE)):
        if entry.msgid == entry.msgstr or len(re.findall(r"[^\W\d]{2,}", entry.msgid)) < 2:
            continue
        parts = re.split(r"%\(\w+\)[sd]|\{\w+\}|<[^>]+>", entry.msgid)
        if any(len(re.findall(r"[^\W\d]{2,}", part)) >= 2 for part in parts):
            pattern = ".+?".join(re.escape(part) for part in parts)
            found.append((max(parts, key=len), rf"(?<!\w){pattern}(?!\w)"))
    return found


ENGLISH = said_in_english()


@pytest.fixture
def table(gm_client: Client) -> Iterator[Encounter]:
    """A French GM's prepared ambush, with dice that always fall alike."""
    before = chance.use(Random(7))
    gm_client.cookies[settings.LANGUAGE_COOKIE_NAME] = "fr"
    CreatureFactory.create()
    CreatureFactory.create(english="Hobgoblin", french="Hobgobelin")
    with translation.override("fr"):
        make_demo()
    yield Encounter.objects.get()
    chance.use(before)


def press(
    gm: Client, encounter: Encounter, verb: str, typed: Mapping[str, object]
) -> tuple[int, str]:
    """A verb's button: how the answer went, and its HTML."""
    data = playing.form(encounter, **typed)
    answer = gm.post(f"/e/{encounter.uuid}/{verb}/", data, headers=playing.HTMX)
    return answer.status_code, answer.content.decode()


def the_evening(gm: Client, encounter: Encounter) -> Iterator[tuple[str, str]]:
    """Every page, in every state of the fight: what it is, and its HTML."""
    campaign = encounter.campaign
    board, player = f"/e/{encounter.uuid}/", f"/j/{PlayerLink.objects.get().token}"

    def see(path: str, status: int = 200) -> tuple[str, str]:
        answer = gm.get(path, headers={"Accept-Language": "fr"})
        assert answer.status_code == status, path
        assert 'lang="fr"' in answer.content.decode() or "<html" not in answer.content.decode()
        return path, answer.content.decode()

    yield see("/")
    yield see(f"/c/{campaign.uuid}/")
    yield see(board)
    yield see(f"{board}rename/")
    yield see(f"{board}creatures/?text=gob")
    yield see(player)
    for verb, typed in (
        ("open-fight", {}),
        ("hide-side", {"side": "foes"}),
        ("roll-initiative", {}),
        ("override-surprise", {"target": 1, "surprise": "surprised"}),
        ("start-fight", {}),
        ("next-turn", {}),
        ("set-reaction", {"target": 5}),
        ("damage", {"target": 1, "amount": "1"}),
        ("damage", {"target": 1, "amount": "500"}),
        ("damage", {"target": 5, "amount": "500"}),
        ("revive", {"target": 1}),
        ("heal", {"target": 1, "amount": "3"}),
        ("give-temporary", {"target": 2, "amount": "5"}),
        ("set-out", {"target": 3, "out": "1"}),
        ("set-hidden", {"target": 6, "hidden": "1"}),
        ("undo", {}),
        ("redo", {}),
        ("previous-turn", {}),
        ("leave", {"target": 8}),
    ):
        status, html = press(gm, encounter, verb, typed)
        assert status == 200, (verb, html[:500])
        yield verb, html
        yield see(f"{board}?selected=1")
        yield see(f"{player}?lang=fr")
    yield "refused", press(gm, encounter, "damage", {"target": 1, "amount": "many"})[1]
    yield see(f"{board}combatant/1/")
    yield "end-fight", press(gm, encounter, "end-fight", {})[1]
    yield see(board)
    yield see(f"{board}summary/")
    yield see(f"{board}log/")
    yield see(f"{board}log.txt")
    yield see(f"{board}log.md")
    yield see(player)
    yield see("/about/")
    yield see("/nowhere", status=404)
    gm.post("/entry/leave/")
    yield see("/entry/")


def test_a_french_evening_has_no_english_sentence_on_any_page(
    gm_client: Client, table: Encounter
) -> None:
    left = {
        where: found
        for where, html in the_evening(gm_client, table)
        if (found := english_in([html]) | badly_set_in([html]))
    }
    assert left == {}


# What French printers set otherwise, where facts meet that no one sentence of the catalogue joins.
BADLY_SET = re.compile(
    rf"(?<!{WIDE}):\s|(?<!{NARROW});|(?<!{NARROW})[!?](?=\s|$)|(?<=\w)'(?=\w)|(?<!\w)-\d"
)


def badly_set_in(pages: Iterable[str]) -> set[str]:
    """The texts of these pages that are not set as French is."""
    return {text for html in pages for text in words_of(html) if BADLY_SET.search(text)}


def english_in(pages: Iterable[str]) -> set[str]:
    """The texts of these pages in which an English sentence stands."""
    return {text for html in pages for text in words_of(html) if is_english(text)}


@cache  # most texts stand on many pages
def is_english(text: str) -> bool:
    return any(part in text and re.search(pattern, text) for part, pattern in ENGLISH)


@pytest.mark.parametrize("verb", USES)
def test_every_verb_is_answered_and_told_without_an_english_sentence(
    gm_client: Client, verb: str
) -> None:
    gm_client.cookies[settings.LANGUAGE_COOKIE_NAME] = "fr"
    encounter = uses.table(USES[verb].state)
    typed = {"selected": "3,6", **USES[verb].fields}
    status, answer = press(gm_client, encounter, verb, typed)  # the board, with its strip
    assert status == 200, answer[:500]
    encounter.refresh_from_db()
    board = f"/e/{encounter.uuid}/"
    pages = [gm_client.get(f"{board}{path}/") for path in ("log", f"at/{encounter.version}")]
    assert [page.status_code for page in pages] == [200, 200]
    answers = [answer, *(page.content.decode() for page in pages)]
    assert english_in(answers) | badly_set_in(answers) == set()


def test_the_pages_of_choices_and_of_facts_have_no_english_sentence(gm_client: Client) -> None:
    gm_client.cookies[settings.LANGUAGE_COOKIE_NAME] = "fr"
    encounter = uses.table("begun")
    board, campaign = f"/e/{encounter.uuid}/", f"/c/{encounter.campaign.uuid}/"
    people = [f"{board}combatant/{number}/" for number in (uses.ARIA, uses.WOLF, uses.LAIR)]
    pages = [
        gm_client.get(path)
        for path in (
            f"{campaign}settings/",
            f"{board}settings/",
            *people,
            f"{board}log/?text=xyzzy",
        )
    ]
    chosen = dict(
        re.findall(r'<select name="(\w+)".*?value="(\w*)" selected', html_of(pages[0]), re.S)
    )
    saved = gm_client.post(f"{campaign}settings/", {**chosen, "name": "La route"}, follow=True)
    assert "Enregistré." in html_of(saved)
    assert [page.status_code for page in pages] == [200] * 6
    answers = [html_of(page) for page in (*pages, saved)]
    assert english_in(answers) | badly_set_in(answers) == set()


def html_of(answer: Any) -> str:
    html: str = answer.content.decode()
    return html


def test_numbers_that_are_none_are_refused_in_french(gm_client: Client, table: Encounter) -> None:
    campaign = Campaign.objects.get()
    page = gm_client.get(f"/c/{campaign.uuid}/").content.decode()
    rows = dict(re.findall(r'name="(form-[\w-]+)"[^>]*value="([^"]*)"', page))
    answer = gm_client.post(f"/c/{campaign.uuid}/", {**rows, "form-0-ac": "beaucoup"})
    assert "Saisissez un nombre entier." in answer.content.decode()
