"""With another secret key, because of a move or because the old one leaked, links are made anew."""

from io import StringIO

import pytest
from django.conf import settings as project
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django.fixtures import Settings

from config.installation import RunningLock
from encounters.greeting import dead_links
from encounters.models import PlayerLink
from tests.factories import PlayerLinkFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def given_out(settings: Settings) -> str:
    """The token of a link that was given out before the key changed."""
    token: str = PlayerLinkFactory.create().token
    assert dead_links() == ""
    settings.SECRET_KEY = "another" * 10
    return token


def opens(client: Client, token: str) -> bool:
    return bool(client.get(f"/j/{token}").status_code == 200)


def test_a_start_says_that_the_key_has_changed_and_what_to_do(
    given_out: str, client: Client
) -> None:
    shown = PlayerLink.objects.get().token
    assert (opens(client, given_out), opens(client, shown)) == (True, False)
    assert "manage.py new_links`" in dead_links()


@pytest.mark.usefixtures("a_folder_of_its_own")
def test_one_command_gives_all_links_new_addresses_and_closes_the_old(
    given_out: str, client: Client
) -> None:
    said = StringIO()
    call_command("new_links", stdout=said)
    shown = PlayerLink.objects.get().token
    assert (opens(client, given_out), opens(client, shown)) == (False, True)
    assert said.getvalue() == "1 link has a new address: give it out again.\n"
    assert dead_links() == ""


@pytest.fixture
def a_folder_of_its_own(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> None:
    settings.DATA_DIR = tmp_path_factory.mktemp("data")


@pytest.mark.skipif("sqlite" not in project.DATABASES["default"]["ENGINE"], reason="SQLite's lock")
@pytest.mark.usefixtures("a_folder_of_its_own")
def test_it_waits_until_the_server_is_stopped_that_would_keep_pages_open(
    given_out: str, client: Client, settings: Settings
) -> None:
    with RunningLock(settings.DATA_DIR), pytest.raises(CommandError):
        call_command("new_links")
    assert opens(client, given_out)
