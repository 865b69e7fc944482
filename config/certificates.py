"""X.509 certificates (RFC 5280): reading one's own, and making one for this computer's names.

What is made here is signed by itself: a browser warns once, and from then on nobody on the
network reads along. It lasts less than the 398 days that browsers take at most.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_address

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

LIFE = timedelta(days=396)
CLOCKS_APART = timedelta(days=1)  # phones whose clock is late take it too


@dataclass(frozen=True, slots=True)
class Facts:
    """What a certificate says of itself."""

    fingerprint: str  # SHA-256 of its DER form, as browsers show it
    names: tuple[str, ...]  # host names and addresses it is good for, in its own order
    begins: datetime
    ends: datetime


def facts(pem: bytes) -> Facts:
    """Read the first certificate of a PEM text; raise ValueError when there is none."""
    certificate = x509.load_pem_x509_certificates(pem)[0]
    digest = certificate.fingerprint(hashes.SHA256())
    return Facts(
        digest.hex(":").upper(),
        _names(certificate),
        certificate.not_valid_before_utc,
        certificate.not_valid_after_utc,
    )


def key_of(pem: bytes) -> bytes:
    """The private key in a PEM text, in PEM form; raise ValueError when there is none."""
    return _in_pem(_loaded(pem))


def new_key() -> bytes:
    """A private key in PEM form, on the curve that every browser knows."""
    return _in_pem(ec.generate_private_key(ec.SECP256R1()))


def self_signed(key_pem: bytes, names: Iterable[str], now: datetime) -> bytes:
    """A certificate in PEM form for such a key, good for these host names and addresses."""
    key = _loaded(key_pem)
    itself = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Qui-Vive")])
    builder = (
        x509.CertificateBuilder()
        .subject_name(itself)
        .issuer_name(itself)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCKS_APART)
        .not_valid_after(now - CLOCKS_APART + LIFE)
    )
    for extension, critical in _extensions(names):
        builder = builder.add_extension(extension, critical)
    return builder.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM)


def _loaded(pem: bytes) -> ec.EllipticCurvePrivateKey:
    key = load_pem_private_key(pem, password=None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise ValueError("not a key on a curve")
    return key


def _in_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _extensions(names: Iterable[str]) -> list[tuple[x509.ExtensionType, bool]]:
    """For whom it speaks and for what: a server of those names, and no further certificates."""
    signing_only = dict.fromkeys(
        (
            "content_commitment",
            "key_encipherment",
            "data_encipherment",
            "key_agreement",
            "key_cert_sign",
            "crl_sign",
            "encipher_only",
            "decipher_only",
        ),
        False,
    )
    return [
        (x509.SubjectAlternativeName([_general_name(name) for name in names]), False),
        (x509.BasicConstraints(ca=False, path_length=None), True),
        (x509.KeyUsage(digital_signature=True, **signing_only), True),
        (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False),
    ]


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _names(certificate: x509.Certificate) -> tuple[str, ...]:
    try:
        found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    return tuple(
        str(name.value) for name in found if isinstance(name, x509.DNSName | x509.IPAddress)
    )
