"""The check of the network: which addresses answer, and a page for a phone to try."""

import asyncio
import socket

from tests.tutorial.classroom.live.classes import HERE, Asker
from tutorial.classroom.live import network


def test_an_address_that_answers_is_told_from_one_that_does_not(monkeypatch):
    monkeypatch.setattr(network, "ip_address", lambda address: Address())
    with socket.create_server((HERE, 0)) as server:
        port = server.getsockname()[1]
        assert network.address_says(HERE, port) == (True, f"{HERE} answers on this machine. {network.PUBLIC}")
    assert network.address_says(HERE, port) == (False, f"{HERE} does not answer; a firewall may be in the way")


class Address:
    """An address in no private network."""

    is_loopback = is_private = False


def test_a_phone_that_opens_the_page_is_heard(monkeypatch):
    monkeypatch.setattr(network, "EVERYWHERE", HERE)
    heard = []

    async def run():
        with socket.create_server((HERE, 0)) as free:
            port = free.getsockname()[1]
        waiting = asyncio.create_task(network.wait_for_phones(port, heard.append))
        await asyncio.sleep(0)
        answer = await Asker(f"http://{HERE}:{port}/").get("")
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert answer.body.decode() == network.TRIED

    asyncio.run(run())
    assert heard == [HERE]
