"""A certificate for this computer, so that phones may treat its pages as safe.

An authority of its own signs a certificate for the addresses of the moment. A phone trusts the authority once;
addresses may change after that. The authority may vouch for private addresses only, so that somebody who stole
its key could pose as no other site.
"""

from __future__ import annotations

import datetime
import ipaddress
import os
import socket
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_AUTHORITY_DAYS = 3650
_SERVER_DAYS = 397
"""Browsers refuse certificates that are valid for longer."""
_PRIVATE = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "127.0.0.0/8")


@dataclass(frozen=True, slots=True)
class Certificate:
    """Files of a certificate: the authority that phones install, the chain and the key that are served."""

    authority: Path
    chain: Path
    key: Path


def certificate_for(data: Path, ways_in: list[str]) -> Certificate:
    """The certificate for these web addresses; made if there is none, or none that still fits."""
    folder = data / "certificate"
    folder.mkdir(parents=True, exist_ok=True)
    files = Certificate(folder / "stationmaster.crt", folder / "server.pem", folder / "server.key")
    authority_key_file = folder / "authority.key"
    if not (files.authority.exists() and authority_key_file.exists()):
        key, authority = _authority()
        _write_key(authority_key_file, key)
        files.authority.write_bytes(authority.public_bytes(serialization.Encoding.PEM))
    authority = x509.load_pem_x509_certificate(files.authority.read_bytes())
    loaded = serialization.load_pem_private_key(authority_key_file.read_bytes(), None)
    assert isinstance(loaded, ec.EllipticCurvePrivateKey)
    addresses = {urlsplit(way).hostname or "" for way in ways_in} | {"127.0.0.1"}
    key, server = _server(authority, loaded, sorted(addresses))
    _write_key(files.key, key)
    files.chain.write_bytes(
        server.public_bytes(serialization.Encoding.PEM) + authority.public_bytes(serialization.Encoding.PEM)
    )
    return files


def _authority() -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name(f"Stationmaster on {socket.gethostname()}"[:60])
    permitted: list[x509.GeneralName] = [x509.IPAddress(ipaddress.ip_network(net)) for net in _PRIVATE]
    permitted += [x509.DNSName("localhost"), x509.DNSName("local"), x509.DNSName(socket.gethostname().lower())]
    builder = (
        _builder(name, name, key, _AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(sign=True), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    return key, builder.sign(key, hashes.SHA256())


def _server(
    authority: x509.Certificate, authority_key: ec.EllipticCurvePrivateKey, addresses: list[str]
) -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    key = ec.generate_private_key(ec.SECP256R1())
    names: list[x509.GeneralName] = [x509.DNSName("localhost"), x509.DNSName(socket.gethostname().lower())]
    for address in addresses:
        try:
            names.append(x509.IPAddress(ipaddress.ip_address(address)))
        except ValueError:
            names.append(x509.DNSName(address))
    builder = (
        _builder(_name("Stationmaster"), authority.subject, key, _SERVER_DAYS)
        .add_extension(x509.SubjectAlternativeName(list(dict.fromkeys(names))), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(sign=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()), critical=False)
    )
    return key, builder.sign(authority_key, hashes.SHA256())


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, days: int
) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=days))
    )


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _usage(*, sign: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not sign, key_cert_sign=sign, crl_sign=sign, content_commitment=False,
        key_encipherment=False, data_encipherment=False, key_agreement=False, encipher_only=False,
        decipher_only=False,
    )


def _write_key(path: Path, key: ec.EllipticCurvePrivateKey) -> None:
    """Write a key that only its owner may read, from the first byte on."""
    path.unlink(missing_ok=True)
    data = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
