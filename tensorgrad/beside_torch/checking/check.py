"""seen.check(): our gradients against PyTorch's, and both against finite differences of the program and of its own functions."""

from typing import NamedTuple

import numpy as np
import torch

from scalargrad.checking.check import Problem
from scalargrad.checking.finite_differences import around, slope
from scalargrad.graph import Graph
from tensorgrad import backward
from tensorgrad.beside_torch.calls.arrays import array
from tensorgrad.beside_torch.calls.torch_call import UNSEEN
from tensorgrad.beside_torch.checking.moved_run import BACKWARD, Program
from tensorgrad.beside_torch.custom.check_own import OwnCheck, overwritten
from tensorgrad.beside_torch.report.parameters import listed, some
from tensorgrad.beside_torch.report.saved_by_torch import written_after
from tensorgrad.checking.check import at_entry
from tensorgrad.checking.diagnosis import largest_entry
from tensorgrad.checking.replay import step_sizes
from tensorgrad.errors import errors

SAME = {torch.float64: 1e-7, torch.float32: 1e-3, torch.float16: 5e-2, torch.bfloat16: 1e-1}  # relative to the largest entry
HALF = {torch.float16, torch.bfloat16}
CLOSER = (1.0, 1e-2, 1e-4)  # the steps, as parts of about 1e-3 of each entry: the nearer, the fewer kinks lie between
EXACT, ROUGH = 1e-6, 3e-2  # relative differences that are allowed in float64, and in the program's own dtype
DIRECTIONS = 3
BLIND = 0.1  # noise, relative to the slope, at which differences say nothing
ROUNDING = 100  # last digits of the largest gradient
ENGINES = BOTH, TORCH, OURS = "the two engines", "PyTorch", "from_torch"
MOST_PROBLEMS = 5  # that are printed
FREED = "check: PyTorch has freed its graph, and another run cannot give gradients; call check() before backward()"
AGAIN = "PyTorch has freed its graph in backward(), so its gradients are those of another run"


class Compared(NamedTuple):
    """One leaf: the largest difference of our gradient from PyTorch's, relative to its largest entry.

    `rounding` says whether that is rounding: beside the largest gradient of all leaves, both are near to the one in float64.
    """

    name: str
    difference: float
    rounding: bool


class RecordingCheck:
    """What `seen.check()` found. True if all agree. `problems` are those of `tensorgrad.check`, the first wrong function first.

    `gradients` compares ours with PyTorch's, leaf by leaf. `compared` counts the entries and directions that were compared with finite
    differences. `notes` say what differs on purpose, and what could not be compared.
    """

    def __init__(self, seen, seed=0):
        graph = Graph(seen.z.node)
        errors.refuse_released("check", graph.variables)
        self.problems, self.notes, self.gradients, self.compared, self.exactly = [], [], [], 0, None
        self.broken, self.beside_kink = False, False
        self.own, self.silent = self.own_functions(seen, seed), {line for *_, line in seen.silent_changes}
        if self.broken:
            return
        if lost := written_after(seen):
            cause = "what it needs there is written to afterwards: write to a copy, .clone()"
            self.problems += [Problem(str(call), "PyTorch's backward pass", "a RuntimeError", "a gradient", cause) for call in lost]
            return
        ours, names = totals(graph), seen.leaf_names
        ours = [ours.get(x.node, np.zeros(x.shape)) for _, x in seen.leaves]
        leaves = [t for t, _ in seen.leaves]
        kinds = {kind for kind in HALF for call in seen.calls if str(kind).endswith(call.dtype)}
        same = [max(SAME[kind] for kind in (t.dtype, *kinds)) for t in leaves]
        near = max([SAME[torch.float64], *[SAME[kind] for kind in {*kinds, *[t.dtype for t in leaves]}]])
        program = Program(seen, leaves, near)
        theirs, without, new = of_pytorch(seen), (), set()
        if theirs is None:
            without, new = BACKWARD, {i for i, t in enumerate(leaves) if id(t) in seen.made_inside}
            what = f"; {some([names[i] for i in sorted(new)])}: not compared, made anew there" if new else ""
            self.notes.append(AGAIN + what)
            if (theirs := program.gradients(without)) is None:
                raise RuntimeError(FREED)
        hidden = any(call.why == UNSEEN for call in seen.calls)
        again = program.gradients(without) if program.wide or hidden else None
        exact = again or theirs
        if hidden and again is None:
            program.why_not = program.why_not or "it computes where PyTorch shows no calls, as in torch.func, and cannot be moved"
        still = self.not_moved(seen, leaves, names, ours, theirs)
        exact = [g if i in still else best for i, (g, best) in enumerate(zip(theirs, exact))]
        of_loss = abs(float(seen.loss.detach())) / max(1.0, *[largest_entry(array(t)) for t in leaves])  # where the gradient is 0
        largest = max(of_loss, *map(largest_entry, exact))
        differ = []
        for i, (t, name, a, b, best, near) in enumerate(zip(leaves, names, ours, theirs, exact, same)):
            if i in new:
                continue
            off, slack = relative(a, b), ROUNDING * torch.finfo(t.dtype).eps * largest
            rounding = off > near and max(np.abs(a - best).max(), np.abs(b - best).max()) <= slack
            self.gradients.append(Compared(name, off, bool(rounding)))
            differ += [i] * (off > near and not rounding)
            if (apart := relative(b, best)) > near and np.abs(b - best).max() > slack:
                why = "its hooks change it" if t._backward_hooks else f"by rounding in {str(t.dtype).removeprefix('torch.')}, or a hook"
                self.notes.append(f"the gradient of {name} differs by {apart:.2g} from the derivative of the program in float64: {why}")
        slopes = None if program.why_not else Slopes(program)
        if program.why_not:
            self.notes.append(f"no differences of the whole program: {program.why_not}")
        for i in differ:
            self.problems += self.verdict(names[i], ours[i], theirs[i], slopes, i)
        if slopes and not self.problems:
            exact = [np.zeros(g.shape) if i in still else g for i, g in enumerate(exact)]
            self.whole_program(seen, slopes, leaves, names, exact, still, np.random.default_rng(seed))

    def not_moved(self, seen, leaves, names, ours, theirs):
        """Return the places of the leaves that differences cannot move, and note why."""
        inside = [i for i, t in enumerate(leaves) if id(t) in seen.made_inside]
        lost = [i for i, pair in enumerate(zip(ours, theirs)) if not all(np.isfinite(g).all() for g in pair)]
        written = {i: str(step) for i, t in enumerate(leaves) for x, step in seen.flow.overwritten if x is t}
        for step in dict.fromkeys(written.values()):
            what = some([names[i] for i in written if written[i] == step])
            self.notes.append(f"no differences along {what}: {step} writes there under no_grad; the gradient is that at the new numbers")
        if inside:
            where = ", ".join(dict.fromkeys(seen.made_inside[id(leaves[i])] for i in inside))
            what = some([names[i] for i in inside])
            self.notes.append(f"no differences along {what}: made inside the program ({where}), anew in each run")
        if lost:
            what = some([names[i] for i in lost])
            self.notes.append(f"no differences along {what}: the gradient is not finite there; report() names the function that made it so")
        return {*inside, *lost, *written}

    def own_functions(self, seen, seed):
        """Check each custom function, once for each kind of arguments, and return how many.

        The gradient of a `broken` one cannot be compared, or computing it would write to the program's tensors.
        """
        kinds = {}
        for call in seen.calls:
            if call.own is not None:
                shapes = [tuple(x.shape) if isinstance(x, torch.Tensor) else type(x) for x in call.own.call.given]
                kinds.setdefault((call.own.call.function, *shapes), call)
        rounded = []
        for call in kinds.values():
            found = OwnCheck(call.own.call, call.place, seed)
            self.problems += found.problems
            self.compared += found.compared
            self.notes += [found.skipped] if found.skipped else []
            self.broken |= found.broken
            rounded += [] if found.exact else [found.title]
        for call in seen.calls:
            if call.own is not None and call.own.lasts and not self.problems:
                self.problems += overwritten(call, np.random.default_rng(seed))
        if rounded:
            self.notes.append(f"{', '.join(rounded)}: it computes in float32, so it was compared to 0.2 % only")
        return len({function for function, *_ in kinds})

    def whole_program(self, seen, slopes, leaves, names, gradients, still, dice):
        """Compare the gradients with differences of the program along random directions; if they differ, leaf by leaf.

        The leaves at the places `still` stay as they are.
        """
        arrays, far = slopes.program.arrays, []
        moved = lambda i, x: np.zeros(x.shape) if i in still else scattered(x, dice)
        if len(still) == len(arrays):
            return
        for _ in range(DIRECTIONS):
            expected = slopes.differ([moved(i, x) for i, x in enumerate(arrays)], gradients)[1]
            if slopes.blind:
                why = "its slope is 0, or too small beside the loss" if slopes.program.wide else "it does not run in float64"
                self.notes.append(f"differences of the whole program are too inexact to compare with: {why}")
                return
            self.compared += 1
            far.append(slopes.off)
            self.beside_kink |= slopes.width > 0 and slopes.off > EXACT
            if expected is not None:
                break
        else:
            self.exactly = max(far)
            return
        before, cut = len(self.problems) + len(self.notes), {}
        for i, (name, t) in enumerate(zip(names, leaves)):
            if i in still:
                continue
            direction = scattered(arrays[i], dice)
            alone = lambda v, i=i: [v if j == i else np.zeros(x.shape) for j, x in enumerate(arrays)]
            got, expected = slopes.differ(alone(direction), gradients)
            if expected is not None:
                elsewhere = slopes.differ(alone(np.where(gradients[i] == 0, 0.0, direction)), gradients)[1] is None
                if cuts := seen.flow.all_cuts(seen.flow.start(t)):
                    cut.setdefault(listed(cuts), []).append((name, got, expected))
                else:
                    self.of_leaf(seen, name, got, expected, elsewhere)
        self.notes += [through_cuts(slopes, where) for where, slopes in cut.items()]
        if len(self.problems) + len(self.notes) == before:
            self.notes.append(
                f"the slope of the whole program differs by {far[-1]:.2g} from finite differences, that along each leaf agrees"
            )

    def of_leaf(self, seen, name, got, expected, elsewhere):
        """Note why the slope along a leaf differs from both engines' gradient, though no step cuts it off.

        `elsewhere` says that it agrees along the entries whose gradient is not 0.
        """
        what = f"the slope along {name}"
        if elsewhere and any("embedding" in call.name for call in seen.calls):
            far = f"{what} is {both(got, expected)}"
            self.notes.append(f"{far}: only entries whose gradient is 0 differ, as those of the row padding_idx do on purpose")
        else:
            cause = "both engines agree and differences do not: is a part of it computed outside PyTorch?"
            self.problems.append(Problem("the program", what, got, expected, cause))

    def verdict(self, name, ours, theirs, slopes, i):
        """Return a problem if our gradient for a leaf differs from PyTorch's: differences say which of them is right."""
        place = np.unravel_index(np.nanargmax(np.abs(ours - theirs)), ours.shape)
        got, other = float(ours[place]), float(theirs[place])
        where = f"the gradient of {name}{at_entry(place)}"
        if slopes is None:
            cause = "ours and PyTorch's differ; the program cannot run again, so finite differences cannot say which is right"
            return [Problem(BOTH, where, got, other, cause)]
        entry = [np.zeros(x.shape) for x in slopes.program.arrays]
        entry[i][place] = step_sizes(slopes.program.arrays[i])[place]
        mine, his = slopes.allows(entry, got * entry[i][place]), slopes.allows(entry, other * entry[i][place])
        if mine and his:
            why = "a kink lies here, and differences allow both" if slopes.width else "differences are too inexact to say which is right"
            self.notes.append(f"{where} is {got:.4g} here and {other:.4g} in PyTorch: {why}")
            return []
        expected = slopes.value / (entry[i][place] or 1.0)
        if self.silent and not his:
            cause = f"PyTorch's is {other:.6g}: .data, NumPy or no_grad wrote to what was computed before ({listed(sorted(self.silent))})"
            return [Problem(OURS, where, got, expected, f"{cause}, which no engine differentiates")]
        if mine:
            return [Problem(TORCH, where, other, expected, f"ours is {got:.6g}, which differences confirm; does a hook change it?")]
        who = "differences confirm PyTorch's; from_torch is wrong here" if his else f"PyTorch's is {other:.6g}, and neither agrees"
        return [Problem(OURS, where, got, expected, who)]

    def __bool__(self):
        return not self.problems

    def __repr__(self):
        return f"<check: {str(self).splitlines()[0]}>"

    def __str__(self):
        lines = [str(p) for p in self.problems[:MOST_PROBLEMS]]
        if len(self.problems) > MOST_PROBLEMS:
            lines.append(f"... and {len(self.problems) - MOST_PROBLEMS} more in .problems")
        lines += self.notes
        if self.gradients:
            lines.append(self.of_engines())
        if self.own:
            lines.append(f"{self.own} custom function{'s' * (self.own != 1)} compared with finite differences by entry")
        if self.exactly is not None:
            kink = ", beside a kink" if self.beside_kink else ""
            lines.append(
                f"the slope of the whole program compared with finite differences: the largest difference is {self.exactly:.2g}{kink}"
            )
        return "\n".join(lines)

    def of_engines(self):
        wrong = [p for p in self.problems if p.function in ENGINES]
        rounding = sum(g.rounding for g in self.gradients)
        worst = max(self.gradients, key=lambda g: (not g.rounding, g.difference))
        far = f"the largest difference is {worst.difference:.2g}, of {worst.name}"
        but = f"; {rounding} differ by rounding alone" if rounding else ""
        if not wrong and any(p.function not in ENGINES for p in self.problems):
            but += "; PyTorch, too, calls the backward that is wrong"
        return f"{len(self.gradients)} gradients compared with PyTorch's: {f'{len(wrong)} differ' if wrong else 'all agree'}; {far}{but}"


class Slopes:
    """Finite differences of a program along directions. `value` is the last slope, `width` that of a kink there.

    `off` says how far the gradient was from the slope, relative to it; `blind` whether the differences say nothing.
    """

    def __init__(self, program):
        self.program, self.value, self.width, self.off, self.blind = program, 0.0, 0.0, 0.0, False

    def along(self, direction, close):
        if not self.program.wide:
            close, direction = 1.0, [10 * v for v in direction]
        points = [around(0.0, close)]
        values = [self.program.at([x + c * v for x, v in zip(self.program.arrays, direction)]) for c in points[0]]
        found = slope(np.array(values))
        return (
            found
            if self.program.wide
            else found._replace(noise=found.noise + 3e-7 * abs(values[2]), value=found.value / 10, size=found.size / 10)
        )

    def allows(self, direction, got, floor=0.0):
        """Return whether the slope along a direction may be `got`."""
        tolerance = EXACT if self.program.wide else ROUGH
        for close in CLOSER if self.program.wide else CLOSER[:1]:
            found = self.along(direction, close)
            self.value, self.width = float(found.value) / close, float(found.width)
            self.blind = found.noise + floor * close > BLIND * abs(got * close)
            self.off = abs(got - self.value) / max(abs(got), abs(self.value), 1e-300)
            if found.allows(got * close, tolerance, floor * close):
                return True
        return False

    def differ(self, direction, gradients):
        """Return (the slope by gradients, None), or with the slope by differences if they do not agree. Both are for steps of size 1."""
        terms = np.concatenate([np.ravel(g * v) for g, v in zip(gradients, direction)])
        got, floor = float(terms.sum()), (1e-9 if self.program.wide else 1e-3) * float(np.abs(terms).sum())
        agree = self.allows(direction, got, floor)
        size = np.sqrt(sum(np.square(v).sum() for v in direction)) or 1.0
        return got / size, None if agree else self.value / size


def through_cuts(slopes, where):
    """Return a note on the leaves, [(name, slope by gradients, by differences)], whose gradient stops at the steps `where`."""
    name, got, expected = max(slopes, key=lambda slope: abs(slope[1] - slope[2]))
    far = f"the slope along {name} is {both(got, expected)}"
    others = [other for other, *_ in slopes if other != name]
    more = f" (and along {some(others)})" if others else ""
    return f"{far}{more}: the loss depends on {'them' if others else 'it'} also through {where}, where the gradient stops"


def both(got, expected):
    """Return two slopes in words, with as many digits as it takes to tell them apart."""
    digits = next((n for n in range(4, 15) if f"{got:.{n}g}" != f"{expected:.{n}g}"), 15)
    return f"{got:.{digits}g} by both engines and {expected:.{digits}g} by differences"


def scattered(x, dice):
    """Return a random direction that moves each entry by about its step."""
    return step_sizes(x) * dice.choice([-1.0, 1.0], x.shape) * dice.uniform(0.5, 1.0, x.shape)


def totals(graph):
    z = graph.z
    return dict(backward.totals(z, np.ones(z.shape, z.dtype), retain=True, wanted=set(graph.variables)))


def of_pytorch(seen):
    """Return PyTorch's gradients of the leaves as arrays; None if backward() has freed its graph."""
    leaves = [t for t, _ in seen.leaves]
    try:
        found = torch.autograd.grad(seen.loss, leaves, retain_graph=True, allow_unused=True)
    except RuntimeError as wrong:
        if "second time" in str(wrong):
            return None
        raise
    return [np.zeros(t.shape) if g is None else array(g) for t, g in zip(leaves, found)]


def relative(a, b):
    """Return the largest difference of two arrays, relative to the largest entry of b; nan and inf agree with themselves."""
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    if same.all():
        return 0.0
    scale = next(filter(None, (largest_entry(x) for x in (b, a))), 1.0)
    return float(np.nan_to_num(np.abs(np.where(same, 0.0, a - b)), nan=np.inf).max() / scale)
