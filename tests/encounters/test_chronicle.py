"""The log as text and as Markdown: what stands, in order, and names that mean nothing else."""

import re
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client

import rules
from encounters.chronicle import escaped
from encounters.models import Encounter
from tests.encounters.playing import pressed, take, undo
from tests.factories import CampaignFactory, EncounterFactory, creature, hero

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening() -> Encounter:
    """Aria and two goblins; a round and a turn long, with a blow that was undone."""
    campaign = CampaignFactory.create(name="The _long_ road")
    encounter: Encounter = EncounterFactory.create(campaign=campaign, name="At the ford")
    goblin = creature(creature="srd-5.1/goblin", name_fr="Gobelin")
    take(encounter, rules.Join((hero("Aria"), goblin, goblin)))
    take(encounter, rules.StartFight(dice={2: 9}, totals={1: 20}))
    take(encounter, rules.Damage(3, 4, dice=(4,)))
    take(encounter, rules.Damage(3, 2))
    undo(encounter)
    take(encounter, rules.NextTurn())
    take(encounter, rules.NextTurn())
    return encounter


def told(client: Client, encounter: Encounter, format: str) -> str:
    answer = client.get(f"/e/{encounter.uuid}/log.{format}")
    assert answer.status_code == 200
    text: str = answer.content.decode()
    return text.replace("\N{NO-BREAK SPACE}", " ")


def test_the_log_as_text_tells_what_stands_from_the_beginning(
    gm_client: Client, evening: Encounter
) -> None:
    assert told(gm_client, evening, "txt").splitlines() == [
        "At the ford",
        "The _long_ road",
        "",
        "Before the first round",
        "- Aria and Goblin ×2 joined",
        "",
        "Round 1",
        "- Initiative: Aria: 20, Goblin ×2: 11 (d20 9) · The fight begins · Turn: Aria",
        "- 4 damage to Goblin 2 (die 4)",
        "- Turn: Goblin ×2",
        "",
        "Round 2",
        "- Round 2 · Turn: Aria",
    ]


def test_in_markdown_rounds_are_headings_and_steps_a_list(
    gm_client: Client, evening: Encounter
) -> None:
    lines = told(gm_client, evening, "md").splitlines()
    assert lines[:5] == ["# At the ford", "", r"The \_long\_ road", "", "## Before the first round"]
    assert [line for line in lines if line.startswith("## ")][1:] == ["## Round 1", "## Round 2"]
    assert "- 4 damage to Goblin 2 (die 4)" in lines
    for before, line in pairwise(lines):
        assert not line.startswith("#") or before == ""


def test_going_back_and_what_it_went_back_over_are_no_part_of_the_story(
    gm_client: Client, evening: Encounter
) -> None:
    pressed(gm_client, evening, "go-back", version=2)
    take(evening, rules.Heal(3, 1))
    take(evening, rules.Damage(3, 1))
    for format in ("txt", "md"):
        steps = [s for s in told(gm_client, evening, format).splitlines() if s.startswith("- ")]
        assert steps[2:] == ["- 1 damage to Goblin 2"]


def test_the_log_is_copied_in_the_readers_language(gm_client: Client, evening: Encounter) -> None:
    gm_client.cookies["qv_language"] = "fr"
    assert "- Au tour de : Gobelin ×2" in told(gm_client, evening, "txt")
    assert "## Avant le premier round" in told(gm_client, evening, "md")


def test_a_fight_without_steps_has_a_name_at_least(gm_client: Client) -> None:
    encounter = EncounterFactory.create(name="The mill", campaign__name="Greyford")
    assert told(gm_client, encounter, "txt") == "The mill\nGreyford\n"
    assert told(gm_client, encounter, "md") == "# The mill\n\nGreyford\n"


@pytest.mark.parametrize(("format", "kind"), [("txt", "text/plain"), ("md", "text/markdown")])
def test_the_file_says_what_it_is_and_what_to_call_it(
    format: str, kind: str, gm_client: Client, evening: Encounter
) -> None:
    evening.name = 'Éclair: "l/a"\r\nX: y'
    evening.save()
    answer: Any = gm_client.get(f"/e/{evening.uuid}/log.{format}")
    assert answer["Content-Type"] == f"{kind}; charset=utf-8"
    disposition = answer["Content-Disposition"]
    assert disposition.startswith("inline")
    assert disposition.endswith(f".{format}")
    assert not re.search(r"[\r\n/]", disposition.replace("utf-8''", ""))


def test_only_the_gm_copies_the_log(client: Client, evening: Encounter) -> None:
    for format in ("txt", "md"):
        assert client.get(f"/e/{evening.uuid}/log.{format}")["Location"] == "/entry/"
        assert client.post(f"/e/{evening.uuid}/log.{format}").status_code == 403


def test_log_and_summary_lead_to_both_files(gm_client: Client, evening: Encounter) -> None:
    take(evening, rules.EndFight())
    for page in ("log/", "summary/"):
        html = gm_client.get(f"/e/{evening.uuid}/{page}").content.decode()
        for format in ("txt", "md"):
            assert f'href="/e/{evening.uuid}/log.{format}"' in html


# Names in Markdown


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("*Aria*", r"\*Aria\*"),
        ("__Aria__", r"\_\_Aria\_\_"),
        ("`code`", r"\`code\`"),
        ("[here](http://x)", r"\[here\](http\://x)"),
        ("![x](y)", r"!\[x\](y)"),
        ("<b>Aria</b> &amp;", r"\<b\>Aria\</b\> \&amp;"),
        ("a|b", r"a\|b"),
        ("~~gone~~", r"\~\~gone\~\~"),
        ("back\\slash", r"back\\slash"),
        ("$x^2$ {y}", r"\$x\^2\$ \{y\}"),
        ("@aria #12", r"\@aria \#12"),
        ("https://example.org", r"https\://example.org"),
        ("www.example.org", r"www\.example.org"),
        ("# Heading", r"\# Heading"),
        ("> Quote", r"\> Quote"),
        ("- item", r"\- item"),
        ("+ item", r"\+ item"),
        ("---", r"\---"),
        ("===", r"\==="),
        ("1. item", r"1\. item"),
        ("12) item", r"12\) item"),
        ("8 damage to Aria", "8 damage to Aria"),
        ("Goblin ×2 · Aria (d20 9), well-armed. Éloïse!", None),
    ],
)
def test_a_name_shows_in_markdown_as_it_is(name: str, written: str | None) -> None:
    assert escaped(name) == (name if written is None else written)


def test_a_name_of_several_lines_begins_no_line(gm_client: Client) -> None:
    encounter = EncounterFactory.create(name="The mill\n# Not a heading")
    take(encounter, rules.Join((hero("Aria\n\n# Heading\n- item\u2028x"),)))
    for format in ("txt", "md"):
        lines = told(gm_client, encounter, format).split("\n")
        assert sum(line.startswith(("# ", "## ")) for line in lines) == (2 if format == "md" else 0)
        assert [line for line in lines if line.startswith("- ")] == [
            f"- Aria {'#' if format == 'txt' else chr(92) + '#'} Heading - item x joined"
        ]
