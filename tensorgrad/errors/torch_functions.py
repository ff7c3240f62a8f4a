"""PyTorch's function for each of ours. A function that is not listed here has the same name in torch."""

# fmt: off
FUNCTIONAL = {  # in torch.nn.functional, under the same name
    "softplus", "gelu", "silu", "leaky_relu", "elu", "relu6", "hardtanh", "hardsigmoid", "hardswish", "logsigmoid", "softsign", "mish",
    "glu", "prelu", "selu", "celu", "softmax", "log_softmax", "pad", "one_hot", "linear", "bilinear", "embedding", "unfold", "fold",
    "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d",
    "max_pool1d", "max_pool2d", "max_pool3d", "avg_pool1d", "avg_pool2d", "avg_pool3d", "lp_pool1d", "lp_pool2d", "lp_pool3d",
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d",
    "adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d",
    "interpolate", "pixel_shuffle", "pixel_unshuffle", "normalize", "cosine_similarity", "dropout", "scaled_dot_product_attention",
    "batch_norm", "instance_norm", "layer_norm", "group_norm", "rms_norm",
    "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy", "binary_cross_entropy_with_logits", "kl_div",
    "hinge_embedding_loss", "poisson_nll_loss", "gaussian_nll_loss", "cross_entropy", "nll_loss",
}
LINALG = {  # in torch.linalg, under the same name
    "norm", "vector_norm", "matrix_norm", "cond", "inv", "pinv", "det", "slogdet", "solve", "cholesky", "eig", "eigvals", "eigh",
    "eigvalsh", "svd", "svdvals", "matrix_rank", "matrix_power", "multi_dot", "vecdot", "cross",
}
OTHER_NAMES = {  # None: PyTorch has no such function
    "max": "torch.amax", "min": "torch.amin",  # they share a tie evenly; torch.max along an axis does not
    "view": "torch.Tensor.view", "expand": "torch.Tensor.expand", "getitem": "torch.Tensor.__getitem__", "astype": "torch.Tensor.to",
    "repeat": "torch.repeat_interleave", "split": "torch.tensor_split", "array_split": "torch.tensor_split",
    "transpose": "torch.permute", "matrix_transpose": "torch.Tensor.mT", "rollaxis": "torch.movedim", "expand_dims": "torch.unsqueeze",
    "append": "torch.cat", "take_along_axis": "torch.take_along_dim", "mse": "torch.nn.functional.mse_loss",
    "bce": "torch.nn.functional.binary_cross_entropy", "multi_head_attention": "torch.nn.functional.multi_head_attention_forward",
    **dict.fromkeys([
        "cbrt", "scale", "safe_log", "nanmax", "nanmin", "nanprod", "nanvar", "nanstd", "partition", "argpartition", "average", "ptp",
        "conv", "conv_transpose", "max_pool", "avg_pool", "lp_pool", "smooth_max_pool", "smooth_max_pool1d", "smooth_max_pool2d",
        "smooth_max_pool3d", "adaptive_avg_pool", "adaptive_max_pool", "batch_norm_relu",
    ]),
}
# fmt: on


def in_torch(name: str) -> str | None:
    """Return the full name of PyTorch's function for one of ours, or None if it has none.

    >>> in_torch("tanh"), in_torch("layer_norm"), in_torch("max"), in_torch("cbrt")
    ('torch.tanh', 'torch.nn.functional.layer_norm', 'torch.amax', None)
    """
    if name in OTHER_NAMES:
        return OTHER_NAMES[name]
    return f"torch.{'nn.functional.' * (name in FUNCTIONAL)}{'linalg.' * (name in LINALG)}{name}"
