"""Decides whether a host, port and address may be connected to. Pure."""

import re
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Self
from urllib.parse import urlsplit

from instances.translatable import TranslatableText, sentences, translatable

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

MAX_HOST_CHARACTERS = 253


class Mode(StrEnum):
    """Mode: the addresses that may be called besides the listed ones."""

    #: The public internet.
    PUBLIC = "public"
    #: Nothing else.
    LISTED = "listed"
    #: The internet, private networks and this machine.
    EVERYTHING = "everything"


class AddressKind(StrEnum):
    """The kind of an address."""

    #: Everywhere else; not called if it is not among the allowed addresses.
    PUBLIC = "public"
    LOOPBACK = "loopback"
    PRIVATE = "private"
    LINK_LOCAL = "link_local"
    METADATA = "metadata"
    MULTICAST = "multicast"
    UNSPECIFIED = "unspecified"
    RESERVED = "reserved"

    @property
    def never(self) -> bool:
        """True if neither a mode nor an entry can allow it."""
        return self not in (AddressKind.PUBLIC, AddressKind.LOOPBACK, AddressKind.PRIVATE)


#: Why an address of each kind is not called.
_REASONS = {
    AddressKind.PUBLIC: translatable(
        "Keepsake does not call %(host)s: it is not among the allowed addresses.", host=""
    ),
    AddressKind.LOOPBACK: translatable(
        "Keepsake does not call %(host)s: it is on the machine that Keepsake runs on.", host=""
    ),
    AddressKind.PRIVATE: translatable(
        "Keepsake does not call %(host)s: it is in a private network.", host=""
    ),
    AddressKind.LINK_LOCAL: translatable(
        "Keepsake does not call %(host)s: link-local addresses are never called.", host=""
    ),
    AddressKind.METADATA: translatable(
        "Keepsake does not call %(host)s: the metadata services of cloud providers are never "
        "called.",
        host="",
    ),
    AddressKind.MULTICAST: translatable(
        "Keepsake does not call %(host)s: multicast addresses are never called.", host=""
    ),
    AddressKind.UNSPECIFIED: translatable(
        "Keepsake does not call %(host)s: it is not the address of any machine.", host=""
    ),
    AddressKind.RESERVED: translatable(
        "Keepsake does not call %(host)s: reserved addresses are never called.", host=""
    ),
}
_NEVER: dict[AddressKind, tuple[Network, ...]] = {
    kind: tuple(ip_network(text) for text in texts.split())
    for kind, texts in {
        # Azure, Alibaba, Oracle; Amazon, Google and Scaleway by IPv6. The others are link-local.
        AddressKind.METADATA: "168.63.129.16 100.100.100.200 192.0.0.192 "
        "fd00:ec2::254 fd20:ce::254 fd00:42::42",
        AddressKind.LINK_LOCAL: "169.254.0.0/16 fe80::/10",
        AddressKind.MULTICAST: "224.0.0.0/4 ff00::/8",
        AddressKind.UNSPECIFIED: "0.0.0.0/8 ::",
        AddressKind.RESERVED: "240.0.0.0/4",
    }.items()
}
#: The parts of IPv6 in use (RFC 4291, 4193): loopback, local networks, and the internet.
_IN_USE = tuple(ip_network(text) for text in "::1 fc00::/7 fec0::/10 2000::/3".split())
_INTERNET = ip_network("2000::/3")
_NAT64 = ip_network("64:ff9b::/96")

_HOW = translatable(
    "Give a host name, an IP address or a network such as 10.0.0.0/8, without http:// and without "
    "a path."
)


def unwrap(address: Address) -> Address:
    """Return the IPv4 address embedded in *address*, where its packets end up; else *address*.

    IPv4-mapped (RFC 4291), 6to4 (RFC 3056), Teredo (RFC 4380) and NAT64 (RFC 6052).
    """
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None) or address


def kind_of(address: Address) -> AddressKind:
    """Classify *address*."""
    address = unwrap(address)
    for kind, networks in _NEVER.items():
        if any(address in network for network in networks):
            return kind
    if address.is_loopback:
        return AddressKind.LOOPBACK
    is_ipv6 = isinstance(address, IPv6Address)
    if is_ipv6 and not any(address in network for network in _IN_USE):
        return AddressKind.RESERVED
    is_public = address.is_global and (not is_ipv6 or address in _INTERNET)
    return AddressKind.PUBLIC if is_public else AddressKind.PRIVATE


@dataclass(frozen=True)
class AllowEntry:
    """A listed host name or network, with one port or all of them."""

    place: str | Network
    port: int | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an entry: ``ollama``, ``ollama:11434``, ``10.0.0.5``, ``10.0.0.0/8``, ``[::1]:80``.

        Raises `ValueError`; its message says what to do.
        """
        if "://" in text:
            raise ValueError(_HOW)
        place, port = _split(text.strip())
        number = None
        if port is not None:
            number = int(port) if re.fullmatch(r"[0-9]{1,5}", port) else 0
            if not 1 <= number <= 65535:
                raise ValueError(translatable("A port is a number from 1 to 65535."))
        return cls(_network(place) or _host(place), number)

    @classmethod
    def of_url(cls, url: str) -> Self:
        """Return the entry for the server of *url*, at its port alone. Raises `ValueError`."""
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        return cls.parse(f"[{parts.hostname or ''}]:{port}")

    def matches(self, host: str, port: int, address: Address) -> bool:
        """True if this entry lists *address*, to which *host* resolves."""
        if self.port not in (None, port):
            return False
        if isinstance(self.place, str):
            return self.place == plain_host(host)
        return unwrap(address) in self.place

    def __str__(self) -> str:
        place = str(self.place)
        if not isinstance(self.place, str) and self.place.num_addresses == 1:
            place = str(self.place.network_address)
        if self.port is None:
            return place
        return f"[{place}]:{self.port}" if ":" in place else f"{place}:{self.port}"


@dataclass(frozen=True)
class RefusedAddress:
    """Why a host is not called. ``str()`` reveals nothing about what answers there."""

    host: str
    port: int
    address: Address
    kind: AddressKind

    @property
    def entry(self) -> str:
        """The entry that would allow it; empty if none can."""
        if self.kind.never:
            return ""
        try:
            place = AllowEntry.parse(f"[{plain_host(self.host)}]").place
        except ValueError:  # An odd spelling of an address, such as 127.1.
            place = ip_network(unwrap(self.address))
        return str(AllowEntry(place, self.port))

    @property
    def text(self) -> TranslatableText:
        """The refusal and its remedy, in sentences."""
        reason = _REASONS[self.kind].filled(host=self.host[:MAX_HOST_CHARACTERS])
        if self.kind.never:
            return reason
        remedy = translatable("A superadmin can allow it under Settings → Outgoing connections.")
        return sentences(reason, remedy)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class OutgoingPolicy:
    """A mode and a list of addresses."""

    mode: Mode = Mode.PUBLIC
    entries: tuple[AllowEntry, ...] = ()

    def refusal(self, host: str, port: int, address: Address) -> RefusedAddress | None:
        """Return why *address*, to which *host* resolves, must not be called; None if it may."""
        kind = kind_of(address)
        if kind.never:
            return RefusedAddress(host, port, address, kind)
        if self.mode == Mode.EVERYTHING or (
            self.mode == Mode.PUBLIC and kind == AddressKind.PUBLIC
        ):
            return None
        if any(entry.matches(host, port, address) for entry in self.entries):
            return None
        if self.mode == Mode.LISTED:
            kind = AddressKind.PUBLIC
        return RefusedAddress(host, port, address, kind)


def plain_host(host: str) -> str:
    """Return the form in which host names and addresses are compared."""
    host = host.strip("[]").rstrip(".").lower()
    try:
        return host.encode("idna").decode()
    except UnicodeError:
        return host


def _split(text: str) -> tuple[str, str | None]:
    """Split off the port; an IPv6 address has one only after brackets."""
    if bracketed := re.fullmatch(r"\[([^\[\]]*)\](?::(.*))?", text):
        return bracketed[1], bracketed[2]
    if text.count(":") > 1:
        return text, None
    place, colon, port = text.partition(":")
    return place, port if colon else None


def _network(place: str) -> Network | None:
    """Parse an address or a network; None if it is neither."""
    try:
        network: Network = ip_network(unwrap(ip_address(place)))
    except ValueError:
        if "/" not in place:
            return None
        try:
            network = ip_network(place, strict=False)
        except ValueError:
            raise ValueError(_HOW) from None
        if ip_address(place.partition("/")[0]) != network.network_address:
            raise ValueError(
                translatable(
                    "%(entry)s is not a network. Did you mean %(network)s?",
                    entry=place,
                    network=str(network),
                )
            ) from None
    first, last = kind_of(network[0]), kind_of(network[-1])
    if first.never and first == last:
        raise ValueError(_REASONS[first].filled(host=place))
    return network


def _host(place: str) -> str:
    """Parse a host name."""
    host = plain_host(place)
    labels = host.split(".")
    if not all(re.fullmatch(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?", label) for label in labels):
        raise ValueError(_HOW)
    if len(host) > MAX_HOST_CHARACTERS:
        raise ValueError(translatable("This host name is too long."))
    if re.fullmatch(r"[0-9]+|0x[0-9a-f]*", labels[-1]):
        raise ValueError(translatable("Write the address in full, such as 127.0.0.1."))
    return host
