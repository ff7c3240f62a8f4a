"""A custom torch.autograd.Function is one box of the graph: its value is that of its forward, and its vjp is its own backward.

A picture says of a wrong backward the first problem of its check, at the input that it is about.
"""

from contextlib import contextmanager
from functools import partial
from weakref import ref

import numpy as np
import torch
from torch.nn.modules._functions import BackwardHookFunction
from torch.utils.checkpoint import CheckpointFunction

from scalargrad.user_names.remarks import Remark, note
from tensorgrad.beside.call import BY_USER
from tensorgrad.beside_torch.calls.arrays import array, differentiable, version_of
from tensorgrad.beside_torch.calls.limits import same_dice
from tensorgrad.beside_torch.calls.refusals import refusal
from tensorgrad.beside_torch.calls.torch_call import tensors_in
from tensorgrad.beside_torch.custom.check_own import OwnCheck
from tensorgrad.beside_torch.custom.own_call import OwnCall, Run, written_at
from tensorgrad.rules.elsewhere import rule_of


@contextmanager
def watched(recorder):
    """Tell the recorder of each call of a custom function in this block."""
    usual = torch.autograd.Function.__dict__["apply"]

    def apply(cls, *args, **kwargs):
        if not recorder.is_here or cls is BackwardHookFunction or recorder.outside():
            return usual.__get__(None, cls)(*args, **kwargs)
        if cls is CheckpointFunction:
            raise refusal("checkpoint(..., use_reentrant=True) hides what it computes", "give it use_reentrant=False")
        with torch._C.DisableTorchFunction():  # what its forward computes is inside the box
            inputs = [recorder.variables[t] for t in args if isinstance(t, torch.Tensor) and differentiable(t) and torch.is_grad_enabled()]
            call = OwnCall(cls, args, torch.random.get_rng_state()) if inputs else None
            before, wholes = [version_of(t) for t in tensors_in(args)], recorder.variables.wholes(tensors_in(args))
            y = usual.__get__(None, cls)(*args, **kwargs)
            refuse_writes(cls, args, before, y)
            recorder.flow.step(cls.__name__, tensors_in(args), y)
            if call and (run := Run(call, args, y)).results:
                recorder.own_function(run, inputs, wholes if [version_of(t) for t in tensors_in(args)] != before else {})
        return y

    torch.autograd.Function.apply = classmethod(apply)  # type: ignore[assignment]
    try:
        yield
    finally:
        torch.autograd.Function.apply = usual  # type: ignore[assignment]


def refuse_writes(cls, args, before, y):
    """Raise RuntimeError if forward has written to an argument and did not say so with ctx.mark_dirty."""
    returned = tensors_in(y)
    for t, version in zip(tensors_in(args), before):
        if version_of(t) != version and not any(t is x or t is x._base for x in returned):
            raise RuntimeError(
                f"from_torch: {cls.__name__}.forward ({written_at(cls.forward)}) changes an argument of shape {tuple(t.shape)} in place "
                "and does not say so; compute a new tensor, or call ctx.mark_dirty on it and return it"
            )


def rule_of_own(run, place):
    """Return the rule of result number `place` of a run of the program's. At the same arrays its backward is that of this very run."""
    call, own = run.call, []

    def start(*xs):
        own.extend(map(ref, xs))

    def forward(*xs):
        return array(call.run(xs).results[place])

    def backward(G, xs, wanted):
        there = own and run.lasts and all(watch() is x for watch, x in zip(own, xs))
        passed = (run if there else call.run(xs)).passed(place, G)
        found = [passed[call.slots[i]] for i in wanted]
        return [np.zeros(xs[i].shape, xs[i].dtype) if g is None else array(g) for i, g in zip(wanted, found)]

    return rule_of(call.function.__name__, len(call.slots), array(run.results[place]), forward, backward, BY_USER, start)


OF_OWN = WRONG, MEANT = "wrong backward", "backward is not the derivative"


class OwnRemarks:
    """Checks the custom functions of a recording when a picture asks, each once for each kind of arguments."""

    def __init__(self):
        self.checked: dict = {}

    def see(self, call, given, results):
        """Let the variables of a call of a custom function know what its check finds."""
        for place, v in enumerate(call.results if call.own else ()):
            note(v, partial(self.of, call.own.call, call.place, place))

    def of(self, own, called_at, place):
        """Return the Remarks on result number `place` of a call, an OwnCall."""
        kind = (own.function, *[tuple(x.shape) if isinstance(x, torch.Tensor) else type(x) for x in own.given])
        if kind not in self.checked:
            with same_dice():  # a backward may draw random numbers
                self.checked[kind] = OwnCheck(own, called_at).found
                own.run(own.arrays)  # what it keeps outside of ctx, on purpose or not, is then as the program left it
        found = [(slot, problem) for at, slot, problem in self.checked[kind] if at == place]
        return [Remark(MEANT if "only if it is meant" in problem.cause else WRONG, f"{problem}.", slot) for slot, problem in found]
