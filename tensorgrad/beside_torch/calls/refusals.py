"""What cannot be recorded: which tensor, as the program calls it, at which line, and what to do."""

import torch

from scalargrad.callers import callers, place


def refusal(what, do):
    """Return the RuntimeError that says what cannot be recorded, at which line, and what to do."""
    return RuntimeError(f"from_torch: {what}{at_line()}; {do}")


def refused(t, what, do):
    """Return the RuntimeError that says that a tensor `what`, and what to do."""
    return refusal(f"{called(t)} {what}", do)


def refuse(t):
    """Raise RuntimeError for a tensor that is not an array of real numbers."""
    if t.is_complex():
        raise refused(t, "is complex", "keep its real and imaginary parts as two tensors, as torch.view_as_real gives them")
    if t.layout is not torch.strided:
        raise refused(t, f"has the layout {t.layout}", "convert it with .to_dense()")
    if t.is_quantized:
        raise refused(t, "is quantised", "convert it with .dequantize()")


def refuse_result(loss):
    """Raise TypeError for what a program returned, if it is not a tensor of one entry."""
    if isinstance(loss, torch.Tensor):
        if loss.numel() != 1:
            raise TypeError(
                f"from_torch: the function returned a tensor of shape {tuple(loss.shape)}; return a loss of one entry, such as its .mean()"
            )
        return
    what, do = type(loss).__name__, "return the loss, a tensor of PyTorch"
    if isinstance(loss, dict | list | tuple):
        items = loss.items() if isinstance(loss, dict) else enumerate(loss)
        tensors = {key: tuple(x.shape) for key, x in items if isinstance(x, torch.Tensor)}
        what += "".join(f", [{key!r}] of shape {shape}" for key, shape in tensors.items())
        do = f"say which is the loss: from_torch(lambda: program()[{next((k for k, n in tensors.items() if n == ()), 0)!r}])"
    elif isinstance(loss, float):
        do = "return the tensor itself, without .item() or float()"
    elif loss is None:
        do = "let it return the loss"
    raise TypeError(f"from_torch: the function returned {what}; {do}")


def refuse_earlier(t, by):
    """Return the RuntimeError for a tensor that was computed before the recording began, in which the program keeps a state."""
    what = f"was computed before the recording began, or in another thread, by {by}"
    if state := state_of(t):
        name, several = state
        detached = f"{name} = tuple(h.detach() for h in {name})" if several else f"{name} = {name}.detach()"
        return refusal(f"{name} {what}", f"it is a state that the last call has left: begin each call with a new one, or with {detached}")
    name = called(t) if called(t).isidentifier() else "x"
    return refused(t, what, f"compute it inside the function, or let its gradient end there: {name} = {name}.detach()")


def state_of(t):
    """Return (how the program writes what keeps a tensor from call to call, whether that keeps several); None if nothing does."""
    for frame in callers():
        for name, x in frame.f_locals.items():
            for attribute, held in getattr(x, "__dict__", {}).items() if name.isidentifier() and not isinstance(x, type) else ():
                if held is t:
                    return f"{name}.{attribute}", False
                if isinstance(held, tuple | list) and any(h is t for h in held):
                    return f"{name}.{attribute}", True
    return None


def at_line():
    """Return where the program is, as " (at model.py:35)"."""
    frame = next(callers(), None)
    return f" (at {place(frame.f_code.co_filename, frame.f_lineno)})" if frame else ""


def called(t):
    """Return the name of a tensor in the running program, or "a tensor of shape (2, 3)"."""
    if t.layout is torch.strided:
        for frame in callers():
            for held in (frame.f_locals, frame.f_globals):
                for name, x in [*held.items()]:
                    if x is t and name.isidentifier():
                        return name
                    if isinstance(x, torch.nn.Module):
                        for inner, own in x.named_parameters():
                            if own is t:
                                return inner if name == "self" else f"{name}.{inner}"
    return f"a tensor of shape {tuple(t.shape)}"
