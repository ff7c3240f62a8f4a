"""Build the kernels in C into this package: python -m tensorgrad.kernels.compiled"""

import sys

from tensorgrad.kernels.compiled.build import build

try:
    print("Written:", *[path.name for path in build()])
except (RuntimeError, OSError) as wrong:
    sys.exit(f"tensorgrad.kernels.compiled: {wrong}")
