"""What a teacher can find out about the network before the class: the ports, the addresses, and a page for a phone to try."""

import asyncio
import socket
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from ipaddress import ip_address

from tornado.httpserver import HTTPServer
from tornado.web import Application, RequestHandler

from tutorial.classroom.live.serve import EVERYWHERE, HERE, listening

PATIENCE = 2  # seconds in which this machine answers itself
TRIED = "This device reaches the teacher's computer."
ALONE = "This machine is in no network. Join the Wi-Fi of the room, or open a hotspot."
PUBLIC = "It is not an address of a private network: browsers warn of pages without HTTPS there, and others may reach it."
IF_NOT = """\
If the page does not open on the phone:
- Is the phone in the same Wi-Fi, with mobile data and VPN off?
- Windows asks once whether Python may use the network: allow it for private and public networks. If you refused before:
  Windows Security, Firewall & network protection, Allow an app through firewall, Python.
- macOS asks whether Python may accept incoming connections: allow it. If you refused before: System Settings, Network, Firewall.
- Many guest networks let no device reach another one (client isolation). Then only another network helps: a hotspot of
  your phone or of this computer, or a travel router.
- Without any network: count raised hands, or one to four fingers. The keys A to D in your window count them."""


def found(port, addresses: Iterable[str]) -> list[tuple[bool, str]]:
    """Return what is right and what is wrong: whether the ports are free, and whether each address answers on this machine."""
    said = []
    try:
        with closing(listening(EVERYWHERE, port)), closing(listening(HERE, port + 1)):
            said.append((True, f"ports {port} and {port + 1} are free"))
            said += [address_says(address, port) for address in addresses]
    except OSError:
        said.append((False, f"port {port} or {port + 1} is taken; choose another one with --port"))
    return said


def address_says(address, port) -> tuple[bool, str]:
    """Return whether this machine reaches itself by an address, and what is unusual about it."""
    if ip_address(address).is_loopback:
        return False, ALONE
    try:
        socket.create_connection((address, port), PATIENCE).close()
    except OSError:
        return False, f"{address} does not answer; a firewall may be in the way"
    return True, f"{address} answers on this machine. {'' if ip_address(address).is_private else PUBLIC}".rstrip()


class Tried(RequestHandler):
    """The page that a phone opens."""

    heard: Callable[[str], None]

    def initialize(self, heard):
        self.heard = heard

    def get(self):
        self.heard(self.request.remote_ip or "")
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(TRIED)


async def wait_for_phones(port, heard: Callable[[str], None]):
    """Serve the page, and tell `heard` the address of each device that opens it, until this is cancelled."""
    server = HTTPServer(Application([("/", Tried, {"heard": heard})], log_function=lambda handler: None))
    server.add_socket(listening(EVERYWHERE, port))
    try:
        await asyncio.Event().wait()
    finally:
        server.stop()
        await server.close_all_connections()


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
