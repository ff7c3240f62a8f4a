"""Files of arrays (safetensors, npz), and checkpoint files, from which a run resumes to the same bits. Nothing here uses pickle.

A checkpoint file holds the state of a run. `tensorgrad.checkpoint` is something else: it saves memory by computing twice.
"""

from tensorgrad.saving.checkpoint_file import load, save
from tensorgrad.saving.files import read, write

__all__ = ["save", "load", "read", "write"]
