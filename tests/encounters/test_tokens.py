"""The players' links: nobody guesses one, and nothing that is stored or written down holds one."""

import io
import logging
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client

from encounters import link_uses
from encounters.models import Encounter, PlayerLink
from encounters.models.links import CROCKFORD
from tests.encounters.stored import everything_stored
from tests.encounters.streaming import Browser
from tests.encounters.test_errors import broken
from tests.factories import PlayerLinkFactory
from tests.sizes import FULL

TOKENS = 100_000 if FULL else 5_000
LENGTH = 26
FREEDOM = len(CROCKFORD) - 1
# A chi-square of 31 degrees of freedom exceeds this once in a million times.
MOST = 86.0


def tokens() -> list[str]:
    """Those of many links, and of some links again and again with a new address."""
    ids = [(UUID(int=number), 1) for number in range(TOKENS // 2)]
    ids += [(UUID(int=number % 7), 2 + number // 7) for number in range(TOKENS - len(ids))]
    return [PlayerLink(link_id=one, generation=generation).token for one, generation in ids]


# RELIABILITY L1
def test_tokens_are_all_different_and_each_of_their_letters_is_as_likely_as_another() -> None:
    made = tokens()
    assert len(set(made)) == TOKENS
    assert {len(token) for token in made} == {LENGTH}
    usual = TOKENS / len(CROCKFORD)
    for place in range(LENGTH):
        found = Counter(token[place] for token in made)
        assert set(found) == set(CROCKFORD)
        assert sum((count - usual) ** 2 / usual for count in found.values()) < MOST, place


def test_letters_that_are_not_as_likely_would_be_found() -> None:
    """A token whose first letter is made of four bits instead of five."""
    usual = TOKENS / len(CROCKFORD)
    found = Counter(CROCKFORD[number % 16] for number in range(TOKENS))
    assert sum((found[letter] - usual) ** 2 / usual for letter in CROCKFORD) > MOST


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """All that any part of the project writes down, to the last detail."""
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield text
    root.setLevel(level)
    root.removeHandler(handler)


@pytest.fixture
def used(base_url: str, running: Encounter, client: Client, written: io.StringIO) -> PlayerLink:
    """A link that has been used in every way, and the GM has looked at."""
    link: PlayerLink = PlayerLinkFactory.create(campaign=running.campaign, name="Table")
    for path in ("", "/board", "/nothing", "x"):
        client.get(f"/j/{link.token}{path}")
    client.post(f"/j/{link.token}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("encounters.player_views.render", broken)
        patch.setattr(client, "raise_request_exception", False)
        assert client.get(f"/j/{link.token}").status_code == 500
    port = int(base_url.rsplit(":", 1)[1])
    with Browser(port, f"/j/{link.token}/live") as phone:
        phone.next()
    link_uses.flush()
    return link


@pytest.mark.django_db(transaction=True)
def test_no_token_is_stored_or_copied(used: PlayerLink, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    call_command("backup", copy, stdout=io.StringIO())
    held_by_copy = copy.read_bytes() if connection.vendor == "sqlite" else b""  # else compressed
    dump = "\n".join(everything_stored())
    assert used.token_hash in dump
    for held in filter(None, (dump.encode(), held_by_copy)):
        assert used.token_hash.encode() in held
        assert used.token.lower().encode() not in held.lower()


@pytest.mark.django_db(transaction=True)
def test_no_token_is_written_down(used: PlayerLink, written: io.StringIO) -> None:
    text = written.getvalue()
    assert "/j/…" in text
    assert used.token.lower() not in text.lower()


@pytest.mark.django_db(transaction=True)
def test_no_token_goes_out_with_a_log(
    used: PlayerLink, gm_client: Client, running: Encounter
) -> None:
    for path in ("log/", "log.txt", "log.md", "summary/"):
        answer = gm_client.get(f"/e/{running.uuid}/{path}")
        assert answer.status_code in (200, 302)
        assert used.token.encode() not in answer.content
