"""Which of PyTorch's functions have a counterpart here: its own samples of each, recorded by from_torch, gradients compared.

    python -m benchmarks.torch_coverage                       every function
    python -m benchmarks.torch_coverage linalg.inv nn.RNN     these functions, or modules
    python -m benchmarks.torch_coverage --modules             every module

The samples are those that PyTorch tests itself with: op_db, in float64, at most 12 of each function, and module_db, in training and in
evaluation, made by expecttest. The loss is the sum of the results times fixed random weights. A sample whose result needs
no gradient is left out.

A row counts the samples: `ours`, each call by a rule of tensorgrad; `theirs`, at least one call is a box whose vjp PyTorch computes;
`refused`, with a sentence; `raised`, any other exception; `wrong`, a gradient differs from PyTorch's. The reason is that of the first
sample that is not ours.

Needs: torch, expecttest.
"""

import sys
import warnings
from collections import Counter
from functools import partial
from itertools import islice

from benchmarks.rounds import installed, one_thread

one_thread()

SAMPLES = 12
CLOSE = {"rtol": 1e-5, "atol": 1e-8, "equal_nan": True}
KINDS = ("ours", "theirs", "refused", "raised", "wrong")


def results_of(y):
    """Return the tensors in a result that PyTorch could differentiate."""
    from torch.utils._pytree import tree_flatten

    return [t for t in tree_flatten(y)[0] if hasattr(t, "requires_grad") and t.requires_grad]


def weighted(results):
    """Return the sum of all results times fixed random weights."""
    import torch

    generator, total = torch.Generator().manual_seed(0), 0
    for y in results:
        y = torch.view_as_real(y.resolve_conj().contiguous()) if y.is_complex() else y
        total = total + (y * torch.rand(y.shape, generator=generator, dtype=torch.float64).to(y.dtype)).sum()
    return total


def verdict(program):
    """Return (kind, reason) of a program, a function of no arguments that returns results of PyTorch's; None if they need no gradient."""
    import torch

    from scalargrad.graph import ancestors
    from tensorgrad import from_torch
    from tensorgrad.beside.call import OURS

    try:
        if not results_of(program()):
            return None
    except Exception:  # this build of PyTorch cannot compute the sample
        return None
    try:
        seen = from_torch(lambda: weighted(results_of(program())))
        theirs = gradients_of(seen)
        if theirs is None:
            return None
        seen.z.backward()
    except RuntimeError as refused:
        return ("refused" if str(refused).startswith("from_torch: ") else "raised"), str(refused)
    except Exception as error:
        return "raised", f"{type(error).__name__}: {error}"
    for (t, x), g in zip(seen.leaves, theirs):
        ours = torch.zeros_like(t) if x.grad is None else torch.tensor(x.grad).to(g.dtype)
        if not torch.allclose(ours, g, **CLOSE):
            return "wrong", f"a gradient of shape {tuple(g.shape)} differs by {(ours - g).abs().max():.2g}"
    graph = ancestors(seen.z.node)
    used = {id(y) for y in graph}
    boxes = [call for call in seen.calls if call.by != OURS and any(id(v.node) in used for v in call.results)]
    if boxes:
        return "theirs", f"{boxes[0].name}: {boxes[0].why or 'no counterpart'}"
    unseen = [y.rule.name for y in graph if getattr(y.rule, "elsewhere", None)]
    return ("theirs", f"{unseen[0]}: computed where PyTorch shows no real numbers") if unseen else ("ours", "")


def gradients_of(seen):
    """Return PyTorch's gradients of the leaves of a recording; None where it has none, as for complex eigenvectors of free length."""
    import torch

    leaves = [t for t, _ in seen.leaves]
    try:
        return torch.autograd.grad(seen.loss, leaves, retain_graph=True, allow_unused=True, materialize_grads=True)
    except RuntimeError:
        return None


def functions():
    """Yield (name, programs) of each function in op_db."""
    import torch
    from torch.testing._internal.common_methods_invocations import op_db

    def programs(op):
        for sample in islice(op.sample_inputs("cpu", torch.float64, requires_grad=True), SAMPLES):
            yield partial(op, sample.input, *sample.args, **sample.kwargs)

    for op in op_db:
        if torch.float64 in op.dtypes and op.supports_autograd:
            yield f"{op.name}.{op.variant_test_name}".strip("."), programs(op)


def modules():
    """Yield (name, programs) of each module in module_db."""
    import torch
    from torch.testing._internal.common_modules import module_db
    from torch.utils._pytree import tree_map

    def programs(info):
        for training in (True, False):
            for sample in info.module_inputs_func(info, "cpu", torch.float64, requires_grad=True, training=training):
                made, given = sample.constructor_input, sample.forward_input
                module = info.module_cls(*made.args, **made.kwargs).to(torch.float64).train(training)
                if given is not None:
                    args, kwargs = tree_map(as_leaf, (given.args, given.kwargs))
                    yield partial(module, *args, **kwargs)

    def as_leaf(x):
        """Some samples were computed from others: the graph begins at them."""
        computed = isinstance(x, torch.Tensor) and x.grad_fn is not None
        return x.detach().requires_grad_() if computed else x

    for info in module_db:
        if torch.float64 in info.dtypes:
            yield info.name, programs(info)


def main(*names):
    if not installed("torch", "pip install torch") or not installed("expecttest", "pip install expecttest", "there are no samples"):
        return
    import torch

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    chosen = [name for name in names if name != "--modules"]
    of_modules = "--modules" in names or any(name.startswith("nn.") and "functional" not in name for name in chosen)
    counts, functions_seen = Counter(), 0
    print(f"{'':44}{'samples':>8}" + "".join(f"{kind:>8}" for kind in KINDS))
    for name, programs in modules() if of_modules else functions():
        if chosen and not any(name == one or name.startswith(f"{one}.") for one in chosen):
            continue
        torch.manual_seed(0)
        found = []
        try:
            found = [v for program in programs if (v := verdict(program))]
        except Exception as error:  # PyTorch's own samples cannot be made here
            print(f"{name:44}  no samples: {type(error).__name__}: {str(error).splitlines()[0]}")
        if found:
            row(name, Counter(kind for kind, _ in found), next((why for kind in KINDS[:0:-1] for k, why in found if k == kind), ""))
            counts, functions_seen = counts + Counter(kind for kind, _ in found), functions_seen + 1
    row(f"{functions_seen} in all", counts, "")
    if total := counts.total():
        print("percent of samples: " + ", ".join(f"{kind} {100 * counts[kind] / total:.1f}" for kind in KINDS))


def row(name, counts, why):
    why = " ".join(why.split())[:110]
    print(f"{name:44}{counts.total():8}" + "".join(f"{counts[kind] or '':>8}" for kind in KINDS) + f"  {why}".rstrip(), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
