"""The recorder: PyTorch calls it with each function that the program calls. It calls that one, and beside it the same function of ours.

The program sees only what PyTorch's function returns. A value of ours that differs from PyTorch's is not used: that call is then one
box of PyTorch's, as is a call of a function that has no counterpart, or none for its arguments.
"""

import inspect
from dataclasses import dataclass, field
from functools import cache, cached_property
from threading import get_ident
from weakref import WeakMethod

import numpy as np
import torch
from torch.nn.parameter import is_lazy
from torch.overrides import TorchFunctionMode

from scalargrad import callers, modes
from scalargrad.user_names import made_at
from tensorgrad.beside import call as beside
from tensorgrad.beside.call import OURS, YOURS, is_ours
from tensorgrad.beside_torch.calls.arrays import HALF, array, beside_terms, differentiable, has_numbers, how_far, positions, version_of
from tensorgrad.beside_torch.calls.opened import opened
from tensorgrad.beside_torch.calls.torch_call import PYTORCH, UNSEEN, TorchCall, as_written, tensors_in
from tensorgrad.beside_torch.counterparts.table import KINDS, Theirs, counterpart, in_our_names
from tensorgrad.beside_torch.custom.own_call import Run
from tensorgrad.beside_torch.custom.own_functions import OwnRemarks, rule_of_own
from tensorgrad.beside_torch.flow import GRAD, Flow, MadeInside, among, line_of
from tensorgrad.beside_torch.mistakes.reshapes import RESHAPES
from tensorgrad.beside_torch.mistakes.seldom_meant import SeldomMeant
from tensorgrad.beside_torch.modules import Modules
from tensorgrad.beside_torch.unrecorded_writes import SHARES
from tensorgrad.beside_torch.variables import Variables, gathered
from tensorgrad.inspection.forward_values import rounded
from tensorgrad.rules.dtypes import astype

THEIRS, OWN = PYTORCH.by, YOURS.by
TOLERANCE = {torch.float64: 1e-7, torch.float32: 2e-3, torch.float16: 5e-2, torch.bfloat16: 1e-1}  # relative to the largest entry

WRITES = {
    "__setitem__",
    *[f"__i{name}__" for name in ["add", "and", "floordiv", "lshift", "mod", "mul", "or", "pow", "rshift", "sub", "truediv", "xor"]],
}


@dataclass
class Call(beside.Call):
    """One call of the program that takes part in the graph: the function, where it was called, and what stands for its results.

    `written` is how the program writes the function, F.gelu or x.view; it is "" for a call in a module of PyTorch's. `dtype` is PyTorch's
    of the first result. `own` is the run of a custom torch.autograd.Function, `step` the number of the call's step in the flow,
    `module` the one that runs, `turn` how often it was called up to then.
    """

    number: int = 0
    scope: tuple = ()
    results: list = field(default_factory=list)
    written: str = ""
    is_method: bool = False
    dtype: str = ""
    own: Run | None = None
    step: int = -1
    module: torch.nn.Module | None = None
    turn: int = 0

    @property
    def title(self):
        """The function as the program writes it."""
        return self.written or self.name

    @property
    def called(self):
        """The function as a formula writes it: F.softmax, .view for a method of the first argument; "" if the program does not write it."""
        return f".{self.name}" if self.is_method and self.written else self.written

    def __str__(self):
        return f"call {self.number}, {self.title} at {self.place}"


class Given:
    """Our side of what a call is given: `values`, its arguments with variables in the place of tensors, and `wholes`, see `stand_for`.

    `known` has the variable or constant for each tensor, {id: it}. `torch_call` can run the call again.
    """

    def __init__(self, known, wholes, func, args, kwargs, dice):
        self.wholes, self.values = wholes, values_of((args, kwargs), known)
        self.depends = any(getattr(v, "node", None) for v in known.values())
        self.call = func, args, kwargs, dice, known

    @classmethod
    def before_write(cls, variables, given, func, args, kwargs, dice):
        """Look at what a function that writes is given, and keep its numbers as they are now."""
        found = cls(variables.before_write(given, written_to(args, kwargs)), variables.wholes(given), func, args, kwargs, dice)
        found.torch_call = TorchCall(*found.call)
        return found

    @cached_property
    def torch_call(self):
        return TorchCall(*self.call)


class Recorder(TorchFunctionMode):
    """Records the calls of one run. `observers` are called as observer(call, given, results) after each call that is recorded."""

    def __init__(self):
        super().__init__()
        self.variables, self.flow = Variables(WeakMethod(self.unseen)), Flow()
        self.modules = Modules(self.flow)
        self.made_inside, self.seldom_meant = MadeInside(self.flow), SeldomMeant()
        self.thread = get_ident()
        self.calls: list = []
        self.frozen: dict = {}  # {parameter that needs no gradient: the first call that was given it}
        self.observers: list = [self.seldom_meant.see, OwnRemarks().see]

    @property
    def is_here(self):
        """Whether the thread that is recorded is the one that runs. Hooks and custom functions of other threads come here too."""
        return get_ident() == self.thread

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        given = tensors_in((args, kwargs))
        if self.outside() or any([is_lazy(t) for t in given]):
            return func(*args, **kwargs)
        if func in SHARES:
            self.variables.silent.watch(args[0])
        if not torch.is_grad_enabled() or not any([t.requires_grad for t in given]) or not all([has_numbers(t) for t in given]):
            y = func(*args, **kwargs)
            self.made_inside.note(given, y)
            if given:
                self.flow.step(written_name(func), given, y)
                if func.__name__ in RESHAPES:
                    self.seldom_meant.see(self.call_here(func.__name__), given, tensors_in(y))
            return y
        if func is torch.Tensor.register_hook:
            y = func(*args, **kwargs)
            self.variables.take_hooks(args[0])
            return y
        ours = counterpart(func)
        if ours is None and (inner := opened(func)) is not None:
            with self:
                return inner(*args, **kwargs)
        return self.recorded(func, ours, args, kwargs, given)

    def recorded(self, func, ours, args, kwargs, given):
        """Call the program's function, and its counterpart `ours` beside it. Return what the program's function returns.

        PyTorch's call comes first: its errors are the program's, and looking at some views changes what PyTorch does to them. Only
        for a function that writes, what it writes to is looked at before.
        """
        for t in given:
            if isinstance(t, torch.nn.Parameter):
                self.modules.know(t)
        writes, dice = may_write(func, args, kwargs), torch.random.get_rng_state()
        versions = [version_of(t) for t in given]
        before = Given.before_write(self.variables, given, func, args, kwargs, dice) if writes else None
        y = func(*args, **kwargs)
        self.flow.step(GRAD if func is torch.autograd.grad else written_name(func), given, y)
        written = [t for t, version in zip(given, versions) if version_of(t) != version and (writes or may_pass(t))]  # no buffers
        made = tensors_in(written_to(args, kwargs) if y is None and written else y)
        results = [t for t in made if (may_pass(t) if among(t, written) else differentiable(t) and not t.is_leaf and not among(t, given))]
        if not results or (written and not writes) or not all([has_numbers(t) for t in results]):
            return y
        before = before or Given({id(t): self.variables[t] for t in given}, {}, func, args, kwargs, dice)
        if before.depends:
            call = self.call_at(written_name(func))
            call.is_method = getattr(torch.Tensor, func.__name__, None) is func
            able = [t for t in made if t.requires_grad]
            places = [i for i, t in enumerate(able) if among(t, results)]
            found = self.found_for(call, ours, before, Theirs(func, args, kwargs, y, dice), able, places, bool(written))
            for t, v in zip(results, found):
                self.variables.stand_for(t, v, before.wholes if among(t, written) else {})
                if among(t, written):
                    self.variables.writers[t.untyped_storage().data_ptr()] = call
            self.told(call, found, given, results)
            if written and len(call.results) == 1 and isinstance(before.values[0][:1], tuple):
                self.seldom_meant.wrote(call, written[0], getattr(before.values[0][0], "_data", None), found[0]._data)
        return y

    def found_for(self, call, ours, before, theirs, able, places, writes):
        """Return our variables for the results of a call: by a rule of ours, as a view, or as boxes of PyTorch's.

        `able` are the tensors that require a gradient among what PyTorch's function returns, and the results stand at `places` of these.
        """
        found = ours and self.by_our_rules(call, ours, *before.values, able, places, theirs)
        if not found and theirs.function is torch.autograd.grad:
            call.by = THEIRS
            return [self.variables.functions.unseen(able[i], array(able[i]), self.variables) for i in places]
        if not found and not writes:
            found = self.as_view(call, theirs.args, [able[i] for i in places])
        if not found:
            theirs, results = before.torch_call, {i: array(able[i]) for i in places}
            found = modes.called_in(call.scope, PYTORCH.boxes, (call, theirs.inputs, results, theirs.at, theirs.vjp), {})
        return found

    @staticmethod
    def outside():
        """Return whether the program is inside a transform of torch.func, where tensors hold no numbers of their own."""
        return torch._C._functorch.peek_interpreter_stack() is not None

    def unseen(self, t, variable):
        """Record what was computed where no recorder was asked, at the line that uses it."""
        call = self.call_at(variable.node.rule.name)
        call.by, call.why = THEIRS, UNSEEN
        self.told(call, [variable], [], [t])

    def own_function(self, run, inputs, wholes):
        """Record a run of a custom torch.autograd.Function, which was given the variables `inputs`."""
        call = self.call_at(run.call.function.__name__)
        call.by, call.own = OWN, run
        found = [modes.called_in(call.scope, rule_of_own(run, place), inputs, {}) for place in range(len(run.results))]
        for t, v in zip(run.results, found):
            self.variables.stand_for(t, v, wholes)
        self.told(call, found, tensors_in(run.given), run.results)

    def call_here(self, name):
        """Return a new Call of a function, at the line of the program that runs."""
        frame = next(callers.callers(), None)
        within = {"scope": self.modules.scope, "module": self.modules.now, "turn": self.modules.turns[self.modules.now]}
        return Call(name, *line_of(frame), number=len(self.calls) + 1, written=as_written(frame, name), **within)

    def call_at(self, name):
        """Return a new Call that is a part of the graph."""
        self.calls.append(call := self.call_here(name))
        return call

    def told(self, call, found, given, results):
        call.results, call.dtype = [v for v in found if v.node is not None], str(results[0].dtype).removeprefix("torch.")
        call.step = self.flow.last_step(results)
        self.frozen |= {t: call for t in given if isinstance(t, torch.nn.Parameter) and not t.requires_grad and t not in self.frozen}
        for v in call.results:
            made_at.note(v, call.file, call.line)
        for observer in self.observers:
            observer(call, given, results)

    def by_our_rules(self, call, ours, args, options, able, places, theirs):
        """Return the variables that our counterpart makes, one for each result; None if it cannot: `call.why` says why.

        The results stand at `places` of what PyTorch's function returns; the others are tensors that it was given.
        """
        results, terms, inexact = [able[i] for i in places], tensors_in(theirs.args), []

        def made_by_ours():
            named = in_our_names(theirs.function, ours, options)
            y = modes.called_in(call.scope, ours, args, named | {"theirs": theirs} if getattr(ours, "takes_theirs", False) else named)
            found = [v for v in (y if isinstance(y, tuple | list) else (y,)) if is_ours(v)]
            found = [found[i] for i in places] if len(found) == len(able) else found
            kinds = [KINDS.get(t.dtype) for t in results] if len(found) == len(results) else [None] * len(found)
            return [modes.called_in(call.scope, of_dtype, given, {}) for given in zip(found, kinds)]

        def difference(v, t):
            allowed = max([TOLERANCE.get(x.dtype, 0) for x in (t, *terms)])
            far = how_far(v._data, t, allowed)
            if far <= allowed:
                return far, allowed
            inexact.append(v)
            return beside_terms(far, t, terms), allowed

        found, made = PYTORCH.by_our_rule(call, made_by_ours, results, difference)
        for t, v in zip(results, found or ()):
            if t.dtype in HALF or among(v, inexact):  # what follows starts at PyTorch's rounded numbers
                ours, v._data = v._data, array(t)
                rounded[v.node] = float(np.abs(ours - v._data).max(initial=0, where=np.isfinite(ours)))
        name_after(call, [t.node for t in made], [v.node for v in found or ()])
        return found

    def as_view(self, call, args, results):
        """Return the only result of a call, if it is a view of the first argument, as entries of that one; else None."""
        x, found = args[0] if args else None, None
        if len(results) == 1 and isinstance(x, torch.Tensor) and results[0]._base is not None and among(results[0]._base, [x, x._base]):
            if (places := positions(results[0], x)) is None:
                call.by = THEIRS  # some entries are outside of x, and PyTorch passes no gradient to these
                return [self.variables.functions.unseen(results[0], array(results[0]), self.variables)]
            found = [modes.called_in(call.scope, gathered, (self.variables[x], places, call.name), {})]
            call.by, call.why = OURS, ""
        return found


def values_of(x, known):
    """Return an argument of the program with a variable of ours, a constant or an array in the place of each tensor."""
    if isinstance(x, torch.Tensor):
        return known[id(x)]
    if isinstance(x, torch.Size):
        return tuple(x)
    if isinstance(x, list | tuple):
        return type(x)([values_of(item, known) for item in x]) if type(x) in (list, tuple) else x
    if isinstance(x, dict):
        return {key: values_of(item, known) for key, item in x.items()}
    return x


def of_dtype(v, dtype):
    return v if dtype in (None, v.dtype) else astype(v, dtype)


def may_pass(t):
    """Return whether a gradient may pass through what was written to a tensor. It does not through what fills a leaf under no_grad."""
    return t.requires_grad and (t._base is not None or t.grad_fn is not None)


def written_name(func):
    """Return the name of a function of PyTorch as a program writes it: T for the attribute, getitem for x[i]."""
    name = func.__name__
    if name in ("__get__", "__set__"):
        name = func.__self__.__name__
    return name.strip("_") if name.startswith("__") else name


def name_after(call, nodes, results):
    """Let the nodes of results bear the name of the call; let all be in a scope of this name if there are others, in between."""
    inside = len(nodes) > len(results)
    for v in nodes:
        if inside:
            v.scope = (*call.scope, call.name, *v.scope[len(call.scope) :])
        elif any(v is y for y in results):
            v.rule = v.rule.under(call.name)
            made_at.note_written(v, call.called)


def may_write(func, args, kwargs):
    """Return whether a call may write to what it is given: add_, +=, x[i] = v, out=, inplace=True."""
    name = func.__name__
    if name in WRITES or (name.endswith("_") and not name.endswith("__")) or kwargs.get("out") is not None:
        return True
    place = place_of_inplace(func)
    return place is not None and bool(kwargs.get("inplace", args[place] if len(args) > place else False))


def written_to(args, kwargs):
    """Return what a call that writes writes to: out=, or its first argument."""
    first = args[0] if args else next(iter(kwargs.values()), None)
    return first if kwargs.get("out") is None else kwargs["out"]


@cache
def place_of_inplace(func):
    """Return the place of the parameter `inplace` of a function; None if it has none."""
    try:
        names = list(inspect.signature(func).parameters)
    except (TypeError, ValueError):
        return None
    return names.index("inplace") if "inplace" in names else None
