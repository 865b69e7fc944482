"""HTTPS without a proxy: the certificate that is shown, and when another takes its place."""

import hashlib
import os
import ssl
import stat
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from pytest_django.fixtures import Settings

from config import certificates, tls
from tests.networks import CAFE, HOME, be_on

NOW = datetime.now(UTC)


@pytest.fixture
def addresses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    return be_on(monkeypatch, HOME)


@pytest.fixture
def own(tmp_path: Path) -> tuple[Path, Path]:
    """Somebody's own certificate and key, good for today."""
    return write_pair(tmp_path, NOW)


def write_pair(folder: Path, made: datetime, key: bytes = b"") -> tuple[Path, Path]:
    certificate, key_file = folder / "own.pem", folder / "own.key"
    key = key or certificates.new_key()
    key_file.write_bytes(key)
    certificate.write_bytes(certificates.self_signed(key, ["table.example"], made))
    return certificate, key_file


# The one made here


def test_the_certificate_is_for_this_computers_names_and_addresses(
    tmp_path: Path, addresses: list[str]
) -> None:
    names = tls.MadeHere(tmp_path).facts.names
    expected = ("localhost", "127.0.0.1", "::1", "lias-laptop", "lias-laptop.local", HOME)
    assert set(names) == set(expected)


def test_a_name_that_no_certificate_can_hold_is_left_out(
    tmp_path: Path, addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "café")
    assert set(tls.MadeHere(tmp_path).facts.names) == {"localhost", "127.0.0.1", "::1", HOME}


def test_it_lasts_no_longer_than_browsers_take_and_has_begun_for_clocks_that_are_late(
    tmp_path: Path, addresses: list[str]
) -> None:
    facts = tls.MadeHere(tmp_path).facts
    assert facts.ends - facts.begins <= timedelta(days=397)
    assert facts.begins <= datetime.now(UTC) - timedelta(hours=23)


@pytest.mark.skipif(os.name == "nt", reason="modes are Unix's")
def test_the_key_is_the_owners_alone_and_nothing_lies_beside_it(
    tmp_path: Path, addresses: list[str]
) -> None:
    tls.MadeHere(tmp_path)
    (path,) = tmp_path.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_next_start_shows_the_same(tmp_path: Path, addresses: list[str]) -> None:
    first = tls.MadeHere(tmp_path)
    assert tls.MadeHere(tmp_path).facts == first.facts
    assert first.look_again() is None


def test_another_address_makes_another_with_the_same_key(
    tmp_path: Path, addresses: list[str]
) -> None:
    shown = tls.MadeHere(tmp_path)
    key = certificates.key_of((tmp_path / tls.FILE).read_bytes())
    addresses[:] = [CAFE]
    renewed = shown.look_again()
    assert renewed
    assert CAFE in renewed.names
    assert renewed.fingerprint != shown.facts.fingerprint
    assert certificates.key_of((tmp_path / tls.FILE).read_bytes()) == key


def test_back_on_a_network_it_shows_there_what_it_showed_before(
    tmp_path: Path, addresses: list[str]
) -> None:
    shown = tls.MadeHere(tmp_path)
    addresses[:] = [CAFE]
    assert shown.look_again()
    addresses[:] = [HOME]
    assert shown.look_again() is None
    addresses.clear()
    assert shown.look_again() is None


def test_addresses_of_long_ago_are_forgotten(tmp_path: Path, addresses: list[str]) -> None:
    shown = tls.MadeHere(tmp_path)
    for number in range(tls.FORMER_ADDRESSES + 1):
        addresses[:] = [f"10.0.0.{number}"]
        facts = shown.look_again()
    assert facts
    assert HOME not in facts.names
    assert "10.0.0.0" in facts.names


@pytest.mark.parametrize(("age", "renewed"), [(364, False), (366, True), (500, True), (-2, True)])
def test_it_is_renewed_a_month_before_its_end(
    tmp_path: Path, addresses: list[str], age: int, renewed: bool
) -> None:
    key, names = certificates.new_key(), tls.MadeHere(tmp_path).facts.names
    old = key + certificates.self_signed(key, names, NOW - timedelta(days=age))
    (tmp_path / tls.FILE).write_bytes(old)
    shown = tls.MadeHere(tmp_path)
    assert (shown.facts != certificates.facts(old)) == renewed
    assert shown.facts.begins < datetime.now(UTC) < shown.facts.ends - tls.ENDS_SOON


def damage(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:300])


def expose(path: Path) -> None:
    path.chmod(0o644)


@pytest.mark.skipif(os.name == "nt", reason="modes are Unix's")
@pytest.mark.parametrize("harm", [damage, expose])
def test_a_damaged_or_exposed_key_is_given_up(
    tmp_path: Path, addresses: list[str], harm: Callable[[Path], None]
) -> None:
    path = tmp_path / tls.FILE
    tls.MadeHere(tmp_path)
    key = path.read_bytes()[:200]
    harm(path)
    tls.MadeHere(tmp_path)
    assert path.read_bytes()[:200] != key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_where_it_cannot_be_written_that_is_said(tmp_path: Path, addresses: list[str]) -> None:
    with pytest.raises(tls.Unusable, match="cannot be written"):
        tls.MadeHere(tmp_path / "gone")


# One's own files


def test_ones_own_certificate_is_shown_with_its_own_fingerprint(own: tuple[Path, Path]) -> None:
    facts = tls.OwnFiles(*own).facts
    der = ssl.PEM_cert_to_DER_cert(own[0].read_text())
    assert facts.fingerprint.replace(":", "").lower() == hashlib.sha256(der).hexdigest()
    assert facts.names == ("table.example",)


def no_certificate(certificate: Path, _key: Path) -> None:
    certificate.write_text("table")


def no_key(_certificate: Path, key: Path) -> None:
    key.write_text("key")


def another_key(_certificate: Path, key: Path) -> None:
    key.write_bytes(certificates.new_key())


def another_kind_of_key(_certificate: Path, key: Path) -> None:
    other = rsa.generate_private_key(65537, 2048)
    key.write_bytes(other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def a_locked_key(_certificate: Path, key: Path) -> None:
    lock = BestAvailableEncryption(b"a password")
    other = rsa.generate_private_key(65537, 2048)
    key.write_bytes(other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, lock))


def ended(certificate: Path, _key: Path) -> None:
    write_pair(certificate.parent, NOW - timedelta(days=500))


def not_yet(certificate: Path, _key: Path) -> None:
    write_pair(certificate.parent, NOW + timedelta(days=3))


def missing(_certificate: Path, key: Path) -> None:
    key.unlink()


FAULTS: list[tuple[Callable[[Path, Path], None], str]] = [
    (no_certificate, "own.pem holds no certificate"),
    (no_key, "own.key holds no private key"),
    (another_key, "own.key is not the key of .*own.pem"),
    (another_kind_of_key, "own.key is not the key of .*own.pem"),
    (a_locked_key, "own.key has a password"),
    (ended, "own.pem expired on"),
    (not_yet, "own.pem is not valid before"),
    (missing, "own.key cannot be read"),
]


@pytest.mark.parametrize(("spoil", "sentence"), FAULTS, ids=[f.__name__ for f, _s in FAULTS])
def test_files_that_are_of_no_use_are_refused_in_a_sentence(
    own: tuple[Path, Path], spoil: Callable[[Path, Path], None], sentence: str
) -> None:
    spoil(*own)
    with pytest.raises(tls.Unusable, match=sentence):
        tls.OwnFiles(*own)


def replace(path: Path, content: bytes) -> None:
    """Write it at another time than before, even where a clock ticks slowly."""
    before = path.stat().st_mtime
    path.write_bytes(content)
    os.utime(path, (before + 1, before + 1))


def test_files_that_somebody_renewed_are_shown_once_they_fit(own: tuple[Path, Path]) -> None:
    news = tls.NewCertificate(shown := tls.OwnFiles(*own), lambda load: load())
    before = shown.facts
    assert news() == []
    key = certificates.new_key()
    replace(own[0], certificates.self_signed(key, ["table.example"], NOW))
    assert "is not the key of" in news()[0]
    assert news() == []  # a complaint is made once
    assert shown.facts == before
    replace(own[1], key)
    said = news()
    assert shown.facts.fingerprint in said[1]
    assert shown.facts != before


def test_a_certificate_without_the_address_of_the_links_says_that_browsers_warn(
    own: tuple[Path, Path], addresses: list[str], settings: Settings
) -> None:
    settings.LAN = True
    assert HOME in tls.OwnFiles(*own).words()[0]
    settings.BASE_URL = "https://table.example:8000"
    assert HOME not in " ".join(tls.OwnFiles(*own).words())
