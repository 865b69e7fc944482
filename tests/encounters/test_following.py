"""The network changes while the table is served: what is shown, said and printed follows."""

import threading

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from config.network import LOOPBACK_HOSTS, AllowedHosts
from encounters import following
from encounters.following import FirstTable, Following, NewAddress
from encounters.greeting import for_phones
from encounters.models import PlayerLink
from tests.encounters.streaming import PATIENCE
from tests.factories import PlayerLinkFactory
from tests.networks import CAFE, HOME, be_on

PORT = 8000


@pytest.fixture
def addresses(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> list[str]:
    settings.LAN = True
    settings.ALLOWED_HOSTS = AllowedHosts(LOOPBACK_HOSTS)
    monkeypatch.setenv("QUI_VIVE_LAN", "1")
    return be_on(monkeypatch, HOME)


@pytest.fixture
def link(db: None) -> PlayerLink:
    return PlayerLinkFactory.create(campaign__name="The mill")


def test_the_terminal_says_the_new_address_and_its_qr_code_once(
    link: PlayerLink, addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("encounters.greeting._qr", lambda url: [f"QR of {url}"])
    PlayerLinkFactory.create(campaign=link.campaign)  # a newer one is for somebody else
    look = NewAddress(PORT)
    assert look() == []
    addresses[:] = [CAFE]
    said = look()
    assert f"    http://{CAFE}:{PORT}/j/{link.token}" in said
    assert f"QR of http://{CAFE}:{PORT}/j/{link.token}" in said
    assert look() == []


@pytest.mark.django_db
def test_off_the_network_and_back_on_it_nothing_is_said(addresses: list[str]) -> None:
    look = NewAddress(PORT)
    addresses.clear()
    assert look() == []
    addresses[:] = [HOME]
    assert look() == []


@pytest.mark.django_db
def test_a_network_that_comes_later_is_said(addresses: list[str]) -> None:
    addresses.clear()
    look = NewAddress(PORT)
    addresses[:] = [HOME]
    assert f"http://{HOME}:{PORT}/" in "\n".join(look())


@pytest.mark.django_db
def test_a_further_network_beside_the_one_of_the_links_is_no_news(addresses: list[str]) -> None:
    look = NewAddress(PORT)
    addresses.append(CAFE)
    assert look() == []


def test_phones_are_answered_and_links_lead_to_where_the_computer_is_now(
    link: PlayerLink, addresses: list[str], gm_client: Client
) -> None:
    page = f"/c/{link.campaign.uuid}/"
    assert f"http://{HOME}" in gm_client.get(page).content.decode()
    addresses[:] = [CAFE]
    shown = gm_client.get(page).content.decode()
    assert f"http://{CAFE}:80/j/{link.token}" in shown
    assert HOME not in shown
    player = f"/j/{link.token}"
    assert Client(SERVER_NAME=CAFE).get(player).status_code == 200
    assert Client(SERVER_NAME=HOME).get(player).status_code == 400


def test_it_looks_again_and_again_until_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "EVERY", 0.001)
    said: list[str] = []
    thrice = threading.Semaphore(0)

    def say(news: str) -> None:
        said.append(news)
        thrice.release()

    watch = Following(say)
    watch.begin([lambda: ["news"]])
    for _ in range(3):
        assert thrice.acquire(timeout=PATIENCE)
    watch.end()
    while thrice.acquire(blocking=False):  # it may have looked more often by then
        pass
    said.clear()
    assert not thrice.acquire(timeout=0.02)
    assert said == []


def test_it_looks_on_when_the_system_could_not_tell_and_says_so_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(following, "EVERY", 0.001)
    heard = threading.Event()
    looks = iter(range(4))

    def look() -> list[str]:
        if next(looks, None) is None:
            return ["news"]
        raise OSError("too many open files")

    watch = Following(lambda _: heard.set())
    watch.begin([look])
    assert heard.wait(PATIENCE)
    watch.end()
    assert len(caplog.records) == 1


def test_the_qr_code_comes_as_soon_as_there_is_a_campaign(
    gm_client: Client, addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("encounters.greeting._qr", lambda url: [f"QR of {url}"])
    assert "comes with your first campaign" in "\n".join(for_phones(PORT))
    look = FirstTable(PORT)
    assert look() == []
    gm_client.post("/", {"name": "The mill"})
    link = PlayerLink.objects.get()
    assert f"QR of http://{HOME}:{PORT}/j/{link.token}" in look()
    assert look() == []
