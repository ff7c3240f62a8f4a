"""Other right answers."""


class mode:
    recording = True
    leaves = []


class no_grad:
    def __enter__(self):
        self.before = mode.recording
        mode.recording = False

    def __exit__(self, *error):
        mode.recording = self.before
        return False


# ---

from contextlib import contextmanager


class mode:
    recording = True
    leaves = []


@contextmanager
def no_grad():
    before, mode.recording = mode.recording, False
    try:
        yield
    except BaseException:
        mode.recording = before
        raise
    mode.recording = before
