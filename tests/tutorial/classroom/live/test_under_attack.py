"""A class whose program is killed, and a class whose server is flooded. Bounded, and on this machine alone."""

import asyncio
import http.client
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest

from benchmarks.classroom_live import lost_by_kills
from tests.tutorial.classroom.live.classes import Asker, begin, go, served
from tutorial.classroom.live.limits import OF_ADDRESS, Limits

pytestmark = pytest.mark.processes

LESSON = "# Lesson\n\n" + 2 * ":::{predict} Which?\n:right: 1\n\n- a\n\n  Yes.\n- b\n\n  No.\n- c\n\n  No.\n:::\n\n"
OTHER = "127.0.0.2"  # Linux answers on the whole of 127.0.0.0/8
MORE, THREADS = 60, 4  # requests beyond what an address may ask


def test_no_acknowledged_vote_is_lost_by_kill_9(tmp_path):
    (tmp_path / "lesson.md").write_text(LESSON)
    lost, acknowledged = lost_by_kills(2, 12, tmp_path / "lesson.md", tmp_path)
    assert lost == 0 and acknowledged >= 12


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a second address without a setting")
def test_a_flood_from_one_address_is_not_answered_and_others_vote(tmp_path):
    """The clock stands still, so all requests are of one second, however slow the machine is."""

    async def run():
        desk = begin(tmp_path)
        desk.limits = Limits(clock=lambda: 1.0)
        async with served(desk) as found:
            sids = [desk.join("") for _ in range(10)]
            go(desk, "open")
            host, port = urlsplit(found.students).netloc.split(":")
            with ThreadPoolExecutor(THREADS) as pool:
                flood = [asyncio.get_running_loop().run_in_executor(pool, asks, host, int(port)) for _ in range(OF_ADDRESS + MORE)]
                phone = Asker(found.students)
                ballots = [{"sid": sid, "question": 0, "round": 1, "choice": 0} for sid in sids]
                votes = [(await phone.post("vote", ballot)).code for ballot in ballots]
                answers = await asyncio.gather(*flood)
            assert votes == [200] * len(sids)
            refused = answers.count(429)  # those whose connection was open already
            assert answers.count(403) == OF_ADDRESS and 1 <= refused <= THREADS and answers.count(None) == MORE - refused

    asyncio.run(run())


def asks(host, port):
    """Return the status of a wrong request from another address; None if the connection is closed."""
    connection = http.client.HTTPConnection(host, port, source_address=(OTHER, 0))
    try:
        connection.request(
            "POST", "/join", json.dumps({"code": "aaaaaa", "name": ""}), {"Content-Type": "application/json", "Host": "x.example"}
        )
        return connection.getresponse().status
    except (ConnectionError, http.client.HTTPException):
        return None
    finally:
        connection.close()
