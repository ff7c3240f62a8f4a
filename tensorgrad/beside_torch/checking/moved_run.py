"""Run a recorded program again at other numbers of its leaves, for finite differences: in float64, and without a trace in the program.

Each tensor of the program that a function is given has a twin, a copy in float64; a leaf's twin is moved. Functions get the twins, so
that a write to a buffer goes to its twin. The random numbers are those of the recorded run.
"""

from contextlib import contextmanager

import numpy as np
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_map
from torch.utils.weak import WeakTensorKeyDictionary

from tensorgrad.beside_torch.calls.limits import eager, same_dice
from tensorgrad.beside_torch.calls.opened import opened
from tensorgrad.beside_torch.calls.their_warnings import unheard

DRAWS = {"bernoulli", "bernoulli_", "poisson", "normal", "multinomial", "rand", "randn"}  # they draw other numbers in another dtype
DRAWS_INTO = {"normal_", "uniform_", "exponential_", "log_normal_", "cauchy_"}  # and so do these, into a tensor that is given
BACKWARD = (torch.Tensor.backward, torch.autograd.backward)
KEEPS = "does it keep numbers outside of modules, in a list, a counter or a tensor, or read a file or a clock?"
CASTS = {"float", "half", "bfloat16"}  # methods to another dtype, which is float64 here


class MovedRun(TorchFunctionMode):
    """Gives each function of PyTorch the twins of its tensors. `moved` is [(leaf or buffer, what it is in this run)].

    The functions `without` do nothing.
    """

    def __init__(self, moved, wide, without=()):
        super().__init__()
        self.without = without
        self.kinds = {torch.float32: torch.float64, torch.float16: torch.float64, torch.bfloat16: torch.float64} if wide else {}
        self.twins, self.made = WeakTensorKeyDictionary(), WeakTensorKeyDictionary()
        for t, x in moved:
            self.twins[t] = torch.as_tensor(x).to(self.kinds.get(t.dtype, t.dtype), copy=True).requires_grad_(t.requires_grad)

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return self.called(func, args, kwargs or {})

    def called(self, func, args, kwargs):
        name = getattr(func, "__name__", "")
        if func in self.without:
            return None
        given, options = tree_map(self.twin, (args, kwargs))
        if name == "normal" and any(isinstance(x, torch.Tensor) for x in (*given, *options.values())):
            return self.own(self.normal(func, *given, **options))
        if name in DRAWS or name.endswith("_like"):
            given, options = tree_map(self.narrow, (given, options))
        if getattr(func, "__module__", "") == torch.nn.init.__name__ and "tensor" in options:  # it draws inside
            with torch.no_grad():
                return options["tensor"].copy_(func(**options | {"tensor": self.narrow(options["tensor"].detach())}))
        if name in DRAWS_INTO:
            return given[0].copy_(func(self.narrow(given[0].detach()), *given[1:], **options))
        if name in CASTS and self.kinds:
            return self.own(given[0] if given[0].is_floating_point() else given[0].to(torch.float64))
        return tree_map(self.own, func(*given, **options))

    def normal(self, func, mean=0.0, std=1.0, generator=None, out=None):
        """Return numbers of a normal distribution that follow its mean and deviation without the steps of float32."""
        shape = torch.broadcast_shapes(*(x.shape for x in (mean, std) if isinstance(x, torch.Tensor)))
        drawn = func(torch.zeros(shape), torch.ones(shape), generator=generator)
        return mean + std * drawn.to(torch.float64)

    def twin(self, x):
        """Return what stands for an argument in this run."""
        if isinstance(x, torch.dtype):
            return self.kinds.get(x, x)
        if not isinstance(x, torch.Tensor) or x in self.made:
            return x
        if x not in self.twins:
            self.twins[x] = x.detach().to(self.kinds.get(x.dtype, x.dtype), copy=True)
        return self.twins[x]

    def own(self, x):
        """Return a result in float64, and remember that it was made in this run."""
        if isinstance(x, torch.Tensor):
            x = x.to(self.kinds.get(x.dtype, x.dtype))
            self.made[x] = True
        return x

    def narrow(self, x):
        """Return a tensor, or a dtype, in which the recorded run drew its numbers."""
        if self.kinds and isinstance(x, torch.Tensor) and x.dtype == torch.float64:
            return x.to(torch.float32)
        return torch.float32 if self.kinds and x is torch.float64 else x

    @contextmanager
    def with_own_functions(self):
        """Give custom functions twins, too. One that refuses float64 gets float32."""
        usual = torch.autograd.Function.__dict__["apply"]

        def apply(cls, *args, **kwargs):
            with torch._C.DisableTorchFunction():
                given = [self.twin(x) for x in args]
                try:
                    return tree_map(self.own, usual.__get__(None, cls)(*given, **kwargs))
                except RuntimeError:
                    if not self.kinds:
                        raise
                    return tree_map(self.own, usual.__get__(None, cls)(*map(self.narrow, given), **kwargs))

        torch.autograd.Function.apply = classmethod(apply)  # type: ignore[assignment]
        try:
            yield
        finally:
            torch.autograd.Function.apply = usual  # type: ignore[assignment]


class Program:
    """A recorded program that can run again. `wide` says whether it runs in float64, `why_not` why there are no differences, or "".

    `near` is how far, relatively, its loss in float64 may be from its loss in the recorded run.
    """

    def __init__(self, seen, leaves, near):
        self.program, self.modules, self.buffers, self.dice = seen.program, seen.roots, seen.buffers, seen.dice
        self.before = seen.attributes
        self.leaves, loss = leaves, seen.loss
        self.arrays = [t.detach().to(torch.float64).cpu().numpy().copy() for t in leaves]
        self.wide, self.why_not = True, ""
        if not self.gives(float(loss.detach()), near):
            self.wide = False
            if not self.gives(float(loss.detach()), 1e-6 if self.why_not else near):
                self.why_not = self.why_not or "the program gives another loss when it runs again"

    def gives(self, loss, near):
        """Return whether the program gives this loss again."""
        try:
            again = self.at(self.arrays)
        except Exception as wrong:  # of the program, which is given float64
            self.why_not = f"the program cannot run again: {type(wrong).__name__}: {str(wrong).partition(chr(10))[0]}"
            return False
        if not np.isfinite(loss):
            self.why_not = f"the loss is {loss:.6g}"
            return False
        found = abs(again - loss) <= near * max(1e-3, abs(loss))
        if not found:
            self.why_not = f"the program gives the loss {again:.6g} when it runs again, and gave {loss:.6g}; {KEEPS}"
        return found

    def at(self, arrays):
        """Return the loss at other arrays of the leaves."""
        return float(self.run(arrays, lambda loss, twins: loss.detach()))

    def gradients(self, without=()):
        """Return PyTorch's gradients for the leaves, in float64 if the program runs in float64; None if it has none in such a run.

        The functions `without` do nothing in it.
        """
        gradient_of = opened(torch.autograd.grad)  # a checkpoint runs again within it, which the run must see
        try:
            found = self.run(self.arrays, lambda loss, twins: gradient_of(loss, twins, allow_unused=True), without)
        except (RuntimeError, AttributeError, TypeError):  # in torch.vmap tensors have no twins; without backward() .grad is None
            return None
        return [np.zeros(x.shape) if g is None else g.to(torch.float64).numpy() for x, g in zip(self.arrays, found)]

    def run(self, arrays, result, without=()):
        """Return result(the loss, the twins of the leaves) of a run at other arrays, in which the functions `without` do nothing."""
        run = MovedRun([*self.buffers, *zip(self.leaves, arrays)], self.wide, without)
        with same_dice(), as_they_are(self.modules), torch.enable_grad(), eager(), unheard(), run.with_own_functions(), run:
            self.dice.put_back()
            for m, attributes in self.before:
                vars(m).update(attributes)
            return result(self.program(), [run.twins[t] for t in self.leaves])


@contextmanager
def as_they_are(modules):
    """Let modules have the attributes after this block that they had before it."""
    before = [(m, dict(vars(m)), dict(m._buffers), dict(m._parameters)) for root in modules for m in root.modules()]
    try:
        yield
    finally:
        for m, attributes, buffers, parameters in before:
            vars(m).clear()
            vars(m).update(attributes)
            m._buffers.clear()
            m._buffers.update(buffers)
            m._parameters.clear()
            m._parameters.update(parameters)
