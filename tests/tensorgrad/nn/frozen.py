"""The numbers of every case, as PyTorch gave them: `python -m tests.tensorgrad.nn.frozen` writes them anew. It needs torch.

Each array is kept as one number, its weighted sum, so that the file stays small and a machine without PyTorch can compare.
"""

import json
from pathlib import Path

import numpy as np

from tests.tensorgrad.nn.case import pattern
from tests.tensorgrad.nn.cases import CASES

FILE = Path(__file__).with_name("frozen.json")


def summary(arrays):
    """Return {name: weighted sum} of arrays."""
    return {name: float((np.asarray(a, float) * (2 + pattern(np.shape(a), 5))).sum()) for name, a in arrays.items() if a is not None}


def frozen():
    """Return {case: {name: number}} from the file."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def write():
    from tests.tensorgrad.nn.theirs import run

    numbers = {repr(case): summary(run(case)) for case in CASES}
    FILE.write_text(json.dumps(numbers, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{FILE.name}: {len(numbers)} cases")


if __name__ == "__main__":
    write()
