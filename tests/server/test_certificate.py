"""The local certificate: valid for the addresses given, and for nothing else."""

from __future__ import annotations

import ipaddress
import stat
from pathlib import Path

from cryptography import x509

from server.certificate import certificate_for


def test_it_names_the_addresses_and_the_authority_stays(tmp_path: Path) -> None:
    first = certificate_for(tmp_path, ["https://192.168.1.20:8000"])
    authority = first.authority.read_bytes()
    again = certificate_for(tmp_path, ["https://192.168.7.7:8000"])
    assert again.authority.read_bytes() == authority
    served = x509.load_pem_x509_certificate(again.chain.read_bytes())
    names = served.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert ipaddress.ip_address("192.168.7.7") in names.get_values_for_type(x509.IPAddress)
    served.verify_directly_issued_by(x509.load_pem_x509_certificate(authority))
    assert (served.not_valid_after_utc - served.not_valid_before_utc).days <= 398


def test_the_authority_can_vouch_for_private_addresses_only(tmp_path: Path) -> None:
    authority = x509.load_pem_x509_certificate(certificate_for(tmp_path, []).authority.read_bytes())
    limits = authority.extensions.get_extension_for_class(x509.NameConstraints)
    assert limits.critical
    nets = [name.value for name in limits.value.permitted_subtrees or [] if isinstance(name, x509.IPAddress)]
    assert all(net.is_private or net == ipaddress.ip_network("100.64.0.0/10") for net in nets)


def test_keys_are_for_their_owner(tmp_path: Path) -> None:
    files = certificate_for(tmp_path, [])
    for key in (files.key, tmp_path / "certificate" / "authority.key"):
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
