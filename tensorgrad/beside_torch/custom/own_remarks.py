"""What a picture says of a custom function whose backward is wrong: the first problem of its check, at the input that it is about."""

from functools import partial

import torch

from scalargrad.user_names.remarks import Remark, note
from tensorgrad.beside_torch.calls.limits import same_dice
from tensorgrad.beside_torch.custom.check_own import OwnCheck

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
