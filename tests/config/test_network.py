"""The names this computer answers to, while a laptop changes networks."""

import pytest
from django.http.request import validate_host

from config import network
from config.network import LOOPBACK_HOSTS, AllowedHosts

HOME, CAFE = "192.168.1.5", "10.20.30.40"


@pytest.fixture
def addresses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The interfaces' addresses; a test changes them."""
    found: list[str] = [HOME]
    monkeypatch.setattr(network, "_looked", float("-inf"))
    monkeypatch.setattr(network, "_routed", lambda: iter(()))
    monkeypatch.setattr(network, "_of_interfaces", lambda: iter(found))
    monkeypatch.setattr(network, "_of_host_name", lambda: iter(()))
    monkeypatch.setattr("socket.gethostname", lambda: "Lias-Laptop")
    return found


def accepts(host: str) -> bool:
    return validate_host(host, AllowedHosts(LOOPBACK_HOSTS))


def test_on_a_lan_it_answers_to_its_addresses_and_names(
    addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUI_VIVE_LAN", "1")
    for host in ("localhost", "127.0.0.1", "[::1]", HOME, "lias-laptop", "lias-laptop.local"):
        assert accepts(host)


def test_a_foreign_name_that_leads_here_is_refused(
    addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUI_VIVE_LAN", "1")
    for host in ("evil.example", CAFE, f"{HOME}.evil.example", "", "laptop.local"):
        assert not accepts(host)


def test_without_lan_it_answers_to_loopback_alone(addresses: list[str]) -> None:
    assert accepts("localhost")
    assert not accepts(HOME)
    assert not accepts("lias-laptop")


def test_it_follows_when_the_address_changes(
    addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUI_VIVE_LAN", "1")
    clock = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    assert accepts(HOME)
    addresses[:] = [CAFE]
    clock[0] += 1
    assert not accepts(CAFE)  # one look at the network serves a few seconds
    clock[0] += 5
    assert accepts(CAFE)
    assert not accepts(HOME)


def test_this_computers_own_addresses_are_found_without_loopback() -> None:
    for address in network.lan_addresses():
        assert not address.startswith("127.")
