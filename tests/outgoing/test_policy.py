import re
from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from instances.outgoing.policy import (
    AddressKind,
    AllowEntry,
    Mode,
    OutgoingPolicy,
    kind_of,
    plain_host,
    unwrap,
)

KINDS = {
    AddressKind.PUBLIC: "8.8.8.8 1.1.1.1 172.32.0.1 2606:4700::1111 ::ffff:8.8.8.8 "
    "64:ff9b::8.8.8.8 2002:808:808::1",
    AddressKind.LOOPBACK: "127.0.0.1 127.255.255.254 ::1 ::ffff:127.0.0.1 ::ffff:7f00:1 "
    "64:ff9b::127.0.0.1 2002:7f00:1::",
    AddressKind.PRIVATE: "10.0.0.5 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 198.18.0.1 "
    "fd00::1 fec0::1 2001:db8::1 ::ffff:10.0.0.5 64:ff9b::c0a8:101 2002:a00:5:: "
    # Teredo: the client's address is the last 32 bits, inverted.
    "2001:0:4136:e378:8000:63bf:f5ff:fffa",
    AddressKind.LINK_LOCAL: "169.254.169.254 169.254.0.23 fe80::1 ::ffff:169.254.169.254 "
    "64:ff9b::a9fe:a9fe 2002:a9fe:a9fe::",
    AddressKind.METADATA: "100.100.100.200 168.63.129.16 192.0.0.192 fd00:ec2::254 fd20:ce::254 "
    "fd00:42::42 ::ffff:100.100.100.200",
    AddressKind.MULTICAST: "224.0.0.1 239.255.255.255 ff02::1",
    AddressKind.UNSPECIFIED: "0.0.0.0 0.1.2.3 :: ::ffff:0.0.0.0",
    AddressKind.RESERVED: "240.0.0.1 255.255.255.255 ::7f00:1 4000::1 64:ff9b:1::1",
}
ADDRESSES = [(text, kind) for kind, texts in KINDS.items() for text in texts.split()]
NEVER = [text for text, kind in ADDRESSES if kind.never]


@pytest.mark.parametrize(("text", "kind"), ADDRESSES)
def test_address_kind(text: str, kind: AddressKind) -> None:
    assert kind_of(ip_address(text)) == kind


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("text", NEVER)
def test_forbidden_addresses_are_rejected_in_every_mode(mode: Mode, text: str) -> None:
    everywhere = OutgoingPolicy(
        mode, (AllowEntry.parse("0.0.0.0/0"), AllowEntry.parse("::/0"), AllowEntry.parse("trap"))
    )
    refusal = everywhere.refusal("trap", 80, ip_address(text))
    assert refusal
    assert not refusal.entry
    assert "superadmin" not in str(refusal)


@pytest.mark.parametrize(
    ("mode", "allowed"),
    [
        (Mode.PUBLIC, {AddressKind.PUBLIC}),
        (Mode.LISTED, set()),
        (Mode.EVERYTHING, {AddressKind.PUBLIC, AddressKind.LOOPBACK, AddressKind.PRIVATE}),
    ],
)
def test_addresses_allowed_by_mode(mode: Mode, allowed: set[AddressKind]) -> None:
    for text, kind in ADDRESSES:
        refusal = OutgoingPolicy(mode).refusal("host", 443, ip_address(text))
        assert (refusal is None) == (kind in allowed), text


@pytest.mark.parametrize(
    ("entry", "host", "port", "address", "allowed"),
    [
        ("ollama", "ollama", 11434, "172.18.0.3", True),
        ("ollama", "OLLAMA.", 80, "172.18.0.3", True),
        ("ollama", "ollama.evil.example", 80, "172.18.0.3", False),
        ("ollama", "172.18.0.3", 80, "172.18.0.3", False),
        ("ollama:11434", "ollama", 11434, "172.18.0.3", True),
        ("ollama:11434", "ollama", 6379, "172.18.0.3", False),
        ("localhost:11434", "localhost", 11434, "::1", True),
        ("10.0.0.5", "10.0.0.5", 80, "10.0.0.5", True),
        ("10.0.0.5", "any.name", 80, "10.0.0.5", True),
        ("10.0.0.5", "10.0.0.5", 80, "10.0.0.6", False),
        ("10.0.0.5", "mapped", 80, "::ffff:10.0.0.5", True),
        ("10.0.0.5:80", "10.0.0.5", 81, "10.0.0.5", False),
        ("10.0.0.0/8", "host", 80, "10.200.3.4", True),
        ("10.0.0.0/8", "host", 80, "11.0.0.1", False),
        ("10.0.0.0/8:443", "host", 80, "10.0.0.1", False),
        ("::1", "[::1]", 80, "::1", True),
        ("[::1]:8080", "::1", 8080, "::1", True),
        ("fd00::/8", "host", 80, "fd12::1", True),
    ],
)
def test_addresses_allowed_by_entry(
    entry: str, host: str, port: int, address: str, allowed: bool
) -> None:
    policy = OutgoingPolicy(Mode.LISTED, (AllowEntry.parse(entry),))
    assert (policy.refusal(host, port, ip_address(address)) is None) == allowed


@pytest.mark.parametrize(
    ("typed", "normalized"),
    [
        (" Ollama:11434 ", "ollama:11434"),
        ("10.0.0.5", "10.0.0.5"),
        ("10.0.0.0/8:80", "10.0.0.0/8:80"),
        ("[FD00::1]:80", "[fd00::1]:80"),
        ("::ffff:10.0.0.5", "10.0.0.5"),
        ("mün.example", "xn--mn-xka.example"),
    ],
)
def test_entry_is_normalized(typed: str, normalized: str) -> None:
    assert str(AllowEntry.parse(typed)) == normalized
    assert str(AllowEntry.parse(normalized)) == normalized


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", "Give a host name"),
        ("http://ollama:11434", "without http://"),
        ("ollama/v1", "without a path"),
        ("a b", "Give a host name"),
        ("-a.example", "Give a host name"),
        ("a..b", "Give a host name"),
        ("[]", "Give a host name"),
        ("ollama:", "from 1 to 65535"),
        ("ollama:0", "from 1 to 65535"),
        ("ollama:65536", "from 1 to 65535"),
        ("ollama:x", "from 1 to 65535"),
        ("10.0.0.5/8", "Did you mean 10.0.0.0/8?"),
        ("10.0.0.0/33", "Give a host name"),
        ("127.1", "in full"),
        ("2130706433", "in full"),
        ("0x7f000001", "in full"),
        ("169.254.169.254", "never called"),
        ("169.254.0.0/16", "never called"),
        ("::ffff:169.254.169.254", "never called"),
        ("0.1.2.3", "not the address of any machine"),
        ("fd00:ec2::254", "never called"),
        (".".join(["a" * 60] * 5), "too long"),
    ],
)
def test_invalid_entry_is_rejected(typed: str, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        AllowEntry.parse(typed)


def test_refusal_names_the_missing_entry() -> None:
    refusal = OutgoingPolicy().refusal("10.0.0.5", 8080, IPv4Address("10.0.0.5"))
    assert str(refusal) == (
        "Keepsake does not call 10.0.0.5: it is in a private network. A superadmin can allow it "
        "under Settings → Outgoing connections."
    )
    assert refusal and refusal.entry == "10.0.0.5:8080"
    by_six = OutgoingPolicy().refusal("::1", 80, IPv6Address("::1"))
    assert by_six and by_six.entry == "[::1]:80"


@given(st.ip_addresses(v=4))
def test_wrapped_address_is_treated_like_the_address(address: IPv4Address) -> None:
    number = int(address)
    for wrapped in (
        (0xFFFF << 32) | number,
        (0x2002 << 112) | (number << 80),
        (0x0064FF9B << 96) | number,
        (0x20010000 << 96) | (number ^ 0xFFFFFFFF),
    ):
        assert unwrap(IPv6Address(wrapped)) == address
        assert kind_of(IPv6Address(wrapped)) == kind_of(address)


@given(st.ip_addresses(), st.sampled_from(Mode), st.text(max_size=30))
def test_entry_from_a_refusal_allows_the_address(
    address: IPv4Address | IPv6Address, mode: Mode, host: str
) -> None:
    for name in (host, str(address)):
        refusal = OutgoingPolicy(mode).refusal(name, 443, address)
        if refusal and refusal.entry:
            allowed = OutgoingPolicy(mode, (AllowEntry.parse(refusal.entry),))
            assert allowed.refusal(name, 443, address) is None


@pytest.mark.parametrize(
    ("host", "address", "entry"),
    [
        ("localhost", "127.0.0.1", "localhost:80"),
        ("LocalHost.", "::1", "localhost:80"),
        ("127.1", "127.0.0.1", "127.0.0.1:80"),
        ("2130706433", "127.0.0.1", "127.0.0.1:80"),
        ("::ffff:127.0.0.1", "::ffff:127.0.0.1", "127.0.0.1:80"),
        ("::1", "::1", "[::1]:80"),
        ("bücher.lan", "10.0.0.5", "xn--bcher-kva.lan:80"),
        ("xn--bcher-kva.lan", "10.0.0.5", "xn--bcher-kva.lan:80"),
        ("-odd-", "10.0.0.5", "10.0.0.5:80"),
    ],
)
def test_refusal_of_any_spelling_has_an_entry(host: str, address: str, entry: str) -> None:
    refusal = OutgoingPolicy().refusal(host, 80, ip_address(address))
    assert refusal and refusal.entry == entry
    allowed = OutgoingPolicy(Mode.PUBLIC, (AllowEntry.parse(entry),))
    assert allowed.refusal(host, 80, ip_address(address)) is None


@given(st.text(max_size=60))
def test_any_text_is_an_entry_or_has_an_error(text: str) -> None:
    try:
        entry = AllowEntry.parse(text)
    except ValueError as error:
        assert str(error)
    else:
        assert AllowEntry.parse(str(entry)) == entry
        assert plain_host(str(entry)) == str(entry) or "[" in str(entry)
