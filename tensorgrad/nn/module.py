"""Module: a part of a network. It finds its parameters, buffers and modules by itself, and its call opens a scope of its name."""

from collections.abc import Iterator
from dataclasses import is_dataclass

import numpy as np

from scalargrad import modes
from scalargrad.messages.errors import wrong_type
from tensorgrad.errors.calls import must_construct
from tensorgrad.nn import state
from tensorgrad.nn.parameter import Parameter, found_as, refuse_all_hidden, refuse_cycle, refuse_hidden
from tensorgrad.nn.printing import located, printed
from tensorgrad.nn.settings import shown
from tensorgrad.tensor import Tensor

__all__ = ["Module"]

TABLES = ("_parameters", "_buffers", "_modules", "_forward_hooks")


class Handle:
    """What registering a hook returns: `remove()` takes the hook away again. As a block, it does so at the end.

    >>> from tensorgrad import nn
    >>> layer, seen = nn.ReLU(), []
    >>> with layer.register_forward_hook(lambda module, args, output: seen.append(output.shape)): y = layer([1.0, 2.0])
    >>> y = layer([3.0]); seen
    [(2,)]
    """

    def __init__(self, hooks, hook, with_kwargs):
        if not callable(hook):
            raise wrong_type("register_forward_hook", "hook", hook, "a function of module, args and output")
        self._hooks = hooks
        hooks[self] = hook, with_kwargs

    def remove(self) -> None:
        """Take the hook away. A second call does nothing."""
        self._hooks.pop(self, None)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.remove()


def hooked(module, args, options, y):
    """Return the output after all hooks of a module, in the order in which they were registered."""
    for hook, with_kwargs in [*module._forward_hooks.values()]:
        found = hook(module, args, options, y) if with_kwargs else hook(module, args, y)
        y = y if found is None else found
    return y


class Module:
    """A part of a network: a subclass has parameters, buffers and other modules as attributes, and a method `forward`.

    A call opens a scope with the name of the attribute, so drawings fold each module by themselves. `name` is the scope of a module
    that stands alone. In `forward`, write any functions of tensors.

    >>> from tensorgrad import nn
    >>> class Line(nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.slope = nn.Parameter([3.0])
    ...     def forward(self, x): return self.slope * x
    >>> line = Line(); line([2.0]), [name for name, p in line.named_parameters()]
    (Tensor([6.]), ['slope'])
    """

    training = True
    _parameters: dict[str, bool]  # the names of the attributes that are parameters
    _buffers: dict[str, bool]  # … that are buffers; whether they are part of the state
    _modules: dict[str, bool]  # … that are modules
    _settings: tuple[str, ...] = ()  # the names of the attributes of a class with @settings
    _scope: tuple[str, ...]  # the scopes that a call opens
    _forward_hooks: dict  # {handle: (function, whether it takes keyword arguments too)}

    def __new__(cls, *args, **options):
        """Make the tables here, so that a subclass may forget super().__init__(). Refuse arguments that a layer does not have."""
        if cls.__module__.startswith("tensorgrad.nn."):
            must_construct(cls, args, options)
        module = object.__new__(cls)
        module.__dict__.update(_parameters={}, _buffers={}, _modules={}, _scope=(), _forward_hooks={})
        return module

    def __init__(self, name: str | None = None):
        if name is not None:
            if not isinstance(name, str) or not name:
                raise wrong_type(type(self).__name__, "name", name, "non-empty text")
            self._scope = (name,)

    def __call__(self, *args, **options):
        forward = self._forward_and_hooks if self._forward_hooks else self.forward
        try:
            y = modes.called_in(self._scope, forward, args, options) if self._scope else forward(*args, **options)
        except Exception as wrong:
            found = located(wrong, self, args)
            if found is wrong:
                raise
            raise found from None
        if y is None:
            raise TypeError(f"{type(self).__name__}.forward returned None; end it with a line that returns the output")
        return y

    def forward(self, *args, **options):
        """Return the output for an input. Each subclass defines it."""
        raise NotImplementedError(f"{type(self).__name__} has no forward(self, x); write one that returns the output for x")

    def _forward_and_hooks(self, *args, **options):
        return hooked(self, args, options, self.forward(*args, **options))

    def register_forward_hook(self, hook, *, with_kwargs: bool = False) -> Handle:
        """Call hook(module, args, output) after each call of this module; what it returns, if not None, takes the place of the output.

        With with_kwargs=True it is hook(module, args, kwargs, output). Return a handle, whose remove() takes the hook away.

        >>> from tensorgrad import nn
        >>> model, features = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1)), {}
        >>> handle = model[1].register_forward_hook(lambda module, args, output: features.update(relu=output))
        >>> y = model([[1.0, 2.0]]); features["relu"].shape
        (1, 3)
        """
        return Handle(self._forward_hooks, hook, with_kwargs)

    # Attributes

    def __setattr__(self, name, value):
        own = self.__dict__
        table = kind_of(own, name, value)
        if table is None:
            refuse_hidden(self, name, value)
        elif name not in table and hasattr(type(self), name):
            raise TypeError(f"{type(self).__name__}.{name} is a method or an attribute of the class; give the attribute another name")
        if table is own["_modules"]:
            refuse_cycle(self, name, value)
            value._place((name,))
        elif table is own["_parameters"] and value.name is None:
            value.name = f"p{name}" if name.isdigit() else name  # 0 would read as a number in formulas
        for other in (own["_parameters"], own["_buffers"], own["_modules"]):
            if other is not table:
                other.pop(name, None)
        object.__setattr__(self, name, value)
        if table is not None:
            table.setdefault(name, True)

    def __copy__(self):
        """Return a module with the same parameters, buffers, modules and hooks, and tables of its own."""
        other = type(self).__new__(type(self))
        own = self.__dict__
        other.__dict__.update(own, **{table: {**own[table]} for table in TABLES})
        return other

    def __delattr__(self, name):
        for table in (self._parameters, self._buffers, self._modules):
            table.pop(name, None)
        object.__delattr__(self, name)

    def register_parameter(self, name: str, parameter: Tensor | None) -> None:
        """Set the attribute `name` to a parameter, or to None. Assigning a Parameter to the attribute does the same."""
        setattr(self, name, parameter)

    def register_buffer(self, name: str, array, persistent: bool = True) -> None:
        """Set the attribute `name` to an array that belongs to the state and is not trained, such as a running mean, or to None.

        `state_dict` has its entry, unless persistent=False.
        """
        if array is not None and not isinstance(array, np.ndarray):
            raise wrong_type("register_buffer", name, array, "a NumPy array; write np.asarray(...)")
        for other in (self._parameters, self._modules):
            other.pop(name, None)
        self._buffers[name] = persistent
        object.__setattr__(self, name, array)

    def add_module(self, name: str, module: "Module") -> None:
        """Set the attribute `name` to a module."""
        if not isinstance(module, Module):
            raise wrong_type("add_module", "module", module, "a Module")
        setattr(self, name, module)

    def _place(self, scope):
        """Remember the names of the scopes that a call opens."""
        self.__dict__["_scope"] = scope

    # Walks

    def named_modules(self, prefix: str = "", remove_duplicate: bool = True) -> Iterator[tuple[str, "Module"]]:
        """Yield (dotted name, module) for this module, whose name is `prefix`, and for all modules in it, each once."""
        waiting, seen = [(prefix, self)], set()
        while waiting:
            path, module = waiting.pop()
            if id(module) not in seen:
                if remove_duplicate:
                    seen.add(id(module))
                yield path, module
                waiting += [(joined(path, n), child) for n, child in reversed([*module.named_children()])]

    def modules(self) -> Iterator["Module"]:
        """Yield this module and all modules in it, each once."""
        return (module for _, module in self.named_modules())

    def named_children(self) -> Iterator[tuple[str, "Module"]]:
        """Yield (name, module) for the modules that are attributes of this one."""
        return ((name, self.__dict__[name]) for name in self._modules)

    def children(self) -> Iterator["Module"]:
        """Yield the modules that are attributes of this one."""
        return (module for _, module in self.named_children())

    def named_parameters(self, prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Tensor]]:
        """Yield (dotted name, parameter) for the parameters of this module and of all modules in it, each once.

        A parameter that two modules share has the name of the first. Messages of optimisers call a parameter so.
        """
        for name, parameter in self._members("_parameters", prefix, recurse):
            found_as(parameter, joined(".".join(self._scope), name))
            yield name, parameter

    def parameters(self, recurse: bool = True) -> Iterator[Tensor]:
        """Yield the parameters of this module and of all modules in it, each once."""
        return (parameter for _, parameter in self.named_parameters(recurse=recurse))

    def named_buffers(self, prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, np.ndarray]]:
        """Yield (dotted name, array) for the buffers of this module and of all modules in it, each once."""
        return self._members("_buffers", prefix, recurse)

    def buffers(self, recurse: bool = True) -> Iterator[np.ndarray]:
        """Yield the buffers of this module and of all modules in it, each once."""
        return (array for _, array in self.named_buffers(recurse=recurse))

    def _members(self, table, prefix, recurse):
        seen = set()
        for path, module in self.named_modules(prefix) if recurse else [(prefix, self)]:
            refuse_all_hidden(module)
            for name in module.__dict__[table]:
                x = module.__dict__[name]
                if x is not None and id(x) not in seen:
                    seen.add(id(x))
                    yield joined(path, name), x

    def get_submodule(self, path: str) -> "Module":
        """Return the module of a dotted name. Raises AttributeError if there is none.

        >>> from tensorgrad import nn
        >>> nn.Sequential(nn.Flatten(), nn.Sequential(nn.ReLU())).get_submodule("1.0")
        ReLU()
        """
        module = self
        for name in path.split(".") if path else ():
            if name not in module._modules:
                raise AttributeError(f"{type(module).__name__} has no module {name!r}; it has {', '.join(module._modules) or 'none'}")
            module = module.__dict__[name]
        return module

    def apply(self, function) -> "Module":
        """Call the function with every module in this one, and then with this one. Return this module."""
        for module in reversed([*self.modules()]):
            function(module)
        return self

    # Modes

    def train(self, mode: bool = True) -> "Module":
        """Set `training` to `mode` here and in all modules in it: dropout and batch norm depend on it. Return this module."""
        for module in self.modules():
            object.__setattr__(module, "training", bool(mode))
        return self

    def eval(self) -> "Module":
        """Set `training` to False: do not drop, and normalise with the running statistics. Return this module."""
        return self.train(False)

    def freeze(self) -> "Module":
        """Make all parameters constants: later graphs save nothing for them, and optimisers leave them alone. Return this module.

        >>> from tensorgrad import nn
        >>> [p.keep_grad for p in nn.Linear(1, 1).freeze().parameters()]
        [False, False]
        """
        return self._keep_grad(False)

    def thaw(self) -> "Module":
        """Make all parameters variables again: the opposite of `freeze`. Return this module."""
        return self._keep_grad(True)

    def _keep_grad(self, keep):
        for parameter in self.parameters():
            parameter.keep_grad = keep
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Set the gradient of every parameter to None, or with set_to_none=False to zeros, as in PyTorch."""
        for parameter in self.parameters():
            if parameter.node is not None and parameter.grad is not None:
                parameter.grad = None if set_to_none else np.zeros_like(parameter.grad)

    def astype(self, dtype) -> "Module":
        """Convert all parameters and all buffers of floats to float32 or float64, in place; drop the gradients. Return this module."""
        state.convert(self, np.dtype(dtype))
        return self

    # State

    def state_dict(self) -> dict[str, np.ndarray]:
        """Return {dotted name: array} for all parameters and buffers. The arrays are copies. A shared parameter has all its names.

        >>> from tensorgrad import nn
        >>> {name: array.shape for name, array in nn.Linear(3, 2).state_dict().items()}
        {'weight': (2, 3), 'bias': (2,)}
        """
        return {name: np.array(array) for name, (array, _) in state.entries(self).items()}

    def load_state_dict(self, entries, strict: bool = True) -> state.Incompatible:
        """Copy the arrays of {dotted name: array} into the parameters and buffers of these names.

        Raises ValueError, which lists every entry that is missing, unexpected, of another shape or of a wrong dtype; then nothing is
        loaded. With strict=False entries may be missing, and unexpected ones are ignored; the result names both.
        """
        return state.load(self, entries, strict)

    def extra_repr(self) -> str:
        """Return what repr() shows of the settings of this module: those of a class made with @settings or @dataclass."""
        return shown(self) if is_dataclass(self) else ""

    def __repr__(self):
        return printed(self)


def joined(path, name):
    """Return the dotted name of an attribute of the module at `path`."""
    return f"{path}.{name}" if path else name


def kind_of(own, name, value):
    """Return the table that registers an attribute; None for an attribute that is not registered."""
    if isinstance(value, Module):
        return own["_modules"]
    if isinstance(value, Parameter):
        return own["_parameters"]
    if name in own["_buffers"] and (value is None or isinstance(value, np.ndarray)):
        return own["_buffers"]
    return None
