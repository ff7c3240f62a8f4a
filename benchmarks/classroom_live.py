"""A class in real time with 300 phones on this machine: how late votes, questions and steps arrive, memory, and what kill -9 loses.

python -m benchmarks.classroom_live [PHONES]

The server is `teach live 3`, a process of its own. The phones are connections of this process, so both share the processor.
"""

import asyncio
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import create_server

HERE = "127.0.0.1"
PHONES, VOTING, STEPS, EACH_SECOND = 300, 5.0, 12, 4  # seconds in which all vote; steps of the teacher, and how many a second
KILLS, VOTES = 20, 100
PORTS = range(20_000, 30_000, 2)
AT_ONCE = 20  # requests while phones join
TOKEN = "#"


class Server:
    """A `teach live` that runs, with its code and its token."""

    def __init__(self, lesson, journal, port, *more):
        words = ["-m", "tutorial", "teach", "live", str(lesson), *more, "--host", HERE, "--port", str(port)]
        words += [] if "--resume" in more else ["--journal", str(journal)]
        self.port = port
        self.process = subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True)
        lines = iter(self.process.stdout.readline, "")
        self.code = next(line for line in lines if line.startswith("Students:")).split()[-1]
        self.token = next(lines).split()[1].partition(TOKEN)[2]

    def memory(self):
        """Return the MB that the process holds, where the system says so."""
        with suppress(OSError):
            for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
                if line.startswith("VmRSS"):
                    return int(line.split()[1]) / 1024
        return float("nan")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.end()

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.process.wait()
        self.process.stdout.close()

    async def post(self, path, body, port=None, **headers):
        """Return the status and the answer of a request."""
        reader, writer = await asyncio.open_connection(HERE, port or self.port)
        try:
            data = json.dumps(body).encode()
            lines = [f"POST /{path} HTTP/1.1", f"Host: {HERE}:{port or self.port}", "Content-Type: application/json", "Connection: close"]
            lines += [f"Content-Length: {len(data)}", *(f"{name}: {value}" for name, value in headers.items())]
            writer.write("\r\n".join([*lines, "", ""]).encode() + data)
            head, _, found = (await reader.read()).partition(b"\r\n\r\n")
            return int(head.split()[1]), json.loads(found or b"{}")
        finally:
            writer.close()

    async def lead(self, **body):
        return await self.post("lead", body, self.port + 1, **{"X-Token": self.token})

    async def states(self, path, port):
        """Yield the states of a stream, each with the time at which it came."""
        reader, writer = await asyncio.open_connection(HERE, port)
        try:
            writer.write(f"GET /{path} HTTP/1.1\r\nHost: {HERE}:{port}\r\n\r\n".encode())
            while line := await reader.readline():
                if line.startswith(b"data: "):
                    yield time.perf_counter(), json.loads(line[6:])
        finally:
            writer.close()


@contextmanager
def free_port():
    """A port that is free, as its successor is: not one of those that systems give to connections, which a killed server could lose."""
    for port in random.sample(PORTS, len(PORTS)):
        with suppress(OSError):
            for one in (port, port + 1):
                create_server((HERE, one)).close()
            break
    yield port


async def joined(server, phones):
    """Let phones join, and return their ids."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def join():
        async with gate:
            status, found = await server.post("join", {"code": server.code, "name": ""})
            assert status == 200, status
            return found["sid"]

    return await asyncio.gather(*(join() for _ in range(phones)))


async def measured(server, phones):
    """Return {what: seconds of each}, of votes, a question, and steps."""
    sids, seen, totals = await joined(server, phones), {}, []

    async def listen(sid):
        async for at, state in server.states(f"state?sid={sid}", server.port):
            seen.setdefault((state["phase"], state.get("step", "")), {}).setdefault(sid, at)

    async def watch():
        async for at, state in server.states(f"state?token={server.token}", server.port + 1):
            totals.append((at, sum(state["counts"][0]) if "counts" in state else 0, state["online"]))

    tasks = [asyncio.create_task(listen(sid)) for sid in sids] + [asyncio.create_task(watch())]
    while len(seen.get(("join", ""), {})) < phones:
        await asyncio.sleep(0.05)
    asked = time.perf_counter()
    await server.lead(do="phase", phase="open", question=1)
    while len(seen.get(("open", ""), {})) < phones:
        await asyncio.sleep(0.01)
    sent = []

    async def vote(sid, after):
        await asyncio.sleep(after)
        sent.append(time.perf_counter())
        status, _ = await server.post("vote", {"sid": sid, "question": 1, "round": 1, "choice": random.randrange(4)})
        assert status == 200, status

    await asyncio.gather(*(vote(sid, random.uniform(0, VOTING)) for sid in sids))
    while totals[-1][1] < phones:
        await asyncio.sleep(0.01)
    shown = [next(at for at, total, _ in totals if total > k) for k in range(phones)]
    await server.lead(do="phase", phase="follow")
    stepped = {}
    for k in range(2, 2 + STEPS):
        stepped[f"#step={k}"] = time.perf_counter()
        await server.lead(do="step", page=0, step=f"#step={k}")
        await asyncio.sleep(1 / EACH_SECOND)
    await asyncio.sleep(1)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return {
        "vote to histogram": [at - start for at, start in zip(shown, sorted(sent))],
        "question to phones": [at - asked for at in seen["open", ""].values()],
        "step to phones": [at - stepped[step] for (phase, step), times in seen.items() if step in stepped for at in times.values()],
    }


async def acknowledged_before_a_kill(server, sids, choice):
    """Vote, kill the server while votes come, and return {sid: choice} of those that were acknowledged."""
    done: dict = {}

    async def vote(sid):
        with suppress(OSError, ValueError, IndexError):
            status, _ = await server.post("vote", {"sid": sid, "question": 1, "round": 1, "choice": choice})
            if status == 200:
                done[sid] = choice
        if len(done) == len(sids) // 2:
            server.process.send_signal(signal.SIGKILL)

    await asyncio.gather(*(vote(sid) for sid in sids))
    return done


def lost_by_kills(kills, votes, lesson, folder):
    """Return how many acknowledged votes are not in the journal after so many times kill -9, and how many there were."""
    from tutorial.classroom.live.journal import read

    journal, lost, count = Path(folder, "killed.jsonl"), 0, 0
    with free_port() as port:
        server = Server(lesson, journal, port)
        try:
            sids = asyncio.run(joined(server, votes))
            asyncio.run(server.lead(do="phase", phase="open", question=1))
            for k in range(kills):
                done = asyncio.run(acknowledged_before_a_kill(server, sids, k % 3))
                server.end()
                kept = {event["sid"]: event["choice"] for event in read(journal) if event.get("do") == "vote"}
                lost += sum(kept.get(sid) != choice for sid, choice in done.items())
                count += len(done)
                server = Server(journal, journal, port, "--resume")
        finally:
            server.kill()
    return lost, count


def percentiles(seconds):
    ordered = sorted(seconds)
    p50, p99 = (1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.99))
    return f"median {p50:5.0f} ms, 99 % within {p99:5.0f} ms, of {len(ordered):,}"


def main():
    phones = int(sys.argv[1]) if len(sys.argv) > 1 else PHONES
    from tutorial.classroom.live.serve import many_files

    many_files()
    with tempfile.TemporaryDirectory() as folder, free_port() as port:
        server = Server(3, Path(folder, "class.jsonl"), port)
        try:
            for what, seconds in asyncio.run(measured(server, phones)).items():
                print(f"{what:20} {percentiles(seconds)}")
            print(f"{'memory':20} {server.memory():.0f} MB with {phones} phones")
        finally:
            server.end()
        lost, count = lost_by_kills(KILLS, VOTES, 3, folder)
        print(f"{'kill -9':20} {lost} of {count:,} acknowledged votes lost in {KILLS} runs")


if __name__ == "__main__":
    main()
