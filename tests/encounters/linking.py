"""Players' links in tests: their addresses, what a page says of them, and what they open."""

import re
from typing import Any

from django.test import Client

from encounters.models import PlayerLink
from tests.encounters.playing import page_of, text_of

CHANGES = ("", "rotate/", "revoke/")  # of a link that is there


def address(link: PlayerLink, verb: str = "") -> str:
    return f"{page_of(link.campaign)}links/{link.pk}/{verb}"


def fresh(link: PlayerLink) -> PlayerLink:
    return PlayerLink.objects.get(pk=link.pk)


def opens(token: str) -> int:
    """What a player with this link is answered."""
    return Client(SERVER_NAME="127.0.0.1").get(f"/j/{token}").status_code


def links_on(answer: Any) -> str:
    """What the page says about links."""
    page = answer.content.decode()
    section = re.search(r'<section id="links".*?</section>', page, re.DOTALL)
    assert section
    answer.content = section[0].encode()
    return text_of(answer)
