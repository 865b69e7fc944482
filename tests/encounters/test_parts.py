"""What a GM's page shows already is left out of the boards that it is sent."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from encounters.models import Encounter
from encounters.parts import HEADER, part_of
from tests.encounters.playing import HTMX, examples, form, ogre_fight, rolled_back
from tests.factories import EncounterFactory, creature, hero, running

pytestmark = pytest.mark.django_db

ONCE = re.compile(r'name="(?:key|seen)" value="[^"]*"')  # the scripts see to these
VOID = {"br", "input", "rect", "use"}
VERBS: list[tuple[str, dict[str, Any]]] = [
    ("next-turn", {}),
    ("undo", {}),
    ("redo", {}),
    ("damage", {"target": 3, "amount": "7", "at": "strip"}),
    ("add-effect", {"target": 1, "effect": "poisoned", "lasts": "never", "at": "effects"}),
    ("set-hidden", {"target": 4, "hidden": "1"}),
    ("join", {"text": "Cleo", "at": "add"}),
    ("leave", {"target": 2}),
    ("give-extra-turn", {"target": 1}),
    ("break-tie", {"total": 9, "first": 3}),
    ("end-fight", {}),
    ("reopen-fight", {}),
]


class Parts(HTMLParser):
    """Where the parts of a board stand in its text, and the stubs."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str, int, int]] = []  # id, mark, begin and end
        self._open: list[tuple[dict[str, str | None], int]] = []
        self._lines = [0, *(match.end() for match in re.finditer("\n", html))]
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self._open.append((dict(attrs), self._place()))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        told, begin = self._open.pop()
        if mark := told.get("data-part") or told.get("data-same"):
            self.found.append((told["id"] or "", mark, begin, self._place() + len(f"</{tag}>")))

    def _place(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column


class Shown:
    """A GM's page, which keeps its parts where the answer has stubs."""

    def __init__(self, client: Client, encounter: Encounter) -> None:
        self._client, self._encounter = client, encounter
        self.show(self.whole())

    def whole(self) -> str:
        address = f"/e/{self._encounter.uuid}/"
        return str(self._client.get(address, headers=HTMX).content.decode())

    def press(self, verb: str, **typed: Any) -> str:
        """The answer, which this page shows from now on."""
        answer = self._client.post(
            f"/e/{self._encounter.uuid}/{verb}/",
            form(self._encounter, **typed),
            headers={**HTMX, HEADER: " ".join(self.marks)},
        )
        html = str(answer.content.decode())
        if answer.status_code == 200:
            self.show(html)
        return html

    def show(self, html: str) -> None:
        kept = getattr(self, "_parts", {})
        pieces, behind = [], 0
        for id, mark, begin, end in sorted(Parts(html).found, key=lambda part: part[2]):
            if begin < behind:
                continue  # inside another
            is_stub = f'data-same="{mark}"' in html[begin:end]
            pieces += [html[behind:begin], kept[id, mark] if is_stub else html[begin:end]]
            behind = end
        self.html = "".join([*pieces, html[behind:]])
        self._parts = {
            (id, mark): self.html[begin:end] for id, mark, begin, end in Parts(self.html).found
        }

    @property
    def marks(self) -> list[str]:
        return [mark for _, mark in self._parts]


def lasting(html: str) -> str:
    """A board without what each has afresh, and without the space between its elements."""
    return re.sub(r">\s+<", "><", ONCE.sub("", html))


def crowd() -> Encounter:
    fighters = hero("Aria"), hero("Bran"), creature("Ogre", max_hp=300), creature("Goblin")
    return EncounterFactory.create(fight=running(*fighters, totals=(15, 12, 9, 9)))


def test_a_turn_sends_the_rows_that_change_and_stubs_of_the_others(gm_client: Client) -> None:
    page = Shown(gm_client, crowd())
    html = page.press("next-turn")
    rows = re.findall(r'<li id="(c\d)" data-(part|same)', html)
    assert rows == [("c1", "part"), ("c2", "part"), ("c3", "part"), ("c4", "same")]
    assert re.findall(r'<\w+ id="(\w+)" data-same="\w+"></\w+>', html) == [
        "ties", "c4", "adding", "strip",
    ]  # fmt: skip


@given(verbs=st.lists(st.sampled_from(VERBS), max_size=8))
@examples(10)
def test_a_page_that_keeps_its_parts_shows_the_whole_board(
    gm_client: Client, verbs: list[tuple[str, dict[str, Any]]]
) -> None:
    with rolled_back():
        page = Shown(gm_client, crowd())
        for verb, typed in verbs:
            page.press(verb, **typed)
            assert lasting(page.html) == lasting(page.whole())


def test_a_page_without_scripts_and_one_that_tells_nothing_get_all(gm_client: Client) -> None:
    encounter = crowd()
    page = Shown(gm_client, encounter)
    assert 'data-same="' not in page.whole()
    plain = gm_client.get(f"/e/{encounter.uuid}/", headers={HEADER: " ".join(page.marks)})
    assert b'data-same="' not in plain.content


def test_marks_of_another_board_or_language_leave_out_nothing(gm_client: Client) -> None:
    encounter = crowd()
    page = Shown(gm_client, encounter)
    for others in (Shown(gm_client, ogre_fight()).marks, ["", "c1", "0123456789"]):
        known = {**HTMX, HEADER: " ".join(mark for mark in others if mark not in page.marks)}
        answer = gm_client.get(f"/e/{encounter.uuid}/", headers=known)
        assert b'data-same="' not in answer.content
    french = {**HTMX, HEADER: " ".join(page.marks), "Accept-Language": "fr"}
    answer = gm_client.get(f"/e/{encounter.uuid}/", headers=french)
    assert re.findall(rb'id="(\w+)" data-same', answer.content) == []


def test_a_fragment_that_does_not_say_it_is_a_part_has_no_mark() -> None:
    assert part_of('<p id="note">Hush</p>') == ('<p id="note">Hush</p>', "", "")
    html, mark, stub = part_of(' <li id="c1" data-part class="row">Aria</li>')
    assert html == f' <li id="c1" data-part="{mark}" class="row">Aria</li>'
    assert stub == f'<li id="c1" data-same="{mark}"></li>'
