"""The progress of downloads: in a terminal a bar for each file, in a pipe one line for each."""

from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def downloading(console=None):
    """Give a function (name, bytes so far, all bytes) that shows how far a download is. Nothing appears before its first call."""
    console = console or Console(highlight=False)
    progress = Progress(TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn(), console=console)
    files = {}

    def show(name, done, size):
        if name not in files:
            files[name] = progress.add_task(name, total=size)
            if console.is_terminal:
                progress.start()
            else:
                console.print(f"Downloading {name}: {size / 1e6:.1f} MB")
        progress.update(files[name], completed=done)

    try:
        yield show
    finally:
        if progress.live.is_started:
            progress.stop()
