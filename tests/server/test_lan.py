"""Which address phones are given."""

from __future__ import annotations

from server.lan import cards_from_ifconfig, ranked, way_in


def test_the_network_card_comes_first_and_containers_and_vpns_last() -> None:
    cards = [("lo", "127.0.0.1"), ("docker0", "172.17.0.1"), ("tailscale0", "100.101.2.3"), ("wg0", "10.8.0.2"),
             ("eth0", "10.0.0.5"), ("wlan0", "192.168.1.20"), ("br-12ab", "172.18.0.1")]
    found = [address.ip for address in ranked(cards, way_out="192.168.1.20")]
    assert found[:2] == ["192.168.1.20", "10.0.0.5"]
    assert set(found[2:]) == {"172.17.0.1", "100.101.2.3", "10.8.0.2", "172.18.0.1"}


def test_a_vpn_that_leads_out_still_comes_after_the_card() -> None:
    cards = [("utun4", "10.8.0.2"), ("en0", "192.168.1.20")]
    assert [address.ip for address in ranked(cards, way_out="10.8.0.2")] == ["192.168.1.20", "10.8.0.2"]


def test_link_local_addresses_are_left_out() -> None:
    assert ranked([("eth0", "169.254.3.4")], None) == []


def test_loopback_has_no_way_in_for_phones() -> None:
    assert way_in("127.0.0.1", 8000, False) == []
    assert way_in("localhost", 8000, False) == []
    assert way_in("192.168.1.20", 8000, True) == ["https://192.168.1.20:8000"]


def test_cards_as_macos_prints_them() -> None:
    text = (
        "lo0: flags=8049<UP>\n\tinet 127.0.0.1 netmask 0xff000000\n"
        "en0: flags=8863\n\tinet6 fe80::1%en0\n\tinet 192.168.1.7 netmask 0xffffff00\n"
    )
    assert cards_from_ifconfig(text) == [("lo0", "127.0.0.1"), ("en0", "192.168.1.7")]
