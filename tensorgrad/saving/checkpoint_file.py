"""Checkpoint files: the state of a model, its optimiser, its schedule, its data, its random numbers, and values, in one file.

What is loaded is what was saved, to the bit. A file is written completely or not at all, and loaded completely or not at all.
"""

import json
from collections.abc import Mapping
from hashlib import sha256

import numpy as np

from scalargrad.messages.errors import brief
from tensorgrad.saving.files import read, write
from tensorgrad.tensor import Tensor, array_of

FORMAT = "gradsteps checkpoint file 1"
OF_PYTORCH = ("map_location", "weights_only", "pickle_module", "mmap")  # options of torch.load
STATE = "__state__"  # the name of the array that holds the text of all states


def save(path, *unnamed, **parts):
    """Save all parts to one file, whose name ends in .safetensors or .npz. It is written completely or not at all.

    A part is an object with state_dict() and load_state_dict(), a numpy.random.Generator, or a value: numbers, texts, arrays, lists
    and dictionaries, such as epoch=3 or losses=[0.5, 0.25]. A data.DataLoader and a schedule are parts, too: they know the epoch and
    the step. Raises TypeError for another part.

    >>> import tempfile
    >>> rng = np.random.default_rng(0); path = tempfile.mkdtemp() + "/run.safetensors"
    >>> save(path, rng=rng, epoch=3); a = rng.random(); load(path, rng=rng)["epoch"], a == rng.random()
    (3, True)
    """
    must_be_named("save", unnamed)
    if not parts:
        raise TypeError("save: there is nothing to save; write save(path, model=model, optimizer=optimizer)")
    arrays: dict = {}
    tree = {name: flattened(state_of("save", name, part) if has_state(part) else part, name, arrays) for name, part in parts.items()}
    if STATE in arrays:
        raise TypeError(f"save: a part cannot have the name {STATE}")
    text = json.dumps(tree).encode()
    arrays[STATE] = np.frombuffer(text, np.uint8)
    write(path, arrays, {"format": FORMAT, "sha256": digest(arrays)})


def load(path, *unnamed, **parts):
    """Load the state of the parts from a file that `save` wrote, and return what else it holds: {name: value}.

    After an error no part has changed. An object gets its state; a value, such as epoch=3 of `save`, is read from the result, and so
    is the state of an object that is not given. Raises ValueError if the file is damaged, has not the parts, or if a part does not fit.

    >>> import tempfile
    >>> from tensorgrad import nn
    >>> path = tempfile.mkdtemp() + "/run.npz"; model, other = nn.Linear(2, 1), nn.Linear(2, 1)
    >>> save(path, model=model, losses=[0.5, 0.25]); load(path, model=other)
    {'losses': [0.5, 0.25]}
    >>> bool((other.weight.data == model.weight.data).all())
    True
    """
    must_be_named("load", unnamed)
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
    return {name: state for name, state in states.items() if name not in parts}


def must_be_named(who, unnamed):
    """Raise TypeError if a part has no name. PyTorch's order is save(what, path)."""
    if unnamed:
        raise TypeError(f"{who}: a part has no name; write {who}(path, model=model, optimizer=optimizer)")


def read_states(path):
    """Return {name of a part: its state} of a checkpoint file."""
    arrays, metadata = read(path)
    if metadata.get("format") != FORMAT:
        what = f"has the format {brief(metadata['format'])}" if "format" in metadata else "has arrays only"
        raise ValueError(f"load: {path} is not a checkpoint file, it {what}; load weights with models.load_weights(model, path)")
    if digest(arrays) != metadata.get("sha256"):
        raise ValueError(f"load: {path} was changed after it was saved: its checksum does not agree")
    try:
        return {name: restored(x, arrays) for name, x in json.loads(arrays[STATE].tobytes()).items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"load: {path} is damaged ({brief(str(error))})") from None


def digest(arrays):
    """Return the checksum of the names, dtypes, shapes and bytes of arrays."""
    found = sha256()
    for name in sorted(arrays):
        found.update(f"\n{name} {arrays[name].dtype.newbyteorder('=')} {arrays[name].shape}\n".encode())
        found.update(np.ascontiguousarray(arrays[name]).reshape(-1).view(np.uint8))
    return found.hexdigest()


def has_state(part):
    """Return whether a part is an object that gives its state and takes one."""
    methods = [getattr(part, name, None) for name in ("state_dict", "load_state_dict")]
    return isinstance(part, np.random.Generator) or (all(map(callable, methods)) and not isinstance(part, type))


def state_of(who, name, part):
    """Return the state of a part. Raises TypeError for a value."""
    if who == "load" and name in OF_PYTORCH:
        raise TypeError(
            f"load: {name}={brief(part)} is an option of PyTorch; leave it out: no pickle is read here, and there is one device"
        )
    if not has_state(part):
        wrong = f"{who}: {name}={brief(part)} has no state_dict() and load_state_dict(), and is not a numpy.random.Generator"
        raise TypeError(f"{wrong}; a value is in the result: load(path)[{name!r}]")
    return part.bit_generator.state if isinstance(part, np.random.Generator) else part.state_dict()


def put(part, state):
    if isinstance(part, np.random.Generator):
        part.bit_generator.state = state
    else:
        part.load_state_dict(state)


PLAIN = (bool, int, float, str, type(None))


def flattened(x, path, arrays):
    """Return x as JSON has it. Put its arrays into the table `arrays`, under names that begin with `path`.

    >>> arrays = {}; flattened({"step": 1, 0: (np.ones(2),)}, "adam", arrays), arrays
    ({'dict': [['step', 1], [0, {'tuple': [{'array': 'adam.0.0'}]}]]}, {'adam.0.0': array([1., 1.])})
    """
    if type(x) in PLAIN:
        return x
    if isinstance(x, np.generic):
        return flattened(x.item(), path, arrays)
    if isinstance(x, np.ndarray | Tensor):
        arrays[path] = np.asarray(array_of(x))
        return {"array": path}
    if isinstance(x, Mapping):
        bad = [key for key in x if type(key) not in (str, int)]
        if bad:
            raise TypeError(f"save: {path} has the key {brief(bad[0])}; keys are texts or integers")
        return {"dict": [[key, flattened(value, f"{path}.{key}", arrays)] for key, value in x.items()]}
    if isinstance(x, list | tuple):
        inner = list(x) if all(type(y) in PLAIN for y in x) else [flattened(y, f"{path}.{i}", arrays) for i, y in enumerate(x)]
        return {"tuple" if isinstance(x, tuple) else "list": inner}
    what = f"{path} is the class {x.__name__}" if isinstance(x, type) else f"{path} is {brief(x)} ({type(x).__name__})"
    raise TypeError(f"save: {what}; give an object with state_dict() and load_state_dict(), or arrays, numbers, texts, lists, dictionaries")


def restored(x, arrays):
    """Return what `flattened` was given. Raises ValueError or KeyError if the text or the table is damaged.

    >>> restored({"dict": [[0, {"tuple": [{"array": "a"}, 2.5]}]]}, {"a": np.ones(2)})
    {0: (array([1., 1.]), 2.5)}
    """
    if type(x) in PLAIN:
        return x
    ((kind, inner),) = x.items()
    if kind == "array":
        return arrays[inner]
    if kind == "dict":
        return {key: restored(value, arrays) for key, value in inner}
    if kind in ("list", "tuple"):
        found = [restored(y, arrays) for y in inner]
        return tuple(found) if kind == "tuple" else found
    raise ValueError(f"unknown entry {brief(kind)}")
