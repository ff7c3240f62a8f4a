"""torch.autograd.grad inside a program: our own derivative, as tensors that can be differentiated again."""

import torch

import tensorgrad as tg
from tensorgrad.beside_torch.counterparts.table import TABLE, Unsupported


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True, allow_unused=None, **options):
    if options.get("is_grads_batched"):
        raise Unsupported("several upstream gradients at once")
    zs, xs = as_list(outputs), as_list(inputs)
    Gs = [None] * len(zs) if grad_outputs is None else as_list(grad_outputs)
    if len(zs) == 1:
        return tg.grad(zs[0], xs, 1 if Gs[0] is None else Gs[0], create_graph=True, unused=0)
    total = sum(tg.sum(z if G is None else z * G) for z, G in zip(zs, Gs))
    return tg.grad(total, xs, create_graph=True, unused=0)


def as_list(x):
    return [*x] if isinstance(x, list | tuple) else [x]


TABLE[torch.autograd.grad] = grad
