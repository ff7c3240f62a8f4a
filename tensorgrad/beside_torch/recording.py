"""A recording of a PyTorch program: the loss as a tensor of ours, the calls, and the gradients of both."""

from collections import Counter
from functools import partial

import torch

from scalargrad import callers
from scalargrad.graph import inputs_first
from scalargrad.user_names.remarks import Remark, note
from tensorgrad.beside.call import OURS
from tensorgrad.beside_torch.calls.limits import Dice, eager, same_dice, without_steps
from tensorgrad.beside_torch.calls.refusals import refuse_result
from tensorgrad.beside_torch.calls.their_warnings import at_the_program
from tensorgrad.beside_torch.checking.check import RecordingCheck
from tensorgrad.beside_torch.custom.own_functions import watched
from tensorgrad.beside_torch.mistakes.future import AHEAD, looks_ahead
from tensorgrad.beside_torch.mistakes.optimisers import not_trained
from tensorgrad.beside_torch.mistakes.seldom_meant import half_normalised
from tensorgrad.beside_torch.names import TorchWitness
from tensorgrad.beside_torch.recorder import OWN, THEIRS, Recorder
from tensorgrad.beside_torch.report.not_finite import first_value
from tensorgrad.beside_torch.report.parameters import note_stops, some
from tensorgrad.beside_torch.report.report import Report


class Recording:
    """What `from_torch` saw: `z`, the loss as our tensor, for draw, play, explore, memory and check; `calls`; `leaves`.

    `leaves` are the tensors that the graph begins at: pairs of PyTorch's and ours. `loss` is PyTorch's own result.
    """

    def __init__(self, recorder, program, dice, loss, parameters):
        self.program, self.dice, self.loss, self.calls, self.flow = program, dice, loss, recorder.calls, recorder.flow
        self.z, self.leaves = recorder.variables[loss], recorder.variables.leaves
        self.functions = recorder.variables.functions.nodes  # {(grad_fn, number of its result): our variable}
        self.views, self.remarks = recorder.variables.views, recorder.seldom_meant.remarks
        self.silent_changes = recorder.variables.silent.changes
        self.made_inside = {id(t): place for t, _ in self.leaves if (place := recorder.made_inside.place(t))}
        self.parameters, self.names_outside, self.frozen = parameters, names_outside(program), recorder.frozen
        self.seldom_meant, self.reported = recorder.seldom_meant, False
        note_stops(self)
        self.note_whole(recorder)
        paths = recorder.modules.paths
        self.norms = [".".join(paths[m]) for m in recorder.modules.norms]
        end = self.flow.number(loss)
        tried = [m for m, number in recorder.modules.tried if number is not None and not self.flow.ends(number, end)[0]]
        self.tried = [".".join(paths[m]) for m in dict.fromkeys(tried)]
        self.roots, self.buffers, self.attributes = recorder.modules.roots, recorder.modules.buffers, recorder.modules.attributes

    def note_whole(self, recorder):
        """Note what is odd about the program as a whole: what an optimiser does not train, half of a normalisation."""
        ours, flow = {id(t): x for t, x in self.leaves}, self.flow
        used = {number for step in flow.steps for number in step.given}
        for parameters, text in not_trained(recorder.modules.optimisers, recorder.modules.roots, lambda p: flow.start(p) in used):
            self.remarks.append(text)
            self.note("not in the optimiser", text, [ours[id(p)].node for p in parameters if id(p) in ours])
        for call, text in half_normalised(self.calls, lambda call: call.step < 0 or not used.isdisjoint(flow.steps[call.step].made)):
            self.seldom_meant.add(call, "the mean is not used", text)

    def note(self, label, text, variables):
        """Let variables say a remark in pictures; if none of these is in the graph, the loss says it."""
        there = set(inputs_first(self.z.node))
        for v in [v for v in dict.fromkeys(variables) if v in there] or [self.z.node]:
            note(v, partial(list, [Remark(label, f"{text}.")]))

    def look_ahead(self):
        """Note losses of next tokens whose scores know them. This is asked once, since it costs a backward pass."""
        while self.seldom_meant.predicted:
            predicted = self.seldom_meant.predicted.pop()
            if predicted.call.results[0].node.edges is not None and looks_ahead(predicted):
                self.seldom_meant.add(predicted.call, "knows the target", AHEAD)

    @property
    def leaf_names(self):
        """The names of the leaves, in their order."""
        return [x.name or self.names_outside.get(id(t)) or f"a tensor of shape {x.shape}" for t, x in self.leaves]

    def check(self):
        """Return a RecordingCheck: our gradients against PyTorch's, and both against finite differences. It is true if all agree.

        Each custom torch.autograd.Function is compared entry by entry, so from_torch(lambda: F.apply(x).sum()).check() checks F at x. The
        whole program is compared along random directions: it runs again, some 20 times, in float64 where it can, with the random
        numbers of its first run, on copies of its tensors. Its gradients, buffers and random state stay as they are. Hooks run.
        Call it before `z.backward()`, which releases our graph: afterwards it raises RuntimeError. If backward() has freed PyTorch's, the
        program runs once more without it.
        """
        with same_dice():  # a backward may draw random numbers
            return RecordingCheck(self)

    def report(self):
        """Return a Report, to print: what is seldom meant, such as a loss that broadcasts; gradients and why there are none; nan and inf;
        dead units; memory; calls without a rule of ours.

        Call it before `z.backward()`, which releases the graph. Raises RuntimeError afterwards.
        """
        return Report(self)

    def __graph__(self):
        """Return what pictures and pages show of a recording in the place of a variable."""
        if not self.reported and not any(v.released for v in inputs_first(self.z.node)):
            self.report()  # which lets the variables know what is odd about them
        return self.z

    def __repr__(self):
        by = Counter(call.by for call in self.calls)
        return f"<recording of {len(self.calls)} calls: " + ", ".join(f"{by[who]} by {who}" for who in (OURS, THEIRS, OWN)) + ">"


def recorded(program):
    recorder, dice = Recorder(), Dice()
    witness = TorchWitness(recorder.variables)
    recorder.observers.append(witness.see)
    with recorder.modules.watched(), watched(recorder), without_steps(recorder), eager(), at_the_program(), recorder:
        loss = run(program, recorder)
    refuse_result(loss)
    cuts = ", ".join(map(str, recorder.flow.cuts_before(loss)))
    if not loss.requires_grad or (cuts and loss.grad_fn is None):
        frozen = some([name for p, name in recorder.modules.names().items() if not p.requires_grad])
        without = f"it depends on no tensor that does{f'; frozen are {frozen}' if frozen else ''}"
        why = f"the gradient is cut off by {cuts}" if cuts else without
        why += "; from_torch was called under no_grad" if not torch.is_grad_enabled() else ""
        what = "is a new leaf" if loss.requires_grad else "does not require grad"
        raise RuntimeError(f"from_torch: the loss {what}: {why}")
    parameters = recorder.modules.names()
    for t, x in recorder.variables.leaves:
        if t in parameters:
            x.name = parameters[t]
    witness.look_at_last()
    z = recorder.variables[loss].node
    variables = inputs_first(z)
    witness.name_constants(variables)
    z.name = str(z.name or "loss")
    recorder.modules.leave_out_root([*recorder.calls, *variables])
    return Recording(recorder, program, dice, loss, parameters)


def run(program, recorder):
    """Run a program. If it raises, the error also names the first value that is not finite, which may be the real cause."""
    try:
        return program()
    except Exception as wrong:
        arrays = {x.node: x.data for _, x in recorder.variables.leaves} | {v.node: v.data for call in recorder.calls for v in call.results}
        if found := first_value(recorder.calls, arrays):
            wrong.add_note(f"from_torch: before this, {found}")
        raise


def names_outside(program):
    """Return {id of a tensor: its name} for the variables around a program, and those of the functions that called from_torch."""
    cells = zip(getattr(program, "__code__", names_outside.__code__).co_freevars, getattr(program, "__closure__", None) or ())
    held = [{name: cell.cell_contents for name, cell in cells}, *[frame.f_locals for frame in callers.callers()]]
    return {id(t): name for names in held[::-1] for name, t in names.items() if isinstance(t, torch.Tensor)}
