"""The state of a model that a step reads and changes: parameters with their gradients, buffers, and random generators."""

from collections.abc import Mapping

import numpy as np

from scalargrad.messages.errors import wrong_type
from tensorgrad.nn.random import default_generator
from tensorgrad.parallel.mismatch import checksum
from tensorgrad.tensor import Tensor


class State:
    """What belongs to a model: a module, a dictionary {name: tensor}, or a list of tensors. `generators` are further random generators."""

    def __init__(self, model, generators=()):
        self.module = model if hasattr(model, "named_parameters") else None
        self.named = named_tensors(model)
        self.parameters = [p for _, p in self.named if p.keep_grad]
        found = [*generators, *(generators_of(model) if self.module is not None else [])]
        self.generators = list({id(g): g for g in found}.values())

    def facts(self):
        """Return {name: shape, dtype and checksum} of all parameters and buffers."""
        return {name: f"checksum {checksum(a):08x}, {shape}" for (name, a, _), shape in zip(self.arrays(), self.shapes().values())}

    def shapes(self):
        """Return {name: shape and dtype} of all parameters and buffers."""
        return {name: f"{a.dtype} of shape {a.shape}" for name, a, _ in self.arrays()}

    def arrays(self):
        """Return [(name, array, function that sets it)] of all parameters and buffers."""
        found = [(name, p._data, lambda new, p=p: setattr(p, "data", new)) for name, p in self.named]
        return found + [(name, a, lambda new, name=name: self.set_buffers([(name, new)])) for name, a in self.buffers()]

    # Buffers

    def buffers(self):
        """Return [(dotted name, array)] of the buffers that hold numbers."""
        if self.module is None:
            return []
        return [(name, array) for name, array in self.module.named_buffers() if array.dtype.kind in "fiu"]

    def set_buffers(self, arrays):
        """Set the buffers of these names to copies of the arrays."""
        for name, array in arrays:
            path, _, last = name.rpartition(".")
            setattr(self.module.get_submodule(path), last, array.copy())

    # Random numbers

    def draw_keys(self):
        """Draw one number from each generator. Return them, and with them the state from which the next step goes on."""
        return [(g, int(g.integers(1 << 62)), g.bit_generator.state) for g in self.generators]


def start_shard(keys, shard):
    """Give each generator the numbers of this shard: they depend on its key and on the shard alone, not on who computes it."""
    for generator, key, _ in keys:
        bits = generator.bit_generator
        bits.state = type(bits)(np.random.SeedSequence([key, shard])).state


def end_shards(keys):
    """Let each generator go on after its key, as on all other processes."""
    for generator, _, after in keys:
        generator.bit_generator.state = after


def named_tensors(model):
    """Return [(name, tensor)] of a module, of a dictionary or of a list. Raises TypeError for anything else, ValueError for none."""
    if hasattr(model, "named_parameters"):
        return [*model.named_parameters()]
    if isinstance(model, Mapping):
        found = [*model.items()]
    elif isinstance(model, (list, tuple)):
        found = [(p.name if isinstance(p, Tensor) and p.name else f"parameter {i}", p) for i, p in enumerate(model)]
    else:
        raise wrong_type("parallel", "model", model, "a module, a list of tensors, or a dictionary {name: tensor}")
    for name, p in found:
        if not isinstance(p, Tensor):
            raise wrong_type("parallel", name, p, "a Tensor")
    return found


def generators_of(module):
    """Return the random generators of a module's layers. A layer whose `generator` is None draws from the default generator."""
    found = [x for part in module.modules() for n, x in vars(part).items() if n == "generator" or isinstance(x, np.random.Generator)]
    return [default_generator() if x is None else x for x in found]
