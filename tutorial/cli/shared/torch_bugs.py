"""Four programs of PyTorch's users with a bug each: files that a reader gets, and finds the bug in."""

from importlib import resources
from pathlib import Path

from tutorial.cli.shared.parser import Mistake

BUGS = ("autoencoder.py", "training.py", "gate.py", "swish.py")


def source_of(name):
    """Return the text of one of the programs."""
    return resources.files("tutorial").joinpath("exercises", "torch_bugs", name).read_text(encoding="utf-8")


def write_bugs(folder):
    """Write the programs into a folder. Return a line for each: its path, and whether a file that was there is kept as it is."""
    from viz.whole_files import write_file

    found = []
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for path in (Path(folder, name) for name in BUGS):
            kept = path.exists() and path.read_text(encoding="utf-8", errors="replace") != source_of(path.name)
            found.append(f"{path} (kept: it differs from the program that belongs here)" if kept else str(path))
            if not path.exists():
                write_file(path, source_of(path.name))
    except OSError as wrong:
        raise Mistake(f"{folder} cannot be written: {wrong.strerror}") from None
    return found


def drawing_of(name):
    """Return the recorded drawing of one of the programs as SVG. Tests marked `torch` compare it with what is drawn now."""
    return resources.files("tutorial").joinpath("exercises", "torch_bugs", f"{name}.svg").read_text(encoding="utf-8")
