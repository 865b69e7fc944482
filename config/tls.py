"""HTTPS without a proxy: which certificate is shown, and when another takes its place.

Either files of one's own, or one made here, kept with its key in one file of the data directory.
Both are looked at again while the server runs: other addresses, an end that comes near, or files
that somebody renewed change what the next connections are shown.
"""

import os
import secrets
import ssl
import stat
from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from config import certificates
from config.certificates import Facts
from config.network import host_names, lan_addresses

ENDS_SOON = timedelta(days=30)
FORMER_ADDRESSES = 8  # kept: a laptop back on a network shows there what it showed before
EVERY_COMPUTER = ("localhost", "127.0.0.1", "::1")
FILE = "tls.pem"


class Unusable(Exception):
    """There is no HTTPS with this; the message says why in whole sentences."""


class Shown(ABC):
    """A certificate in use: its files, and the context that shows it to browsers."""

    def __init__(self, certificate: Path, key: Path) -> None:
        self._certificate, self._key = certificate, key
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2
        self.load()

    def load(self) -> None:
        """Show what the files hold to every connection from now on.

        While the server runs this is for its event loop, where connections are made.
        """
        self.context.load_cert_chain(self._certificate, self._key)
        self.facts = certificates.facts(self._certificate.read_bytes())

    @abstractmethod
    def look_again(self) -> Facts | None:
        """What the files hold by now if that is something else; `load` shows it.

        Raises Unusable.
        """

    @abstractmethod
    def words(self) -> list[str]:
        """Lines for the terminal: what browsers will say to it, and how to recognise it."""


class OwnFiles(Shown):
    """A certificate and key that somebody keeps, and renews by replacing the files."""

    def __init__(self, certificate: Path, key: Path) -> None:
        """Raises Unusable."""
        _check(certificate, key)
        super().__init__(certificate, key)
        self._written = self._times()

    def look_again(self) -> Facts | None:
        """What somebody replaced the files by, if that works."""
        written = self._times()
        if written == self._written:
            return None
        facts = _check(self._certificate, self._key)
        self._written = written
        return facts

    def words(self) -> list[str]:
        """Whether it is good for the addresses that links carry, and its fingerprint."""
        sentence = _("The certificate’s SHA-256 fingerprint:")
        return [*self._about_names(), sentence, f"    {self.facts.fingerprint}"]

    def _about_names(self) -> list[str]:
        address = next(iter(lan_addresses()), "")
        if settings.BASE_URL or not settings.LAN or address in self.facts.names:
            return []
        sentence = _(
            "The certificate does not name %(address)s: browsers warn. QUI_VIVE_BASE_URL says "
            "which address links are to carry."
        )
        return [sentence % {"address": address}] if address else []

    def _times(self) -> list[int]:
        try:
            return [path.stat().st_mtime_ns for path in (self._certificate, self._key)]
        except OSError:  # between an old file and a new one
            return []


class MadeHere(Shown):
    """A certificate for what this computer is called now, signed by itself."""

    def __init__(self, data: Path) -> None:
        """Take the one in the data directory, or make it. Raises Unusable."""
        self._path = data / FILE
        self._renew_if_due()
        super().__init__(self._path, self._path)

    def look_again(self) -> Facts | None:
        """Make another for another address, or a month before the end of this one."""
        return self._renew_if_due()

    def words(self) -> list[str]:
        """That browsers warn, why, and the fingerprint they show."""
        sentence = _(
            "Each browser warns once, since nobody but this computer vouches for its certificate. "
            "Go on if it shows this SHA-256 fingerprint:"
        )
        return [sentence, f"    {self.facts.fingerprint}"]

    def _renew_if_due(self) -> Facts | None:
        pem, now, names = _private_text(self._path), datetime.now(UTC), _names()
        try:
            old = certificates.facts(pem)
            if old.begins <= now < old.ends - ENDS_SOON and set(names) <= set(old.names):
                return None
            key, former = certificates.key_of(pem), old.names
        except ValueError:  # none yet, or damaged
            key, former = certificates.new_key(), ()
        names = (*names, *_addresses_but(names, former)[:FORMER_ADDRESSES])
        made = key + certificates.self_signed(key, names, now)
        try:
            _write(self._path, made)
        except OSError as problem:
            sentence = _("The certificate cannot be written: %(reason)s")
            raise Unusable(sentence % {"reason": problem}) from None
        return certificates.facts(made)


class NewCertificate:
    """The look at what is shown: another where that is due, and what to say of it.

    `put_to_use` is given what loads it, to call that where connections are made.
    """

    def __init__(self, shown: Shown, put_to_use: Callable[[Callable[[], None]], object]) -> None:
        self._shown, self._put_to_use = shown, put_to_use
        self._complaint = ""

    def __call__(self) -> list[str]:
        try:
            facts = self._shown.look_again()
        except Unusable as problem:  # what was shown before is shown for as long as it lasts
            new, self._complaint = str(problem) != self._complaint, str(problem)
            return [self._complaint] if new else []
        self._complaint = ""
        if facts is None:
            return []
        self._put_to_use(self._shown.load)
        sentence = _("The certificate is a new one. Its SHA-256 fingerprint:")
        return [sentence, f"    {facts.fingerprint}"]


def _names() -> tuple[str, ...]:
    """What this computer is called now, as far as a certificate can say it."""
    names = filter(str.isascii, host_names())
    return tuple(dict.fromkeys((*EVERY_COMPUTER, *names, *lan_addresses())))


def _addresses_but(names: tuple[str, ...], former: tuple[str, ...]) -> list[str]:
    """The former addresses that are not among the names, the latest first as they were."""
    return [name for name in former if name[-1:].isdigit() and name not in names]


def _private_text(path: Path) -> bytes:
    """The file's content; empty where there is none, or where others could have read the key."""
    try:
        if os.name == "posix" and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            return b""
        return path.read_bytes()
    except OSError:
        return b""


def _write(path: Path, content: bytes) -> None:
    """Replace the file in one go: whole and the owner's alone, or as it was."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _check(certificate: Path, key: Path) -> Facts:
    """What is in the files; raise Unusable unless that is a certificate of today and its key."""
    try:
        facts = certificates.facts(_read(certificate))
    except ValueError:
        sentence = _("%(path)s holds no certificate in PEM form.")
        raise Unusable(sentence % {"path": certificate}) from None
    now = datetime.now(UTC)
    if now >= facts.ends:
        sentence = _("The certificate %(path)s expired on %(date)s.")
        raise Unusable(sentence % {"path": certificate, "date": date_format(facts.ends)})
    if now < facts.begins:
        sentence = _("The certificate %(path)s is not valid before %(date)s.")
        raise Unusable(sentence % {"path": certificate, "date": date_format(facts.begins)})
    _check_key(certificate, key)
    return facts


def _check_key(certificate: Path, key: Path) -> None:
    _read(key)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, _no_password)
    except _Locked:
        sentence = _("The key %(path)s has a password: use one without.")
        raise Unusable(sentence % {"path": key}) from None
    except ssl.SSLError as problem:
        reason = problem.reason or ""
        if "MISMATCH" in reason or "NO_CERTIFICATE" in reason:
            sentence = _("%(key)s is not the key of %(certificate)s.")
        elif "PEM" in str(problem) or "START_LINE" in reason:
            sentence = _("%(key)s holds no private key in PEM form.")
        else:
            sentence = _("%(certificate)s and %(key)s cannot be used: %(reason)s")
        words = {"key": key, "certificate": certificate, "reason": problem}
        raise Unusable(sentence % words) from None


class _Locked(Exception):
    pass


def _no_password() -> str:
    """Called where a key wants a password, instead of OpenSSL's asking on the terminal."""
    raise _Locked


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        raise Unusable(_("%(path)s cannot be read.") % {"path": path}) from None
