"""What a rule is: a function of arrays with a vjp for each input, which says what that input receives in the backward pass.

How a rule is called is in calling.py; how it passes contributions backward is in vjp.py.
"""

import inspect
import sys
from collections.abc import Callable
from functools import update_wrapper
from pickle import PicklingError
from typing import NamedTuple

from tensorgrad.calling import Calling
from tensorgrad.tensor import Tensor
from tensorgrad.vjp import Passing, Vjp, guarded, vjp_by_names, with_formulas

TABLE: list = []  # all rules of this library, in the order in which they are made
RENAMED: dict = {}  # {(rule, name of a public function): the rule under this name}

# A new rule enters TABLE if its function is from one of these packages. The value of the row `abs` is Python's own abs, from builtins.
LIBRARY = ("tensorgrad", "scalargrad", "builtins")


class Rule(Calling, Passing):
    """A function of arrays y = forward(*inputs, options) with a vjp for each input.

    Its first inputs, as many as there are vjps, are arrays or tensors; the rest are options with defaults. `entries` computes it on
    arrays of scalargrad's Values, if NumPy's own arithmetic on objects would give something else. `fast` is a Fast: kernels for
    plain arrays.
    """

    parameters = None  # of the function whose name the rule bears; None if they are its own
    elsewhere = None  # who computes its derivative, if this is not known here: an Elsewhere

    def __init__(self, forward, *vjps, entries=None, fast=None, name=None):
        update_wrapper(self, forward)
        self.name = self.__name__ = name or forward.__name__
        self.forward, self.entries, self.fast = forward, entries or forward, fast
        parameters = list(self.signature.parameters.values())
        self.arity, self.every = len(vjps), len(parameters)
        self.input_names = [p.name for p in parameters[: self.arity]]
        self.settings = {p.name: p.default for p in parameters[self.arity :]}
        self.option_names, self.defaults = list(self.settings), tuple(self.settings.values())
        self.required = {n for n, default in self.settings.items() if default is inspect.Parameter.empty}  # options that a call must give
        self.may_lack_inputs = any(p.default is None for p in parameters[: self.arity])  # a bias, say
        self.places = {n: i for i, n in enumerate([*self.input_names, "y", *self.option_names])}
        self.vjps = [f if isinstance(f, Vjp) else vjp_by_names(f, self.places) for f in vjps]
        self.__doc__ = with_formulas(self.__doc__, [vjp.formula for vjp in self.vjps])
        if forward.__module__.partition(".")[0] in LIBRARY:
            TABLE.append(self)
        else:  # the table does not keep a user's rule, and its vjps are guarded
            self.vjps = [Vjp(guarded(vjp.function), vjp.sources, vjp.formula) for vjp in self.vjps]

    def formula(self, slot):
        """Return the formula of the vjp of a slot, from its docstring."""
        return self.vjps[slot].formula

    def under(self, name, parameters=None):
        """Return the same rule under the name of a public function, which pictures and errors show.

        With `parameters`, its names of arguments, formulas show only those options of the rule that the function has too.
        """
        if name == self.origin.name:
            return self.origin
        if (self.origin, name) not in RENAMED:
            found = RENAMED[self.origin, name] = object.__new__(type(self))
            found.__dict__.update(self.__dict__, name=name, __name__=name, origin=self.origin, parameters=parameters)
        return RENAMED[self.origin, name]

    @property
    def origin(self):
        """The rule itself, or the one that it is under another name."""
        return self.__dict__.get("origin", self)

    def __get__(self, owner, kind=None):
        """Return the rule itself, in a class too. Because of this method help() treats a rule as a function, and shows its signature."""
        return self

    def __repr__(self):
        return f"<function {self.name}>"

    def __reduce__(self):  # pickle its name, as of any function; if its module lacks that name, find it in the table
        if getattr(sys.modules.get(self.__module__), name := getattr(self, "__qualname__", ""), None) is self:
            return name
        if self.origin is not self:
            return self.origin.under, (self.name, self.parameters)
        if rule_named(self.name) is not self:
            raise PicklingError(f"{self.name} cannot be pickled: its module has no rule of that name; define it at the top of a module")
        return rule_named, (self.name,)


class Fast(NamedTuple):
    """Kernels for plain arrays that share work between the slots; tests check that they agree with the rule and its vjps.

    `forward(slots, *inputs, *options)` gives (y, aux), where aux is what `backward(G, aux, slots)` needs to give one
    contribution for each of `slots`, the inputs that need one. If it `frees`, aux is a list that it empties: the arrays in it that
    nothing else needs are freed before it returns. If it works `in_place`, it may write over G, where nothing else refers to that.
    """

    forward: Callable
    backward: Callable
    frees: bool = False
    in_place: bool = False


def rule_named(name):
    return next((rule for rule in TABLE if rule.name == name), None)


def rule(*vjps, **settings):
    """Make a function of arrays a rule, with one vjp for each of its inputs.

    >>> def twice_vjp(G):
    ...     '''dz/dx = 2 dz/dy'''
    ...     return 2 * G
    >>> @rule(twice_vjp)
    ... def twice(x): return 2 * x
    >>> x = Tensor([1.0, 2.0]); twice(x).sum().backward(); x.grad
    array([2., 2.])
    """

    def made_a_rule(forward):
        if isinstance(forward, Tensor) or not callable(forward):
            raise TypeError("rule: write @rule(vjp, ...) above the function, with one vjp for each of its inputs; not @rule alone")
        return Rule(forward, *vjps, **settings)

    return made_a_rule
