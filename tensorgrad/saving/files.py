"""Read and write a file of arrays; the end of its name says which format it has."""

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from scalargrad.messages.errors import wrong_type
from tensorgrad.saving.atomic import replacing
from tensorgrad.saving.npz import METADATA, read_npz, write_npz
from tensorgrad.saving.safetensors import NAMES, read_safetensors, write_safetensors
from tensorgrad.tensor import Tensor

FORMATS = {".safetensors": (read_safetensors, write_safetensors), ".npz": (read_npz, write_npz)}


def read(path):
    """Return the arrays {name: array} and the metadata {text: text} of a file, whose name ends in .safetensors or .npz.

    Raises ValueError if the file is damaged or of another format; memory is taken only after the header was checked.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/weights.npz"; write(path, {"w": np.ones(2)})
    >>> arrays, metadata = read(path); arrays["w"]
    array([1., 1.])
    """
    return of_format("read", path)[0](path)


def write(path, arrays, metadata=None):
    """Write arrays {name: array} and metadata {text: text} to a file, whose name ends in .safetensors or .npz.

    The file is written completely or not at all. Tensors count as their arrays. Raises TypeError for arrays of text or objects.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "weights.safetensors"
    >>> write(path, {"w": np.ones(2)}, {"made by": "an example"}); read(path)
    ({'w': array([1., 1.])}, {'made by': 'an example'})
    """
    writer = of_format("write", path)[1]
    if not isinstance(arrays, Mapping):
        raise wrong_type("write", "arrays", arrays, "a dictionary of names and arrays; write model.state_dict()")
    metadata = dict(metadata or {})
    if not all(isinstance(x, str) for pair in metadata.items() for x in pair):
        raise wrong_type("write", "metadata", metadata, "a dictionary of texts")
    arrays = {name_of(name): array_to_write(name, x) for name, x in arrays.items()}
    with replacing(path) as file:
        writer(file, arrays, metadata)


def of_format(who, path):
    """Return the reader and the writer of the format that the name of a file ends in."""
    if not isinstance(path, str | os.PathLike):
        raise wrong_type(who, "path", path, "the name of a file")
    ending = Path(path).suffix
    if ending in {".pt", ".pth"}:
        advice = "no pickle is written here; let the name end in .safetensors or .npz"
        if who == "read":
            advice = "no pickle is read here; in PyTorch write safetensors.torch.save_file(model.state_dict(), 'a.safetensors')"
        raise ValueError(f"{who}: {os.fspath(path)!r} has the name of a pickle of PyTorch; {advice}")
    if ending not in FORMATS:
        raise ValueError(f"{who}: the name {os.fspath(path)!r} ends in neither .safetensors nor .npz")
    return FORMATS[ending]


def name_of(name):
    if not isinstance(name, str) or not name or name == METADATA or "\0" in name:
        raise wrong_type("write", "the name of an array", name, f"a text other than {METADATA!r}")
    return name


def array_to_write(name, x):
    """Return x as an array of a dtype that both formats have."""
    array = np.asarray(x.data if isinstance(x, Tensor) else x)
    if array.dtype.newbyteorder("<") not in NAMES:
        raise TypeError(f"write: {name} holds {array.dtype}; a file has arrays of {', '.join(str(d) for d in NAMES)}")
    return array
