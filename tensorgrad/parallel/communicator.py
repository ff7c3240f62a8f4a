"""Messages between the processes of a group: what a communicator can do, and the communicator of one process alone.

A message is an array with a mark, a number that says at which step and batch its sender is. The receiver compares it with its own.
"""

from time import monotonic, sleep

from tensorgrad.parallel.mismatch import Mismatch
from tensorgrad.parallel.one_thread import one_thread

BITS = 12  # of a mark are a checksum, which is CLOSES in the last message of a group; the bits above them are the step
CLOSES = (1 << BITS) - 1
STEPS = 1 << 3  # a message carries its step modulo this number: every MPI allows tags of 15 bits, and some no more
SPINS = 20  # so often a waiting process looks without a pause
OTHER = "another batch, other random numbers, other names of metrics, or another call; use the same seed and the same program"
EQUAL = "both need equally many batches"
LONGEST = 2e-4  # seconds between two looks


def mark_of(step, checksum):
    return step << BITS | checksum % CLOSES


def more_of(mark, checksum):
    """Return a mark of the same step that depends on one more checksum."""
    return mark_of(mark >> BITS, mark % (CLOSES + 1) + checksum)


def closing_mark(step):
    """Return the mark of a group that is closed before this step."""
    return step << BITS | CLOSES


def tag_of(mark):
    """Return the part of a mark that travels with a message, at most 32767."""
    return mark % (STEPS << BITS)


class Communicator:
    """What all communicators share: rank, size, and a count of what was sent. Subclasses send, receive and abort."""

    rank, size, timeout = 0, 1, 600.0

    def __init__(self):
        self.messages, self.bytes_sent, self.seconds_waited = 0, 0, 0.0

    def count(self, array):
        self.messages, self.bytes_sent = self.messages + 1, self.bytes_sent + array.nbytes

    def send(self, to, array, mark):
        """Begin to send an array, which must not change until `finish_sends`."""
        raise NotImplementedError

    def receive(self, sender, mark, into=None):
        """Wait for the next message of a sender. Write it into an array, or return its bytes."""
        raise NotImplementedError

    def finish_sends(self):
        """Wait until all that was sent may change."""

    def abort(self, wrong):
        """End all processes because of an exception. A process alone ends by the exception itself."""

    def one_thread(self):
        """Return the block in which matrix products use one thread."""
        return one_thread()

    def wait(self, done, what):
        """Call `done` until it returns something true, and return it. Sleep in between, so that others can use the processor."""
        start, pause, looks = monotonic(), 2e-5, 0
        while not (found := done()):
            looks += 1
            if looks > SPINS:
                sleep(pause)
                pause = min(pause * 1.5, LONGEST)
                if monotonic() - start > self.timeout:
                    raise TimeoutError(f"{self.me()} has waited {self.timeout:g} s for {what}; it may be dead or stuck")
        self.seconds_waited += monotonic() - start
        return found

    def me(self):
        return f"rank {self.rank} of {self.size}"

    def compare(self, sender, tag, mark, nbytes=None, room=None):
        """Raise Mismatch if a message was sent at another step, with another batch, or has another size."""
        if tag == tag_of(mark) and nbytes == room:
            return
        step = mark >> BITS
        ahead = ((tag >> BITS) - step + STEPS // 2) % STEPS - STEPS // 2  # a rank cannot be further away: each step waits for all
        if tag & CLOSES == CLOSES:
            wrong = f"rank {sender} has closed the group before step {step + ahead}, rank {self.rank} is at step {step}; {EQUAL}"
        elif ahead:
            wrong = f"rank {sender} is at step {step + ahead}, rank {self.rank} at step {step}; {EQUAL}"
        elif tag != tag_of(mark):
            wrong = f"rank {sender} does something else than rank {self.rank} at step {step}: it has {OTHER}"
        else:
            wrong = f"rank {sender} has sent {nbytes} bytes to rank {self.rank}, which expected {room}"
        raise Mismatch(wrong)


class Alone(Communicator):
    """One process: it sends nothing."""
