"""Every secret has a canary of its own, which must fly nowhere that a player can look."""

import base64
import gzip
from collections.abc import Iterator
from html import escape
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from django.conf import settings
from django.test import Client

from encounters import limiter, player_views
from encounters.models import Encounter, PlayerLink
from tests.encounters.addresses import addresses
from tests.encounters.canaries import Table, canary, disguises, secret_table, whole_number
from tests.encounters.viewer import watching
from tests.sizes import FULL

pytestmark = pytest.mark.django_db

TABLES = 300 if FULL else 4
PARTS = 4
ASKED = ("", "?lang=en", "?lang=fr&view=tv", "?view=overlay", "?selected=3&view=gm&lang=xx")
METHODS = ("POST", "PUT", "PATCH", "DELETE", "TRACE", "OPTIONS")


def all_of(answer: Any) -> list[bytes]:
    """Its headers but the length, cookies and body; unpacked, as packed bytes hold any number."""
    headers = {name: value for name, value in answer.headers.items() if name != "Content-Length"}
    head = f"{headers} {answer.cookies}".encode()
    packed = answer.headers.get("Content-Encoding") == "gzip"
    return [head, gzip.decompress(answer.content) if packed else answer.content]


def of_the_link(link: PlayerLink, client: Client) -> Iterator[bytes]:
    """All that is answered to whoever has the link, or something like it."""
    token = link.token
    paths = (token, f"{token}/board", token.lower(), f"{token}/", f"{token}/live", f"{token}/gm",
             "0" * 26, "")  # fmt: skip
    for path in paths:
        limiter.misses._of.clear()
        for asked in ASKED:
            yield from all_of(client.get(f"/j/{path}{asked}"))
        yield from all_of(client.head(f"/j/{path}"))
        for method in METHODS:
            yield from all_of(client.generic(method, f"/j/{path}"))
        for headers in ({"HX-Request": "true"}, {"Accept-Encoding": "gzip"}, {"Host": "evil.test"}):
            yield from all_of(client.get(f"/j/{path}", headers=headers))


def where_something_breaks(table: Table, client: Client) -> Iterator[bytes]:
    """Answers to too many wrong addresses, and of a server that fails over the fight."""
    statuses = set()
    limiter.misses._of.clear()
    for number in range(limiter.LIMIT + 1):
        answer = client.get(f"/j/{number:026}")
        statuses.add(answer.status_code)
        yield from all_of(answer)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client, "raise_request_exception", False)
        patch.setattr(player_views, "render", _fails_over(table))
        for path in ("", "/board"):
            answer = client.get(f"/j/{table.link.token}{path}")
            statuses.add(answer.status_code)
            yield from all_of(answer)
    assert statuses == {404, 429, 500}


def _fails_over(table: Table) -> Any:
    def fail(*_: object) -> None:
        raise RuntimeError(" ".join(table.texts), table.numbers)

    return fail


def everywhere(link: PlayerLink, client: Client) -> Iterator[bytes]:
    """What a player is answered who knows or guesses every key but the GM's; without the address
    that was asked for, which a page may repeat.
    """
    encounter = Encounter.objects.get(campaign=link.campaign)
    for uuid in (encounter.uuid, link.campaign.uuid):
        values = {"uuid": uuid, "number": 3, "pk": link.pk, "kind": "hero", "secret": "x",
                  "token": link.token}  # fmt: skip
        for path in addresses(values).values():
            for answer in (client.get(path), client.post(path)):
                yield from (part.replace(path.encode(), b"") for part in all_of(answer))


def streamed(link: PlayerLink) -> list[bytes]:
    with watching(link) as viewer:
        return viewer.frames


# RW-S22: no secret occurs in a page, fragment, frame, header or cookie
@pytest.mark.parametrize("part", range(PARTS))
def test_no_secret_leaves_by_any_address_that_a_player_can_reach(part: int) -> None:
    for number in range(part, TABLES, PARTS):
        client = Client(SERVER_NAME="127.0.0.1")
        table = secret_table(Random(number))
        told = [*of_the_link(table.link, client), *streamed(table.link)]
        told += [*where_something_breaks(table, client), *everywhere(table.link, client)]
        assert sum(b"The mill" in one for one in told) > 10, "the table itself is shown"
        assert table.is_told_in(told) == []


def test_no_secret_lies_among_the_files_that_are_served() -> None:
    table = secret_table(Random(1))
    files = [path for path in Path(settings.STATIC_ROOT).rglob("*") if path.is_file()]
    packed = [gzip.decompress(path.read_bytes()) for path in files if path.suffix == ".gz"]
    secrets = {form for text in table.texts if "canary" in text for form in disguises(text)}
    secrets.add(settings.SECRET_KEY.encode())
    assert any(path.name == "staticfiles.json" for path in files)
    for content in [*(path.read_bytes() for path in files), *packed]:
        assert not [secret for secret in secrets if secret in content]


def test_the_search_for_secrets_would_find_one_however_it_left() -> None:
    secret = canary(5)
    for leaving in (secret, escape(secret), quote(secret), secret.encode().hex()):
        page = f"<p>{leaving}</p>".encode()
        assert any(form in page for form in disguises(secret))
    for shift in range(3):
        page = base64.b64encode(b"?" * shift + secret.encode() + b" and more")
        assert any(form in page for form in disguises(secret))
    assert whole_number(555).search(b'data-hp="555"')
    assert not whole_number(555).search(b"15553 css/base.a555.css")


def test_the_sweep_would_find_what_a_page_holds_of_the_hidden() -> None:
    table = secret_table(Random(0))
    for secret in (table.texts[7], table.numbers[5]):
        page = f'<i data-x="{secret}">'.encode()
        assert table.is_told_in([b"nothing", page]) == [secret]
