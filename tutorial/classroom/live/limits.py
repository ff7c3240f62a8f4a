"""How much one student, and one address, may ask for. A class behind one router has one address."""

import time
from collections import Counter
from collections.abc import Callable, Iterable

PER_SECOND, BURST = 4, 12  # requests of one student
OF_ADDRESS, OF_PHONE = 600, 10  # requests a second of one address, and more for each phone that is connected from there
MOST_PHONES = 300  # of one address that count for this
REST = 10  # seconds in which an address is not answered that asked for more
WRONG_CODES, NEW_STUDENTS = 10, 600  # of one address in a minute


class Bucket:
    """A student's budget of requests: it holds BURST, and fills by PER_SECOND."""

    def __init__(self, now):
        self.left, self.at = float(BURST), now

    def take(self, now) -> bool:
        self.left, self.at = min(BURST, self.left + (now - self.at) * PER_SECOND), now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Limits:
    """The budgets of all students and addresses. `clock` gives the time in seconds.

    >>> now = [0.0]
    >>> limits = Limits(clock=lambda: now[0])
    >>> [limits.student("a") for _ in range(14)].count(True)
    12
    >>> [limits.wrong_code("10.0.0.9") for _ in range(12)].count(True)
    10
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        self.clock = clock
        self.students: dict[str, Bucket] = {}
        self.phones: Counter = Counter()  # {address: open streams}
        self.homes: dict[str, str] = {}  # {student: address of the phone}
        self.second, self.asked = 0, Counter()  # type: int, Counter
        self.minute, self.wrong, self.new = 0, Counter(), Counter()  # type: int, Counter, Counter
        self.resting: dict[str, float] = {}

    def student(self, sid) -> bool:
        """Return whether a student may ask once more."""
        now = self.clock()
        return self.students.setdefault(sid, Bucket(now)).take(now)

    def address(self, address) -> bool:
        """Return whether an address may ask once more. One that may not is not answered for a while."""
        now = self.clock()
        if int(now) != self.second:
            self.second, self.asked = int(now), Counter()
            self.resting = {address: end for address, end in self.resting.items() if end > now}
        if address in self.resting:
            return False
        self.asked[address] += 1
        if self.asked[address] > OF_ADDRESS + OF_PHONE * min(MOST_PHONES, self.phones[address]):
            self.resting[address] = now + REST
            return False
        return True

    def too_many(self, address, students: Iterable[str]) -> list[str]:
        """Return those of a full class who come from the address with most students, in their order, for one from another address.

        Nobody, if that address has no more than this one would have.

        >>> limits = Limits()
        >>> limits.homes = {"a": "10.0.0.9", "b": "10.0.0.9", "c": "10.0.0.9", "d": "10.0.0.2"}
        >>> limits.too_many("10.0.0.2", "acbd"), limits.too_many("10.0.0.9", "acbd")
        (['a', 'c', 'b'], [])
        """
        held = Counter(self.homes[sid] for sid in students if sid in self.homes)
        home, most = max(held.items(), key=lambda item: item[1], default=("", 0))
        return [sid for sid in students if self.homes.get(sid) == home] if most > held[address] + 1 else []

    def rests(self, address) -> bool:
        """Return whether an address is not answered now."""
        return self.resting.get(address, 0) > self.clock()

    def guessing(self, address) -> bool:
        """Return whether an address has tried too many wrong codes in this minute."""
        self.turn()
        return self.wrong[address] >= WRONG_CODES

    def wrong_code(self, address) -> bool:
        """Count a wrong code, and return whether the address may try again."""
        allowed = not self.guessing(address)
        self.wrong[address] += 1
        return allowed

    def new_student(self, address) -> bool:
        """Count a student who joins, and return whether the address may have more in this minute. Each is a line of the journal."""
        self.turn()
        self.new[address] += 1
        return self.new[address] <= NEW_STUDENTS

    def forget(self, sid):
        self.homes.pop(sid, None)
        self.students.pop(sid, None)

    def turn(self):
        minute = int(self.clock() // 60)
        if minute != self.minute:
            self.minute, self.wrong, self.new = minute, Counter(), Counter()
