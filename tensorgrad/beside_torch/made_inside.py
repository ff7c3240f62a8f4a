"""Leaves that the program itself makes: each run makes new ones, so no optimiser knows them, and differences cannot move them."""

from scalargrad import callers
from tensorgrad.beside_torch.calls.arrays import has_numbers
from tensorgrad.beside_torch.flow import Flow, line_of, tensors_of


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
