"""Addresses and host names that mean something on a private network alone."""

import ipaddress
import re
from collections.abc import Iterator

from longhaul.record.session_lines import Line
from longhaul.record.session_wording import name_some

PRIVATE_NETWORKS = tuple(
    map(
        ipaddress.ip_network,
        (
            *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"),  # RFC 1918
            "169.254.0.0/16",  # link-local
            "100.64.0.0/10",  # carrier-grade NAT, and overlay networks that use it
            "fc00::/7",  # unique local
            "fe80::/10",  # link-local
        ),
    )
)
"""Loopback and the ranges for documentation are none of them: they name nobody's machine."""

_BEGINS = r"(?:(?<![A-Za-z0-9_.])|(?<=\\[nrt]))"
_IPV4 = re.compile(rf"{_BEGINS}\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?![A-Za-z0-9_]|\.[A-Za-z0-9])")
_IPV6 = re.compile(
    r"(?:(?<![A-Za-z0-9_:.])|(?<=\\[nrt]))f(?:[cd][0-9a-f]{2}|e[89ab][0-9a-f]):[0-9a-f:.]*+",
    re.IGNORECASE,
)
_PRIVATE_NAME = re.compile(
    r"\.(?:local|internal|lan|corp)(?![A-Za-z0-9_(-]|\.[A-Za-z0-9])", re.IGNORECASE
)
_HOST_CHARS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
_HOST_NAME_CHARS = 253
_NO_HOSTS = ("self", "this", "cls", "threading")
"""What has attributes of such names in source code."""


def find_network(line: Line) -> str | None:
    """Return what is wrong with the addresses and host names in a line, or None."""
    found = [one for text in line.texts for one in private_hosts(text)]
    if not found:
        return None
    return (
        f"{name_some(found)}: of a private network; record with one for documentation"
        " (203.0.113.9, 2001:db8::9, host.example), or review it"
    )


def private_hosts(text: str) -> Iterator[str]:
    """Yield each address of a private network in a text, and each host name that only one knows."""
    if "." in text:
        yield from filter(_is_private, _IPV4.findall(text))
        yield from _private_names(text)
    if ":" in text:
        yield from filter(_is_private, map(_without_end, _IPV6.findall(text)))


def _without_end(written: str) -> str:
    """Return an address without the full stop or the colon behind it; `::` ends one itself."""
    bare = written.rstrip(".")
    return bare if bare.endswith("::") else bare.removesuffix(":")


def _is_private(written: str) -> bool:
    try:
        address = ipaddress.ip_address(written)
    except ValueError:
        return False
    return any(address in network for network in PRIVATE_NETWORKS)


def _private_names(text: str) -> Iterator[str]:
    for match in _PRIVATE_NAME.finditer(text):
        before = text[max(0, match.start() - _HOST_NAME_CHARS) : match.start()]
        rest = before.rstrip(_HOST_CHARS)
        name = before[len(rest) :]
        if name and name not in _NO_HOSTS and not _is_file_name(name, rest):
            yield name + match[0]


def _is_file_name(name: str, before: str) -> bool:
    """Return whether a name is a file's: `.env.local`, `etc/rc.local`, not `http://db.local`."""
    return name.startswith(".") or (before.endswith("/") and not before.endswith("//"))
