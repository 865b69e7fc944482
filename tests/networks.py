"""Networks that a computer is on, as a test says: laptops change them while everybody watches."""

import pytest

from config import network

HOME, CAFE = "192.168.1.5", "10.20.30.40"


def be_on(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> list[str]:
    """Make these the interfaces' addresses, seen at once when they change; give them to change."""
    found = [*addresses]
    monkeypatch.setattr(network, "_FRESH", 0.0)
    monkeypatch.setattr(network, "_routed", lambda: iter(()))
    monkeypatch.setattr(network, "_of_interfaces", lambda: iter(found))
    monkeypatch.setattr(network, "_of_host_name", lambda: iter(()))
    monkeypatch.setattr("socket.gethostname", lambda: "Lias-Laptop")
    return found
