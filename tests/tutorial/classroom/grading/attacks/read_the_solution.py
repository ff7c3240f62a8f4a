"""Read the solution in the file of the exercise."""
# title: The program raised (PermissionError|FileNotFoundError)
# from: landlock

import sys
from pathlib import Path


def figure1(x1, x2, x3, x4):
    root = Path(sys.modules["__main__"].__file__).resolve().parents[3]
    text = (root / "tutorial" / "exercises" / "catalogue" / "e02_figure1.py").read_text(encoding="utf-8")
    names = {}
    exec(text.partition("# CHECK")[0], names)
    return names["figure1"](x1, x2, x3, x4)
