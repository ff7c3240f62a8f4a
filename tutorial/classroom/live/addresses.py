"""The addresses under which phones reach this machine."""

import socket
from contextlib import suppress
from ipaddress import ip_address

SOMEWHERE = "192.0.2.1"  # an address that stands in examples only


def addresses() -> list[str]:
    """Return the addresses of this machine in its networks, the likeliest first; 127.0.0.1 alone if it is in none.

    >>> "127.0.0.1" in addresses() or len(addresses()) > 0
    True
    """
    found = [*routed(), *named()]
    return [a for a in dict.fromkeys(found) if not ip_address(a).is_loopback] or ["127.0.0.1"]


def routed():
    """Yield the address from which this machine would send. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender, suppress(OSError):
        sender.connect((SOMEWHERE, 9))
        yield sender.getsockname()[0]


def named():
    """Yield the addresses of this machine's name."""
    with suppress(OSError):
        yield from (found[4][0] for found in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET, socket.SOCK_STREAM))
