"""Checkpoint files: the state of a model, its optimiser, its schedule, its data and its random numbers, in one file.

What is loaded is what was saved, to the bit. A file is written completely or not at all, and loaded completely or not at all.
"""

import json
from collections.abc import Mapping
from hashlib import sha256

import numpy as np

from scalargrad.errors import brief
from tensorgrad.saving.files import read, write
from tensorgrad.saving.trees import flattened, restored

FORMAT = "gradsteps checkpoint file 1"


def save(path, *unnamed, **parts):
    """Save the state of all parts to one file, whose name ends in .safetensors or .npz. It is written completely or not at all.

    A part is an object with state_dict() and load_state_dict(), or a numpy.random.Generator. Raises TypeError for another part.
    A data.DataLoader and a schedule are parts, too: they know the epoch and the step. For numbers of your own, write a class with
    these two methods; its state may have arrays, numbers, texts, lists and dictionaries.

    >>> import tempfile
    >>> rng = np.random.default_rng(0); path = tempfile.mkdtemp() + "/run.safetensors"
    >>> save(path, rng=rng); a = rng.random(); load(path, rng=rng); a == rng.random()
    True
    """
    must_be_named("save", unnamed, parts)
    arrays: dict = {}
    tree = {name: flattened(state_of("save", name, part), name, arrays) for name, part in parts.items()}
    text = json.dumps(tree)
    write(path, arrays, {"format": FORMAT, "state": text, "sha256": digest(text, arrays)})


def load(path, *unnamed, **parts):
    """Load the state of the parts from a file that `save` wrote: of all of them, or, after an error, of none.

    The file may have further parts. Raises ValueError if the file is damaged, has not the parts, or if a part does not fit.

    >>> import tempfile
    >>> from tensorgrad import nn
    >>> path = tempfile.mkdtemp() + "/run.npz"; model, other = nn.Linear(2, 1), nn.Linear(2, 1)
    >>> save(path, model=model); load(path, model=other); bool((other.weight.data == model.weight.data).all())
    True
    """
    must_be_named("load", unnamed, parts)
    before = {name: state_of("load", name, part) for name, part in parts.items()}
    states = read_states(path)
    missing = [name for name in parts if name not in states]
    if missing:
        raise ValueError(f"load: {path} has no part {', '.join(missing)}; its parts are {', '.join(states)}")
    begun = []
    try:
        for name, part in parts.items():
            begun.append(name)
            put(part, states[name])
    except BaseException as error:
        for name in begun:
            put(parts[name], before[name])
        if isinstance(error, Exception):
            raise ValueError(f"load: nothing was loaded from {path}, because the part {begun[-1]} does not fit: {error}") from error
        raise


def must_be_named(who, unnamed, parts):
    """Raise TypeError unless there are parts, and each has its name. PyTorch's order is save(what, path)."""
    if unnamed or not parts:
        wrong = "a part has no name" if unnamed else f"there is nothing to {who}"
        raise TypeError(f"{who}: {wrong}; write {who}(path, model=model, optimiser=optimiser)")


def read_states(path):
    """Return {name of a part: its state} of a checkpoint file."""
    arrays, metadata = read(path)
    if metadata.get("format") != FORMAT:
        what = f"has the format {brief(metadata['format'])}" if "format" in metadata else "has arrays only"
        raise ValueError(f"load: {path} is not a checkpoint file, it {what}; load weights with models.load_weights(model, path)")
    text = metadata.get("state", "")
    if digest(text, arrays) != metadata.get("sha256"):
        raise ValueError(f"load: {path} was changed after it was saved: its checksum does not agree")
    try:
        return {name: restored(x, arrays) for name, x in json.loads(text).items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"load: {path} is damaged ({brief(str(error))})") from None


def digest(text, arrays):
    """Return the checksum of a state: of its text, and of the names, dtypes, shapes and bytes of its arrays."""
    found = sha256(text.encode())
    for name in sorted(arrays):
        found.update(f"\n{name} {arrays[name].dtype.newbyteorder('=')} {arrays[name].shape}\n".encode())
        found.update(np.ascontiguousarray(arrays[name]).reshape(-1).view(np.uint8))
    return found.hexdigest()


def state_of(who, name, part):
    """Return the state of a part."""
    if isinstance(part, np.random.Generator):
        return part.bit_generator.state
    if callable(getattr(part, "state_dict", None)) and callable(getattr(part, "load_state_dict", None)):
        return part.state_dict()
    if isinstance(part, Mapping):
        raise TypeError(
            f"{who}: {name} is a dictionary; give the object that has the state: {who}(path, model=model), not model.state_dict()"
        )
    advice = "a DataLoader and a schedule know the epoch and the step" if isinstance(part, int) else "give such an object"
    wrong = f"{who}: {name}={brief(part)} has no state_dict() and load_state_dict(), and is not a numpy.random.Generator"
    raise TypeError(f"{wrong}; {advice}")


def put(part, state):
    """Give a part its state."""
    if isinstance(part, np.random.Generator):
        part.bit_generator.state = state
    else:
        part.load_state_dict(state)
