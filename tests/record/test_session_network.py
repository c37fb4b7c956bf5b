"""Addresses and names of private networks, and what only looks like one."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhaul.record.session_network import PRIVATE_NETWORKS, find_network, private_hosts
from tests.record.vettable import line_saying

PUBLISHED = ("127.0.0.0/8", "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")


def hosts(text: str) -> list[str]:
    return list(private_hosts(text))


@given(st.sampled_from(PRIVATE_NETWORKS).flatmap(lambda one: st.ip_addresses(network=str(one))))
def test_every_address_of_a_private_network_is_found(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    told = [str(address)]
    assert hosts(f"at {address}.") == hosts(f"http://[{address}]:80/") == told
    assert hosts(f'"\\n{address}"') == told


@given(st.sampled_from(PUBLISHED).flatmap(lambda one: st.ip_addresses(network=one)))
def test_no_address_of_loopback_or_documentation_is(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    assert hosts(f"at {address}, http://[{address}]:80/") == []


@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_a_version_of_three_parts_is_no_address(parts: tuple[int, int, int]) -> None:
    version = ".".join(map(str, parts))
    assert hosts(f"v{version}, {version}, {version}.") == []


@given(st.text())
def test_a_text_without_dot_and_colon_holds_none(text: str) -> None:
    assert hosts(text.replace(".", " ").replace(":", " ")) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("10.1.2.3/8 10.1.2.3:80 ::ffff:10.1.2.4", ["10.1.2.3", "10.1.2.3", "10.1.2.4"]),
        ("fe80::1%eth0", ["fe80::1"]),
        ("ssh me@build.corp, http://db.internal:5432/x", ["build.corp", "db.internal"]),
        ("printer.local. NAS.LAN", ["printer.local", "NAS.LAN"]),
    ],
)
def test_addresses_and_names_are_found_as_they_stand_in_texts(text: str, found: list[str]) -> None:
    assert hosts(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "10.1.2.3.4, 10.1.2.300, v10.1.2.3",
        ".env.local, /etc/rc.local, ~/.local/bin, settings.local.json",
        "self.internal = threading.local()",
        "a.localhost, x.corporation, x.lan-party",
        "fd00 fc:aa:bb:cc:dd:ee fdef:",
        "0.0.0.0 255.255.255.255 8.8.8.8",
    ],
)
def test_what_only_looks_like_one_is_not(text: str) -> None:
    assert hosts(text) == []


def test_a_finding_says_what_to_take_instead() -> None:
    text = find_network(line_saying("10.1.2.3"))
    assert text is not None
    assert text.startswith("10.1.2.3: of a private network; record with one for documentation")
    assert find_network(line_saying("10.1.2")) is None
