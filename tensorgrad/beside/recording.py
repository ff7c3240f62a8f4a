"""What a recorder of functions of arrays returns: the result as a tensor of ours, and the check of its gradients."""

from collections import Counter

import numpy as np

from scalargrad.checking.check import Check, Problem
from tensorgrad import backward
from tensorgrad.beside.call import OURS, TOLERANCE, far


class Recording:
    """A run of a program of another library: `z`, the result as our tensor; `leaves`, {name: tensor}; `calls`; and `value`, its own result.

    gradients() returns the library's own gradient for each leaf.
    """

    def __init__(self, door, library, z, value, leaves, calls, gradients):
        self.door, self.library, self.z, self.value, self.leaves, self.calls = door, library, z, value, leaves, calls
        self.gradients = gradients

    def __graph__(self):
        """Return what pictures and pages show of a recording in the place of a variable."""
        return self.z

    def __repr__(self):
        by = Counter({OURS: 0, self.library.by: 0} | Counter([call.by for call in self.calls]))
        return f"<recording of {len(self.calls)} calls: " + ", ".join(f"{number} by {who}" for who, number in by.items()) + ">"

    def check(self):
        """Return a Check of our gradients against the library's."""
        z, problems = self.z.node, []
        found = dict(backward.totals(z, np.ones(z.shape, z.dtype), retain=True, wanted={x.node for x in self.leaves.values()}))
        for (name, x), g in zip(self.leaves.items(), self.gradients()):
            theirs, ours = np.asarray(g), np.asarray(found.get(x.node, np.zeros(x.shape)))
            if far(ours, theirs) > TOLERANCE[x.dtype]:
                place = np.unravel_index(np.argmax(np.abs(ours - theirs)), x.shape)
                what, whose = f"dz/d{name} at {list(map(int, place))}", f"{self.library.name}'s"
                problems.append(Problem(self.door, what, float(ours[place]), float(theirs[place]), whose))
        return Check(problems, sum(x.size for x in self.leaves.values()))
