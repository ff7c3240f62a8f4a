"""Streams of events to pages. A page that reads slowly misses states in between, never the newest one."""

import asyncio
from collections.abc import Callable, Hashable

ELSEWHERE = {"phase": "elsewhere"}  # what the oldest of too many tabs is told last
AT_MOST = 0.1  # seconds between two states that a page is sent


class Stream:
    """The newest state that a page has not been sent yet. After ELSEWHERE, or with None, the stream ends."""

    def __init__(self):
        self.news = asyncio.Event()
        self.state = None

    def offer(self, state):
        self.state = state
        self.news.set()

    async def newest(self, patience):
        """Return the newest state as soon as there is one. Raises TimeoutError after `patience` seconds."""
        await asyncio.wait_for(self.news.wait(), patience)
        self.news.clear()
        return self.state


class Streams:
    """The open streams, {who: streams}, and those who must be told of a change. `state(who)` is what someone sees."""

    def __init__(self, state: Callable[[Hashable], dict], most: int):
        self.state, self.most = state, most
        self.open: dict[Hashable, list[Stream]] = {}
        self.changed: set[Hashable] = set()
        self.wake = asyncio.Event()

    def add(self, who) -> Stream:
        """Return a new stream, which begins with the state of now. Of more than `most` of one student, the oldest is told to end."""
        theirs = self.open.setdefault(who, [])
        if len(theirs) >= self.most:
            theirs.pop(0).offer(ELSEWHERE)
        stream = Stream()
        theirs.append(stream)
        stream.offer(self.state(who))
        return stream

    def remove(self, who, stream):
        theirs = self.open.get(who, [])
        if stream in theirs:
            theirs.remove(stream)
        if not theirs:
            self.open.pop(who, None)

    def end(self, who):
        for stream in self.open.pop(who, []):
            stream.offer(None)

    def tell(self, *whom):
        """Let these, or all, be told of a change."""
        self.changed.update(whom or self.open)
        self.wake.set()

    async def run(self):
        """Tell of changes for ever. What changes within a tenth of a second is told at once."""
        while True:
            await self.wake.wait()
            self.wake.clear()
            changed, self.changed = self.changed, set()
            for who in changed:
                if who in self.open:
                    state = self.state(who)
                    for stream in self.open[who]:
                        stream.offer(state)
            await asyncio.sleep(AT_MOST)
