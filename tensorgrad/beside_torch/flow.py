"""Where values flow in a program, also where no gradient follows them: behind detach(), under no_grad, through argmax or float().

Each tensor that comes from a variable has a number. A call whose results come from numbered tensors is a Step; one that passes no
gradient to its results says why. A leaf that the program makes itself is new in each run, so no optimiser knows it.
Knows nothing of our variables.
"""

from typing import NamedTuple

import torch
from torch.utils.weak import WeakTensorKeyDictionary

from scalargrad import callers
from tensorgrad.beside_torch.calls.arrays import has_numbers, is_leaf, version_of

CUTS = {"detach": ".detach()", "detach_": ".detach_()", "data": ".data"}
TO_PYTHON = {
    **{"item": ".item()", "tolist": ".tolist()", "numpy": ".numpy()", "array": "np.asarray()"},
    **{"float": "float()", "int": "int()", "index": "int()", "bool": "bool(), a decision", "complex": "complex()"},
}
IN_STEPS = {"int", "index", "bool"}  # functions whose results stay the same for a small change
GRAD = "autograd.grad"
ONLY_SHAPE = {
    *["grad", "grad_fn", "requires_grad_", "backward", "new_zeros", "new_ones", "new_empty", "new_full"],
    *["zero_", "fill_", "normal_", "uniform_"],
}


def line_of(frame):
    """Return (file, line) of a frame of the program, the one that runs."""
    return (frame.f_code.co_filename, frame.f_lineno) if frame else ("<unknown>", 0)


class Step(NamedTuple):
    """One call: the numbers of the tensors that it was given, those of its results, and why no gradient passes; "" if it does.

    `in_steps` says that its results are integers or truth values, which stay the same for a small change.
    """

    name: str
    file: str
    line: int
    given: tuple
    made: tuple
    cut: str
    in_steps: bool = False

    @property
    def place(self):
        return callers.place(self.file, self.line)

    def __str__(self):
        return f"{self.cut or self.name} ({self.place})"


class Flow:
    """The steps of a run, in order. `first` is the number that a variable had at its first use: [(tensor, number)].

    `overwritten` are the leaves that the program writes to under no_grad, with the step: [(tensor, step)].
    """

    def __init__(self):
        self.steps, self.first, self.overwritten, self.count = [], [], [], 0
        self.numbers = WeakTensorKeyDictionary()  # {tensor: (number, version)}

    def number(self, t):
        """Return the number of a tensor; None if it does not come from a variable."""
        number, version = self.numbers.get(t, (None, -1))
        if version == version_of(t):
            return number
        base = t._base  # a write through it, or through another view, reaches this view too
        if base is not None and base in self.numbers:
            return self.number(base)
        if number is None and is_leaf(t):
            number = self.new(t)
            self.first.append((t, number))
        return number

    def start(self, t):
        """Return the number that a leaf had at its first use; None if it was not used."""
        return next((number for x, number in self.first if x is t), self.numbers.get(t, (None, 0))[0])

    def made_by(self, t):
        """Return the step that made a leaf of what came from variables, as h.detach().requires_grad_(); None if none did."""
        number = None if among(t, [x for x, _ in self.first]) else self.start(t)
        return next((step for step in self.steps if number in step.made), None)

    def new(self, t):
        self.count += 1
        self.numbers[t] = self.count, version_of(t)
        return self.count

    def step(self, name, given, y):
        """Note a call of the function `name`, which was given tensors and returned y."""
        sources = [(t, number) for t in given if (number := self.number(t)) is not None]
        if not sources or name in ONLY_SHAPE or name.endswith("_like"):
            return
        made = given[:1] if name == "setitem" or (name == "data" and y is None) else tensors_of(y)
        if not made and name not in TO_PYTHON:
            return
        numbers = [number for _, number in sources]
        numbers += [number for t in made if t._base is not None and (number := self.number(t._base)) is not None]
        stops = name in CUTS or any(t.requires_grad for t, _ in sources)
        cut = [t for t in made if stops and (name in CUTS or not t.requires_grad or (is_leaf(t) and not among(t, given)))]
        passing = [t for t in made if not among(t, cut)]
        if not made:
            self.note(name, numbers, [], TO_PYTHON[name], name in IN_STEPS or are_integers(given))
        if cut:
            self.note(name, numbers, cut, why_cut(name, cut), are_integers(cut))
        if passing:
            self.note(name, numbers, passing, "")
        if not torch.is_grad_enabled():
            self.overwritten += [(t, self.steps[-1]) for t in passing if among(t, given) and is_leaf(t)]
        for t in made:  # what is written to a view is written to its base
            if t._base is not None and among(t, given):
                self.numbers[t._base] = self.numbers[t][0], version_of(t._base)

    def note(self, name, numbers, results, cut, in_steps=False):
        """Add a Step from tensors of these numbers to new numbers of the results."""
        where = line_of(next(callers.callers(), None))
        self.steps.append(Step(name, *where, tuple(dict.fromkeys(numbers)), tuple(map(self.new, results)), cut, in_steps))

    def last_step(self, results):
        """Return the number of the last step if it made one of the results; else -1: they come from no variable that was seen."""
        made = self.steps[-1].made if self.steps else ()
        return len(self.steps) - 1 if any(self.numbers.get(t, (None,))[0] in made for t in results) else -1

    def ends(self, start, end):
        """Return (whether values flow from number `start` to number `end`, the steps that stop the gradient on the way).

        If no value flows there, the steps are the last ones to which it flows.
        """
        before = {end}
        for step in reversed(self.steps):
            if not before.isdisjoint(step.made):
                before.update(step.given)
        if start in before:
            return True, self.cuts(start, before)
        reached, steps = {start}, []
        for step in self.steps:
            if not reached.isdisjoint(step.given):
                reached.update(step.made)
                steps.append(step)
        used_later = {number for step in steps for number in step.given}
        return False, [step for step in steps if used_later.isdisjoint(step.made)]

    def cuts(self, start, before):
        """Return the steps that stop the gradient first on the ways from number `start` to the numbers `before` the end."""
        reached, found = {start}, []
        for step in self.steps:
            if not reached.isdisjoint(step.given) and not before.isdisjoint(step.made):
                if step.cut:
                    found.append(step)
                else:
                    reached.update(before.intersection(step.made))
        return found

    def next(self, steps, wanted):
        """Return the numbers of the first of the steps `wanted` behind the results of some steps."""
        reached, found = {number for step in steps for number in step.made}, []
        for k, step in enumerate(self.steps):
            if not reached.isdisjoint(step.given):
                if k in wanted:
                    found.append(k)
                else:
                    reached.update(step.made)
        return found

    def all_cuts(self, start):
        """Return the steps that stop the gradient somewhere behind number `start`, or turn what comes from it into a number outside.

        Those that give integers or truth values are left out if there are others.
        """
        reached, found = {start} - {None}, []
        for step in self.steps:
            if not reached.isdisjoint(step.given):
                reached.update(step.made)
                found += [step] if step.cut else []
        return [step for step in found if not step.in_steps] or found

    def cuts_before(self, t):
        """Return the steps behind which a tensor lies, from which no gradient comes back."""
        before = {self.number(t)}
        found = []
        for step in reversed(self.steps):
            if not before.isdisjoint(step.made):
                if step.cut:
                    found.append(step)
                else:
                    before.update(step.given)
        return found[::-1]


def among(t, tensors):
    return any(t is x for x in tensors)


def why_cut(name, made):
    """Return in words why the results `made` of a function get no gradient."""
    if name in CUTS:
        return CUTS[name]
    if not torch.is_grad_enabled():
        return f"{name} under no_grad"
    if name == GRAD:
        return f"{name} without create_graph=True"
    if any(t.requires_grad for t in made):
        return f"{name}, which makes a new leaf of the numbers"
    if any(t.dtype is torch.bool for t in made):
        return f"{name}, which gives truth values"
    if are_integers(made):
        return f"{name}, which gives integers"
    return f"{name}, which PyTorch does not differentiate"


def are_integers(tensors):
    """Return whether all tensors hold integers or truth values."""
    return not any(t.is_floating_point() or t.is_complex() for t in tensors)


def tensors_of(y):
    """Return the tensors that a function returned."""
    if isinstance(y, torch.Tensor):
        return [y]
    return [t for x in y for t in tensors_of(x)] if isinstance(y, list | tuple) else []


class MadeInside:
    """The blocks of memory that functions without a gradient gave new tensors: {address: the line}. `flow` knows the other steps.

    nn.Parameter(torch.zeros(3)) calls no function that a recorder sees, but has the memory of its zeros. A block of a leaf from
    outside cannot be among them, as it is not free.
    """

    def __init__(self, flow: Flow):
        self.flow = flow
        self.blocks: dict = {}

    def note(self, given, y):
        """Note the blocks of what a function returned and was not given."""
        new = {address(t) for t in tensors_of(y) if has_numbers(t)} - {address(t) for t in given if has_numbers(t)} - {0}
        if new:
            self.blocks |= dict.fromkeys(new, line_of(next(callers.callers(), None)))

    def place(self, t):
        """Return where the program made a leaf, as model.py:35; "" if it came from outside."""
        if step := self.flow.made_by(t):
            return step.place
        file, line = self.blocks.get(address(t), ("", 0))
        return callers.place(file, line) if file else ""


def address(t):
    return t.untyped_storage().data_ptr()
