"""Check one call of a custom torch.autograd.Function, entry by entry, on copies: its forward, its backward, and finite differences."""

import numpy as np
import torch

from scalargrad.checking.check import TOLERANCE, Problem
from scalargrad.graph import Graph
from tensorgrad.arrays.axes import can_unbroadcast
from tensorgrad.beside.call import BY_USER
from tensorgrad.beside_torch.calls.arrays import array
from tensorgrad.beside_torch.custom.own_call import written_at
from tensorgrad.beside_torch.custom.own_mistakes import OwnMistakes
from tensorgrad.checking import diagnosis
from tensorgrad.checking.check import ENTRIES, at_entry, random_upstream
from tensorgrad.checking.replay import Edge, replayed, step_sizes
from tensorgrad.rules.elsewhere import rule_of
from tensorgrad.tensor import Tensor

TOLERANCE_32, STEP_32 = 2e-3, 3e-2  # of a function that computes in float32 whatever it is given
WEAK = ("that ", "only one ", "these are ", diagnosis.TRANSPOSED)  # causes that another tensor in the place of a kept one explains better
OVERWRITTEN = (
    "that is what it gives right after the call: what it uses has been changed since; keep it with ctx.save_for_backward, "
    "not in a tensor that is written to, in the class or in a global"
)
RANDOM = "backward gives something else each time: what it draws at random or counts must be kept in ctx by forward"
EXCHANGED = "that is what belongs to "
FALLBACK = "compare its backward with the derivative of its forward"


class OwnEdge(Edge):
    """One input of a custom function: what `passes(G)` gives it for the upstream gradient G, and what it should be given."""

    def __init__(self, function, slot, G, eps, passes):
        self.function, self.slot, self.G, self.contribution = function, slot, G, passes
        self.x, self.vjp, self.saved, self.looked = function.args[slot], None, (), {}
        self.step = step_sizes(self.x, eps)


def title(function, called_at):
    return f"{function.__name__}.backward ({written_at(function.backward)}, called at {called_at})"


def overwritten(call, dice):
    """Return a problem, in a list, if backward gives something else after the program than right after the same call alone."""
    own, alone = call.own, call.own.call.run(call.own.call.arrays)
    where = title(own.call.function, call.place)
    for place, t in enumerate(own.results):
        G = random_upstream(dice, tuple(t.shape)).astype(array(t).dtype)
        for slot, then, now in zip(range(len(own.given)), alone.passed(place, G), own.passed(place, G)):
            if isinstance(then, torch.Tensor) and then.shape == now.shape and len(wrong := np.argwhere(~close(array(then), array(now)))):
                at = tuple(wrong[0])
                what = f"the gradient of the result for {own.call.names[slot]}{at_entry(at)}"
                return [Problem(where, what, float(now[at]), float(then[at]), OVERWRITTEN)]
    return []


def anywhere(problems):
    return [(None, problem) for problem in problems]


def close(a, b):
    return np.isclose(a, b, rtol=1e-4, atol=1e-6 * diagnosis.largest_entry(a), equal_nan=True)


class OwnCheck:
    """The check of a call, an OwnCall: its `problems`, how many entries were `compared`, and whether all was computed in float64.

    `found` has the problems with their places: (number of the result, that of the input or None for any, problem).
    """

    def __init__(self, own, called_at, seed=0):
        self.own, self.dice = own, np.random.default_rng(seed)
        self.title = title(own.function, called_at)
        self.names = [self.own.names[slot] for slot in self.own.slots]
        self.found, self.compared, self.skipped, self.broken = [], 0, "", False
        self.wide, self.exact = self.precision()
        self.tolerance = TOLERANCE if self.exact else TOLERANCE_32
        self.arrays = [a.astype(float) for a in self.own.arrays]
        run = self.run(*self.arrays)
        if not all(np.isfinite(a).all() for a in [*self.arrays, *map(array, run.results)]):
            self.skipped = f"{self.title}: a value is not finite, so there are no differences to compare with"
            return
        for place in range(len(run.results)):
            self.found += [(place, *problem) for problem in self.of_backward(self.run(*self.arrays), place)]

    @property
    def problems(self):
        return [problem for *_, problem in self.found]

    def run(self, *xs):
        """Run the function at other arrays, in float64 if it can."""
        return self.own.run(xs if self.wide else [x.astype(np.float32) for x in xs])

    def precision(self):
        """Return (whether the function takes float64, whether its results have the digits of float64)."""
        arrays = [a.astype(float) for a in self.own.arrays]
        shakes = [(1 + np.abs(a)) * self.dice.uniform(-1, 1, a.shape) for a in arrays]
        results = lambda size: [array(t) for t in self.own.run([a + size * s for a, s in zip(arrays, shakes)]).results]
        try:
            found = results(1e-9)
            flat = all(map(np.array_equal, results(1e-3), results(0.0)))
        except Exception:  # of the program's function, which takes float32 alone
            return False, False
        return True, flat or any((y != y.astype(np.float32)).any() for y in found)

    def problem(self, what, got, expected, cause):
        return Problem(self.title, what, got, expected, cause)

    def of_backward(self, run, place):
        """Return [(number of the input or None, problem)] of the gradients that backward returns for result number `place`."""
        result = f"result {place + 1}" if len(run.results) > 1 else "the result"
        mistakes = self.mistakes(run, place)
        try:
            found, written = self.tried(run, place, mistakes)
            if written:
                return anywhere(self.broken_by(*written))
            again = run.passed(place, mistakes.G)
            self.run(*[x * 0.5 for x in self.arrays])
            later = run.passed(place, mistakes.G)
        except Exception as wrong:
            likely = [f"; {cause}" for slot in self.own.slots if (cause := mistakes.cause(slot))]
            cause = f"backward raises {type(wrong).__name__}: {str(wrong).partition(chr(10))[0].rstrip('.')}{''.join(likely[:1])}"
            if isinstance(wrong, AttributeError) and wrong.obj is run.node:
                cause = f"backward uses ctx.{wrong.name}, which forward does not keep"
            return anywhere(self.broken_by(f"the gradient of {result}", None, f"one for each of {', '.join(self.names)}", cause))
        if len(found) < len(self.own.given):
            names = ", ".join(self.own.names)
            cause = f"return one for each argument of forward ({names}), and None for an argument without a gradient"
            return anywhere(self.broken_by("the number of gradients", len(found), len(self.own.given), cause))
        problems = []
        for i, (slot, name) in enumerate(zip(self.own.slots, self.names)):
            what = f"the gradient of {result} for {name}"
            changing = self.changing(what, found[slot], again[slot], RANDOM) or self.changing(what, again[slot], later[slot], OVERWRITTEN)
            problems += [(i, problem) for problem in changing or self.of_gradient(what, name, mistakes, slot, found[slot])]
        return problems

    def broken_by(self, *what):
        """Return the problem of a backward whose gradient cannot be compared, or that writes to the program's tensors."""
        self.broken = True
        return [Problem(self.title, *what)]

    def changing(self, what, first, second, cause):
        """Return a problem, in a list, if backward gives another gradient for the same upstream gradient."""
        if not isinstance(first, torch.Tensor) or not isinstance(second, torch.Tensor) or first.shape != second.shape:
            return []
        wrong = np.argwhere(~close(array(first), array(second)))
        return [self.problem(what + at_entry(at), float(second[at]), float(first[at]), cause) for at in map(tuple, wrong[:1])]

    def tried(self, run, place, mistakes):
        """Return (the gradients that backward returns, what is wrong if it changes a tensor that others use, too)."""
        upstream = run.upstream(place, mistakes.G)
        watched = [("the upstream gradient", "other functions are given it, too", t) for t in upstream if t is not None]
        watched += [(mistakes.name_of(label), "the program and a second backward pass use it, too", t) for label, t in run.kept.items()]
        before = [t.clone() for _, _, t in watched]
        with torch.no_grad(), torch._C.DisableTorchFunction():
            found = run.node.apply(*upstream)
        found = [g.clone() if isinstance(g, torch.Tensor) else g for g in (found if isinstance(found, tuple) else (found,))]
        changed = [(name, why) for old, (name, why, t) in zip(before, watched) if not torch.equal(old.nan_to_num(), t.nan_to_num())]
        for name, why in changed[:1]:
            return found, (f"{name} after backward", "changed", "what it was", f"backward writes to it, and {why}: compute a new tensor")
        return found, None

    def mistakes(self, run, place):
        """Return OwnMistakes, with an edge for each input, which knows its finite differences."""
        own, G = self.own, np.asarray(random_upstream(self.dice, tuple(run.results[place].shape)))
        value = array(run.results[place]).astype(float)
        rule = rule_of(own.function.__name__, len(own.slots), value, lambda *xs: array(self.run(*xs).results[place]), None, BY_USER)
        y = rule(*map(Tensor, self.arrays)).node
        function = replayed(Graph(y), dict.fromkeys(Graph(y).variables, own.function.__name__))[y]
        eps = None if self.exact else STEP_32 * max(1e-3, *[np.abs(a).mean() for a in self.arrays if a.size])
        edges = {}
        for i, slot in enumerate(own.slots):
            edges[slot] = OwnEdge(function, i, G, eps, lambda G, slot=slot: array(run.passed(place, G)[slot]))
        return OwnMistakes(run, place, G, edges)

    def of_gradient(self, what, name, mistakes, slot, g):
        """Return a problem if the gradient g for an argument is wrong, in a list."""
        edge = mistakes.edges[slot]
        shape = edge.x.shape
        if g is None:
            none = np.zeros(shape)
            wrong = edge.compared(none, ENTRIES, self.tolerance, self.dice)[1]
            at = what + at_entry(np.unravel_index(wrong[0], shape)) if wrong else what
            cause = f"backward returns None for {name}, which needs a gradient; is `return` missing, or the wrong argument skipped?"
            return [self.problem(at, 0.0, edge.expected(wrong[0]), cause)] if wrong else []
        if not isinstance(g, torch.Tensor):
            return self.broken_by(what, type(g).__name__, "a tensor", "backward returns something that is not a tensor")
        if not can_unbroadcast(tuple(g.shape), shape):
            others = [self.own.names[s] for s, other in mistakes.edges.items() if s != slot and other.x.shape == tuple(g.shape)]
            exchanged = f"that is the shape of {others[0]}: is the order of the gradients that of forward's arguments?" if others else ""
            cause = mistakes.cause(slot) or exchanged or diagnosis.of_shape(array(g), shape).replace("np.broadcast_to", "expand")
            return self.broken_by(f"the shape of {what}", tuple(g.shape), shape, cause)
        raw = array(g).astype(float)
        got = diagnosis.summed(raw, shape)
        looked, wrong = edge.compared(got, ENTRIES, self.tolerance, self.dice)
        self.compared += len(looked)
        if not wrong:
            return []
        others = {self.own.names[s]: other for s, other in mistakes.edges.items() if s != slot}
        cause = self.cause_of(mistakes, slot, others, raw, got, looked)
        if got.ndim:
            tried = f"{len(looked)} entries tried" if len(looked) < got.size else f"{len(looked)} entries"
            cause += f" (with a random upstream gradient it is wrong at {len(wrong)} of {tried})"
        place = np.unravel_index(wrong[0], shape)
        return [self.problem(what + at_entry(place), float(got[place]), edge.expected(wrong[0]), cause)]

    def cause_of(self, mistakes, slot, others, raw, got, looked):
        """Return the likely mistake: what the gradients of arrays show, unless what PyTorch keeps in ctx explains it better."""
        known = diagnosis.of_contribution(mistakes.edges[slot], "the result", others, raw, got, looked)
        meant = mistakes.meant(slot, got)
        if meant:
            return meant
        if len(mistakes.run.results) > 1 and not got.any():
            return f"it is 0: does backward use the upstream gradient of result {mistakes.place + 1}?"
        if not known.startswith((*WEAK, "compare the vjp")):
            return known + mistakes.of_scalar(known)
        if known.startswith(EXCHANGED) and mistakes.cause(slot):
            return f"{known.rstrip('?')}, or is the order of ctx.saved_tensors another one?"
        found = mistakes.cause(slot) or mistakes.of_entries(slot, got, looked)
        return found or (known if known.startswith(WEAK) else FALLBACK)
