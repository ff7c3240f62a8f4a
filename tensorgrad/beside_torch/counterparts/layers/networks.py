"""Convolutions, pooling, norms and tables: the functions of layers."""

import tensorgrad as tg
from tensorgrad.beside_torch.counterparts.moves import moved
from tensorgrad.beside_torch.counterparts.table import Unsupported, beside


def conv_of(axes):
    def conv(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
        return getattr(tg, f"conv{axes}d")(input, weight, bias, stride, padding, dilation, groups)

    def conv_transpose(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
        return getattr(tg, f"conv_transpose{axes}d")(input, weight, bias, stride, padding, output_padding, groups, dilation)

    def avg_pool(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
        return getattr(tg, f"avg_pool{axes}d")(input, kernel_size, stride or None, padding, ceil_mode, count_include_pad, divisor_override)

    def adaptive_avg_pool(input, output_size):
        return getattr(tg, f"adaptive_avg_pool{axes}d")(input, output_size)

    for function in (conv, conv_transpose, avg_pool, adaptive_avg_pool):
        beside(f"{function.__name__}{axes}d")(function)


for axes in (1, 2, 3):
    conv_of(axes)


@beside("F.batch_norm")
def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    means = (None, None) if training else (running_mean.data, running_var.data)
    return tg.batch_norm(input, *means, weight, bias, training, momentum, eps)


@beside("torch._weight_norm")
def weight_norm(v, g, dim=0):
    """The direction of v with the length g: one length for each place along dim, or one for all with dim=-1."""
    return v * (g / tg.vector_norm(v, None if dim == -1 else tuple([i for i in range(v.ndim) if i != dim]), True))


@beside("layer_norm", "torch.native_layer_norm")
def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    return tg.layer_norm(input, tuple(normalized_shape), weight, bias, eps)


beside("group_norm")(lambda input, num_groups, weight=None, bias=None, eps=1e-5: tg.group_norm(input, num_groups, weight, bias, eps))
beside("rms_norm")(lambda input, normalized_shape, weight=None, eps=None: tg.rms_norm(input, tuple(normalized_shape), weight, eps))


@beside("F.instance_norm")
def instance_norm(
    input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-5
):  # fmt: skip
    means = (None, None) if use_input_stats else (running_mean.data, running_var.data)
    return tg.instance_norm(input, *means, weight, bias, use_input_stats, momentum, eps)


@beside("torch.native_group_norm")
def native_group_norm(input, weight, bias, N, C, HxW, group, eps):
    """Returns the means and 1 / √(variance + eps) of each group too."""
    x = tg.reshape(input, (N, group, -1))
    y = tg.group_norm(tg.reshape(input, (N, C, HxW)), group, weight, bias, eps)
    return tg.reshape(y, input.shape), tg.mean(x, 2), 1 / tg.sqrt(tg.var(x, 2) + eps)


@beside("torch.native_batch_norm", "torch._native_batch_norm_legit")
def native_batch_norm(input, weight, bias, running_mean, *options):
    running_var, training, momentum, eps = options if len(options) == 4 else (None, running_mean, *options[:2])
    return batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


@beside("aten._batch_norm_with_update")
def batch_norm_with_update(input, weight, bias, running_mean, running_var, momentum, eps):
    return tg.batch_norm(input, None, None, weight, bias, True, momentum, eps)


@beside("F.embedding")
def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    if max_norm is not None or scale_grad_by_freq or sparse:
        raise Unsupported("max_norm, scale_grad_by_freq or sparse")
    return tg.embedding(input, weight, padding_idx=padding_idx)


@beside("F.pad", theirs=True)
def of_pad(input, pad, mode="constant", value=None, theirs=None):
    if mode != "constant":
        return moved(input, theirs=theirs)
    kept = tuple([slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(input.shape, pairs(input, pad))])
    input = tg.getitem(input, kept) if min(pad, default=0) < 0 else input
    return tg.pad(input, [(max(a, 0), max(b, 0)) for a, b in pairs(input, pad)], constant_values=value or 0)


def pairs(input, pad):
    """Return PyTorch's pad, which begins at the last axis, as one pair for each axis from the first."""
    return [(0, 0)] * (input.ndim - len(pad) // 2) + [(pad[i], pad[i + 1]) for i in range(len(pad) - 2, -1, -2)]


beside("torch.constant_pad_nd", theirs=True)(lambda input, pad, value=0, theirs=None: of_pad(input, pad, value=value, theirs=theirs))
beside("pixel_shuffle")(lambda input, upscale_factor: tg.pixel_shuffle(input, upscale_factor))
beside("F.normalize")(lambda input, p=2.0, dim=1, eps=1e-12, out=None: tg.normalize(input, p, dim, eps))
beside("F.cosine_similarity")(lambda x1, x2, dim=1, eps=1e-8: tg.cosine_similarity(x1, x2, dim, eps))
beside("F.unfold")(lambda input, kernel_size, dilation=1, padding=0, stride=1: tg.unfold(input, kernel_size, dilation, padding, stride))


@beside("F.fold")
def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    return tg.fold(input, output_size, kernel_size, dilation, padding, stride)
