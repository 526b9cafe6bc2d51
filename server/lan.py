"""Addresses under which phones can reach this computer, the likeliest first."""

from __future__ import annotations

import ipaddress
import re
import socket
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass

# Names that network cards of containers, virtual machines and VPNs carry on Linux, macOS and Windows.
_VIRTUAL = re.compile(
    r"^(docker|br-|veth|virbr|vmnet|vboxnet|lxc|lxd|cni|flannel|podman|tun|tap|wg|utun|ppp|tailscale|zt|ham|"
    r"bridge\d{3}|vethernet|vmware|virtualbox|hyper-v)", re.IGNORECASE)
_CARRIER = ipaddress.ip_network("100.64.0.0/10")  # also used by meshed VPNs
_CONTAINERS = ipaddress.ip_network("172.17.0.0/16")


@dataclass(frozen=True, slots=True)
class Address:
    """An IPv4 address of this computer and the network card that has it."""

    ip: str
    card: str
    virtual: bool

    @property
    def loopback(self) -> bool:
        """Only this computer itself reaches it."""
        return ipaddress.ip_address(self.ip).is_loopback


def addresses() -> list[Address]:
    """All addresses but loopback: the card that leads out first, VPN and container addresses last."""
    return ranked(_cards(), _way_out())


def ranked(cards: Iterable[tuple[str, str]], way_out: str | None) -> list[Address]:
    """Sort `(card, ip)` by how likely a phone in the same room reaches it."""
    found: dict[str, Address] = {}
    for card, text in cards:
        ip = ipaddress.ip_address(text)
        if ip.is_loopback or ip.is_link_local or ip.is_unspecified:
            continue
        virtual = bool(_VIRTUAL.match(card)) or ip in _CARRIER or ip in _CONTAINERS
        found.setdefault(text, Address(text, card, virtual))
    return sorted(found.values(), key=lambda a: (a.virtual, a.ip != way_out, not ipaddress.ip_address(a.ip).is_private))


def _way_out() -> str | None:
    """The address that packets to the wide net leave from. Nothing is sent: connecting a datagram is local."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address reserved for documents
        except OSError:
            return None
        ip: str = probe.getsockname()[0]
        return ip


def _cards() -> list[tuple[str, str]]:
    if sys.platform == "linux":
        return _linux_cards()
    if sys.platform == "darwin":
        return cards_from_ifconfig(_output(["/sbin/ifconfig"]))
    return [("", ip) for ip in socket.gethostbyname_ex(socket.gethostname())[2]]


def _linux_cards() -> list[tuple[str, str]]:
    import fcntl
    import struct

    get_address = 0x8915  # SIOCGIFADDR
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        for _, name in socket.if_nameindex():
            try:
                answer = fcntl.ioctl(sock.fileno(), get_address, struct.pack("256s", name.encode()[:15]))
            except OSError:
                continue  # a card without an IPv4 address
            found.append((name, socket.inet_ntoa(answer[20:24])))
    return found


def cards_from_ifconfig(text: str) -> list[tuple[str, str]]:
    """`(card, ip)` out of what macOS and BSD print."""
    found, card = [], ""
    for line in text.splitlines():
        if match := re.match(r"(\w+):", line):
            card = match[1]
        elif match := re.match(r"\s+inet (\d+\.\d+\.\d+\.\d+)", line):
            found.append((card, match[1]))
    return found


def _output(command: list[str]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=5, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def way_in(host: str, port: int, secure: bool) -> list[str]:
    """Web addresses to give to phones, best first; none when the server listens to this computer only."""
    scheme = "https" if secure else "http"
    if host in ("0.0.0.0", "::", ""):
        return [f"{scheme}://{address.ip}:{port}" for address in addresses()]
    try:
        if ipaddress.ip_address(host).is_loopback:
            return []
    except ValueError:
        if host == "localhost":
            return []
    return [f"{scheme}://{host}:{port}"]
