"""Modules that hold modules: Sequential calls them one after the other; ModuleList and ModuleDict let forward() choose."""

from collections.abc import Iterable, Mapping, MutableMapping

from scalargrad.messages.errors import brief, wrong_type
from tensorgrad.nn.module import Module
from tensorgrad.nn.parameter import Parameter

__all__ = ["Sequential", "ModuleList", "ModuleDict", "ParameterList"]


class Numbered(Module):
    """What Sequential and ModuleList share: modules under the names 0, 1, 2, …"""

    def _items(self):
        return [self.__dict__[name] for name in self._modules]

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._items())

    def __getitem__(self, index):
        found = self._items()[index]
        return type(self)(*self._of(found)) if isinstance(index, slice) else found

    def __setitem__(self, index, module):
        setattr(self, [*self._modules][index], must_be_module(self, module))

    def __delitem__(self, index):
        kept = self._items()
        del kept[index]
        self._renumber(kept)

    def _renumber(self, modules):
        for name in [*self._modules]:
            delattr(self, name)
        for i, module in enumerate(modules):
            setattr(self, str(i), must_be_module(self, module))

    def append(self, module: Module) -> "Numbered":
        """Add a module at the end. Return this one."""
        setattr(self, str(len(self)), must_be_module(self, module))
        return self

    def extend(self, modules: Iterable[Module]) -> "Numbered":
        """Add modules at the end. Return this one."""
        for module in modules:
            self.append(module)
        return self

    def insert(self, index: int, module: Module) -> None:
        """Put a module before the one at `index`; those behind it get the next numbers."""
        modules = self._items()
        modules.insert(index, module)
        self._renumber(modules)


class Sequential(Numbered):
    """Call modules one after the other: each gets the output of the one before.

    Give it the modules, or a dictionary {name: module}. Raises TypeError for anything else. A slice is a Sequential, too.

    >>> from tensorgrad import nn
    >>> model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1)); model([[1.0, 2.0]]).shape
    (1, 1)
    """

    def __init__(self, *modules, name=None):
        super().__init__(name)
        named = modules[0].items() if len(modules) == 1 and isinstance(modules[0], Mapping) else enumerate(modules)
        for key, module in named:
            setattr(self, str(key), must_be_module(self, module))

    @staticmethod
    def _of(modules):
        return modules

    def forward(self, x):
        own = self.__dict__
        for name in self._modules:
            x = own[name](x)
        return x


class WithoutForward(Module):
    """A list or dictionary of modules that is not called itself: the calls of its modules open its scope, too."""

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        if isinstance(value, Module):
            value._place((*self._scope, name))

    def _place(self, scope):
        super()._place(scope)
        for name, module in self.named_children():
            module._place((*scope, name))

    def forward(self, *args, **options):
        """Raise TypeError: forward() of the module around it says what its modules do."""
        raise TypeError(f"{type(self).__name__}: cannot be called; call its modules in forward(), or make it a Sequential")


class ModuleList(WithoutForward, Numbered):
    """A list of modules, whose parameters are found, unlike those of modules in a Python list.

    >>> from tensorgrad import nn
    >>> layers = nn.ModuleList(nn.Linear(2, 2) for _ in range(3)); len(layers), len([*layers.parameters()])
    (3, 6)
    """

    def __init__(self, modules: Iterable[Module] = ()):
        super().__init__()
        if isinstance(modules, Module) and not isinstance(modules, Numbered):
            raise wrong_type("ModuleList", "modules", modules, "a list of modules; write ModuleList([module])")
        self.extend(modules)

    @staticmethod
    def _of(modules):
        return (modules,)


class ModuleDict(MutableMapping, WithoutForward):
    """A dictionary of modules, whose parameters are found. Its names are text, and it has the methods of a dictionary.

    >>> from tensorgrad import nn
    >>> nn.ModuleDict({"up": nn.Linear(2, 3), "down": nn.Linear(3, 2)})["down"].weight.shape
    (2, 3)
    """

    __eq__, __hash__ = Module.__eq__, Module.__hash__  # a module is equal to itself alone

    def __init__(self, modules: Mapping[str, Module] | None = None):
        super().__init__()
        self.update(modules or {})

    def __setitem__(self, name, module):
        if not isinstance(name, str) or not name:
            raise wrong_type("ModuleDict", "name", name, "non-empty text")
        setattr(self, name, must_be_module(self, module))

    def __getitem__(self, name):
        if name not in self._modules:
            raise KeyError(f"ModuleDict has no module {brief(name)}; it has {', '.join(self._modules) or 'none'}")
        return self.__dict__[name]

    def __delitem__(self, name):
        self[name]
        delattr(self, name)

    def __iter__(self):
        return iter([*self._modules])

    def __len__(self):
        return len(self._modules)

    def keys(self):
        """Return the names."""
        return [*self._modules]

    def values(self):
        """Return the modules."""
        return [*self.children()]

    def items(self):
        """Return (name, module) for each module."""
        return [*self.named_children()]


class ParameterList(WithoutForward):
    """A list of parameters, which are found, unlike those in a Python list. Tensors and arrays become parameters.

    >>> from tensorgrad import nn
    >>> weights = nn.ParameterList([[1.0], [2.0, 3.0]]); [w.shape for w in weights]
    [(1,), (2,)]
    """

    def __init__(self, values=()):
        super().__init__()
        for parameter in values:
            self.append(parameter)

    def append(self, parameter) -> "ParameterList":
        """Add a parameter at the end. Return this list."""
        setattr(self, str(len(self)), parameter if isinstance(parameter, Parameter) else Parameter(parameter))
        return self

    def __getitem__(self, index):
        return [*self][index]

    def __len__(self):
        return len(self._parameters)

    def __iter__(self):
        return iter([self.__dict__[name] for name in self._parameters])


def must_be_module(container, module):
    """Return a module; raise TypeError for anything else."""
    if isinstance(module, Module):
        return module
    kind = type(container).__name__
    if isinstance(module, type) and issubclass(module, Module):
        raise TypeError(f"{kind}: {module.__name__} is a class; make a module of it: {module.__name__}()")
    if isinstance(module, (list, tuple)):
        raise TypeError(f"{kind}: {brief(module)} is a {type(module).__name__}; write {kind}(*modules) for its modules")
    raise TypeError(f"{kind}: {brief(module)} is not a module; wrap a function in a class with forward(self, x)")
