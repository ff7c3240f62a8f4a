"""Random programs of PyTorch that write in place and look at the same memory through many views.

`source(seed)` is the text of one. Each line was tried on shapes alone, so most lines are legal; one that PyTorch refuses
stands in the program too, in a block that notes the error.
"""

import random
import re

import torch

LEAVES = """\
a = torch.randn(4, 6, dtype=torch.float64, requires_grad=True)
b = torch.randn(6, dtype=torch.float64, requires_grad=True)
c = torch.rand(2, 3, 4, dtype=torch.float64).requires_grad_()
"""
HEAD = "v0, v1, v2 = torch.zeros(4, 6, dtype=torch.float64), a * 2, c.sin()"
LINES = 14


def source(seed):
    """Return the text of a random program."""
    dice = random.Random(seed)
    names = {"torch": torch, "errors": []}
    torch.manual_seed(seed)
    exec(LEAVES + HEAD, names)
    text, alive = [HEAD], ["a", "b", "c", "v0", "v1", "v2"]
    while len(text) < LINES:
        new = f"v{len(text) + 2}"
        x = dice.choice(alive[-6:] if dice.random() < 0.7 else alive)
        try:
            line = dice.choice(KINDS)(dice, names, x, alive)
        except (RuntimeError, IndexError):  # x is a view that PyTorch does not let one look at any more
            line = None
        if line is None:
            continue
        targets = [new, *[f"{new}_{i}" for i in range(dice.randrange(3))]]
        line = line.replace("NEW", new)
        if "MANY" in line:
            line = line.replace("MANY", ", ".join(targets)).replace("COUNT", str(len(targets)))
        try:
            exec(line, names)
        except (RuntimeError, ValueError, IndexError, TypeError) as refused:
            if not isinstance(refused, RuntimeError) or dice.random() < 0.7:
                continue
            if line.startswith("with"):
                continue
            line = f"try: {line}\nexcept RuntimeError as e: errors.append(str(e))"
        text.append(line)
        alive += [n for n in targets if isinstance(names.get(n), torch.Tensor) and names[n].is_floating_point() and names[n].numel()]
    used = [n for n in ("v0", "v1", "v2", *dice.sample(alive, min(5, len(alive)))) if not names[n].detach().isnan().any()]
    text.append("z = " + " + ".join(f"({n} * torch.linspace(0.5, 1.5, {n}.numel()).view({n}.shape)).sum()" for n in used))
    return "\n".join(text)


def sizes(x):
    return tuple(x.shape)


def part(dice, n):
    """Return an index of one axis of length n, as text."""
    start = dice.randrange(n)
    stop = dice.randrange(start + 1, n + 1)
    return dice.choice([str(start), str(-1 - start), f"{start}:{stop}", f"{start}:", f":{stop}", f"::{dice.randint(1, 2)}", ":", "..."])


def index(dice, t):
    """Return an index of a tensor that makes a view, as text."""
    parts = [part(dice, n) for n in t.shape[: dice.randint(1, max(t.ndim, 1))]]
    if parts.count("...") > 1:
        parts = [":" if p == "..." else p for p in parts]
    if dice.random() < 0.1:
        parts.insert(0, "None")
    return ", ".join(parts) or "..."


def lines(text, **fields):
    """Return the alternatives that a text lists with |, with the fields filled in."""
    return [part.strip().format(**fields) for part in text.split("|")]


def chosen(dice, t, x):
    """Return an index by a mask, a list or arrays of integers, as text.

    No place stands there twice: PyTorch says that its gradient is undefined if two values are written to the same place.
    """
    n = t.shape[0]
    several = dice.sample(range(n), dice.randint(1, min(n, 4)))
    mask, bound = [i % 2 == 0 for i in range(n)], dice.choice([-0.5, 0, 0.5])
    found = lines("{x} > {b} | {i} | torch.tensor({i}) | torch.tensor({mask})", x=x, b=bound, i=several, mask=mask)
    if t.ndim > 1:
        other = [dice.randrange(t.shape[1]) for _ in several]
        unique = dice.sample(range(t.shape[1]), dice.randint(1, t.shape[1]))
        found += lines("{i}, {j} | torch.tensor({i}), {j[0]} | :, {k} | {i[0]}, {k}", i=several, j=other, k=unique)
    if t.ndim > 2:
        found.append(f"{several}, :, {[dice.randrange(t.shape[2]) for _ in several]}")
    return dice.choice(found)


def value(dice, names, shape, alive):
    """Return something to write into a shape: a number, a tensor that fits, or an expression of tensors, as text."""
    fits = [n for n in alive if sizes(names[n]) == tuple(shape)]
    broadcasts = [n for n in alive if broadcasts_to(names[n].shape, shape)]
    found = [str(dice.choice([0, 2.5, -1]))]
    found += [dice.choice(fits)] * 3 if fits else []
    found += [dice.choice(broadcasts), f"{dice.choice(broadcasts)} * 2"] if broadcasts else []
    found += lines("{n}.sum() * 0.1 | {n}.mean().expand({shape})", n=dice.choice(alive), shape=tuple(shape))
    return dice.choice(found)


def broadcasts_to(shape, wanted):
    return len(shape) <= len(wanted) and all(p in (1, q) for p, q in zip(reversed(shape), reversed(wanted)))


VIEWS = """{x}[{i}] | {x}[{i}] | {x}[{i}] | {x}[{i}] | {x}.view(-1) | {x}.reshape(-1) | {x}.unsqueeze({d}) | {x}.detach() | {x}.data
    | {x}.view_as({x})"""
VIEWS_OF_AXES = """{x}.select({d}, {start}) | {x}.narrow({d}, {start}, {length}) | {x}.transpose({d}, {e}) | {x}.movedim({d}, {e})
    | {x}.unfold({d}, {length}, {step}) | {x}.flatten() | {x}.unflatten({d}, ({n}, 1))"""
VIEWS_OF_MATRICES = "{x}.T | {x}.t() | {x}.diagonal({step} - 1) | {x}.view({x}.shape[::-1])"
VIEWS_OF_MORE = "{x}.mT | {x}.diagonal(0, 0, 1) | {x}.permute(2, 0, 1) | {x}.flatten(1)"


def view(dice, names, x, alive):
    t = names[x]
    d, e = (dice.randrange(t.ndim), dice.randrange(t.ndim)) if t.ndim else (0, 0)
    n = t.shape[d] if t.ndim else 1
    start = dice.randrange(n)
    length, step = dice.randrange(n - start) + 1, dice.randint(1, 2)
    found = lines(VIEWS, x=x, i=index(dice, t), d=d)
    for wanted, text in ((t.ndim, VIEWS_OF_AXES), (t.ndim == 2, VIEWS_OF_MATRICES), (t.ndim > 2, VIEWS_OF_MORE)):
        found += lines(text, x=x, d=d, e=e, start=start, length=length, step=step, n=n) if wanted else []
    if t.ndim and 1 not in t.shape:
        found.append(f"{x}.unsqueeze(-1).expand(*{sizes(t)}, 2)")
    if t.numel() >= 6:
        found.append(f"{x}.as_strided((2, 2), {dice.choice([(1, 2), (2, 1), (3, 1)])}, {x}.storage_offset() + {dice.randrange(2)})")
    return f"NEW = {dice.choice(found)}"


def views(dice, names, x, alive):
    t = names[x]
    if not t.ndim:
        return None
    d = dice.randrange(t.ndim)
    several = "{x}.unbind({d}) | {x}.split({n}, {d}) | {x}.chunk(COUNT, {d}) | {x}.tensor_split(COUNT, {d}) | {x}"
    return "MANY, *_ = " + dice.choice(lines(several, x=x, d=d, n=dice.randint(1, t.shape[d])))


COMPUTED = """{x} * {y} | {x} + {y} | {x}.sin() | {x} - {x}.mean() | {x}.clone() | torch.tanh({x}) | torch.where({x} > 0, {x}, {y})
    | torch.stack([{x}, {y}]) | {x}.contiguous() | {x}.detach().clone().requires_grad_() | torch.zeros_like({x})"""


def computed(dice, names, x, alive):
    t = names[x]
    y = dice.choice([n for n in alive if sizes(names[n]) == sizes(t)])
    found = lines(COMPUTED, x=x, y=y)
    found.append(f"torch.einsum('...i,...i->...i', {x}, {y})" if t.ndim else f"{x}.exp().clamp(max={1 + dice.random():.3f})")
    found.append(f"({x}.T @ {y}).tanh()" if t.ndim == 2 else f"-{x}")
    return f"NEW = {dice.choice(found)}"


def overlaps(t):
    """Return whether two entries of a tensor share memory. PyTorch leaves open what a write to them does."""
    memory = torch.arange(t.untyped_storage().nbytes() // t.element_size())
    return len(memory.as_strided(t.shape, t.stride(), t.storage_offset()).unique()) < t.numel()


WRITES = """{x} += {y} | {x} *= {y} | {x} -= {y} | {x}.mul_({y}) | {x}.zero_() | {x}.fill_(0.5) | {x}.sin_() | torch.relu_({x})
    | {x}.clamp_(-{p:.3f}, {q:.3f}) | {x}.neg_() | {x}.tanh_() | {x}.masked_fill_({x} > 0.2, {p:.3f})
    | torch.nn.functional.relu({x}, inplace=True)"""
WRITES_OF_TENSORS = """{x}.copy_({y}) | {x}.copy_({y}) | {x}.addcmul_({y}, {x}.detach(), value=0.3) | {x}.lerp_(({y}).expand_as({x}), 0.25)
    | {x}.add_({y}, alpha=0.5)"""
WRITES_OF_AXES = "{x}.index_fill_({d}, torch.tensor({i}), 0.3) | {x}.masked_scatter_({x} > 0, {x}.detach() * 2)"
WRITES_OF_PARTS = """{x}.index_add_({d}, torch.tensor({i}), {y}) | {x}.index_copy_({d}, torch.tensor({i}), {y})
    | {x}.scatter_add_({d}, torch.zeros({shape}, dtype=int), {y})
    | {x}.scatter_({d}, torch.tensor({i}).view({line}).expand({shape}), {y})"""
SHAPES = "{x}.squeeze_({d}) | {x}.transpose_(0, -1) | {x}.unsqueeze_(0)"


def write(dice, names, x, alive):
    t = names[x]
    if overlaps(t):
        return None
    y = value(dice, names, t.shape, alive)
    found = lines(WRITES, x=x, y=y, p=dice.random(), q=dice.random())
    if y[0] not in "-0123456789":
        found += lines(WRITES_OF_TENSORS, x=x, y=y)
    if t.ndim:
        d = dice.randrange(t.ndim)
        places = dice.sample(range(t.shape[d]), min(2, t.shape[d]))
        part = sizes(t)[:d] + (len(places),) + sizes(t)[d + 1 :]
        y = value(dice, names, part, alive)
        found += lines(WRITES_OF_AXES, x=x, d=d, i=places)
        found += lines(SHAPES, x=x, d=d) if dice.random() < 0.15 else []
        if "expand" in y or (y in alive and sizes(names[y]) == part):
            line = (1,) * d + (-1,) + (1,) * (t.ndim - d - 1)
            found += lines(WRITES_OF_PARTS, x=x, y=y, d=d, i=places, shape=part, line=line)
    return dice.choice(found)


def assign(dice, names, x, alive):
    t = names[x]
    if overlaps(t):
        return None
    if not t.ndim:
        return f"{x}[...] = {value(dice, names, (), alive)}"
    where = index(dice, t) if dice.random() < 0.5 else chosen(dice, t, x)
    shape = eval(f"{x}[{where}]", names).shape
    sign = dice.choice(["=", "=", "=", "+=", "*="])
    return f"{x}[{where}] {sign} {value(dice, names, shape, alive)}"


UNRECORDED = """{x}.detach().mul_(0.5) | {x}.data.add_(1) | {x}.detach()[...] = 0.25 | {x}.detach().numpy()[...] = 0.75"""
CHANGED = """{x}.detach_() | {x}.requires_grad_() | NEW = {x}.detach().requires_grad_() | NEW = torch.no_grad()(lambda: {x}[...])()
    | NEW = {x}.detach().requires_grad_().clone()"""


def unrecorded(dice, names, x, alive):
    """Write where PyTorch does not record it."""
    if overlaps(names[x]):
        return None
    if dice.random() < 0.6:
        inner = dice.choice([write, assign])(dice, names, x, alive)
        changes_shape = inner.endswith("t_()") or "squeeze_" in inner or "transpose_" in inner  # there PyTorch cannot differentiate it
        return None if changes_shape else f"with torch.no_grad(): {inner}"
    has_views = names[x]._base is not None or any(names[n]._base is names[x] for n in alive)
    found = lines(UNRECORDED, x=x)
    return dice.choice(found if has_views else [*found, f"{x}.data = {x}.data * 2"])  # else it parts a view from its base


def changed(dice, names, x, alive):
    """Change what PyTorch differentiates."""
    found = lines(CHANGED, x=x)
    if names[x]._base is None:  # PyTorch crashes at a hook of a view made under no_grad
        found.append(f"{x}.register_hook(lambda g: g * 2)")
    return dice.choice(found)


KINDS = [view] * 5 + [views] * 2 + [computed] * 4 + [write] * 4 + [assign] * 4 + [unrecorded] * 2 + [changed]


def run(text, seed, how):
    """Run a program as how(program). Return (what that returned, the program's names, its error)."""
    names = {"torch": torch, "errors": []}
    torch.manual_seed(seed)
    exec(LEAVES, names)
    code = compile(text, f"program {seed}", "exec")

    def program():
        exec(code, names)
        return names["z"]

    try:
        return how(program), names, None
    except Exception as error:
        return None, names, error


def verdict(seed, from_torch):
    """Say how a recording of a random program compares with the program alone: "right", "refused by PyTorch", or what is wrong."""
    text = source(seed)
    alone, before, refused = run(text, seed, lambda program: program())
    seen, after, error = run(text, seed, from_torch)
    if refused is not None:
        return "refused by PyTorch" if repr(error) == repr(refused) else f"{error!r} in place of {refused!r}"
    if not alone.requires_grad:
        return "right" if "does not require grad" in str(error) else f"{error!r} though no gradient is asked for"
    if error is not None:
        return repr(error)
    if before["errors"] != after["errors"] or not torch.equal(seen.loss.nan_to_num(), alone.nan_to_num()):
        return "the program ran otherwise"
    try:
        alone.backward()
    except (RuntimeError, TypeError):
        return "refused by PyTorch"  # what it saved was written to, or a hook got None
    seen.z.backward()
    ours = {id(t): torch.tensor(x.grad) for t, x in seen.leaves if x.grad is not None}
    for name in "abc":
        theirs, zeros = before[name].grad, torch.zeros_like(before[name])
        found = ours.get(id(after[name]), zeros)
        theirs = zeros if theirs is None else theirs
        if before[name].requires_grad and not torch.allclose(found, theirs, rtol=1e-6, atol=1e-7, equal_nan=True):
            return "PyTorch used changed numbers" if changed_unseen(text, seed) else f"the gradient of {name} is wrong"
    return "right"


def changed_unseen(text, seed):
    """Return whether PyTorch differentiates at numbers that .data or NumPy changed after use: with detach(), which counts, it refuses."""
    counted = re.sub(r"(\w+)\.data = \w+\.data \* 2", r"\1.detach().mul_(2)", text)
    counted = re.sub(r"\.data\b", ".detach()", counted).replace(".numpy()", "")
    alone, _, error = run(counted, seed, lambda program: program())
    try:
        return counted != text and (error is not None or alone.backward() is not None)
    except RuntimeError:
        return True
