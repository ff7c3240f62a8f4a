"""PyTorch's names of functions and arguments with ours, advice for arguments that are not here, and the types of arguments by name."""

NUMPYS = {"axis", "axes", "keepdims", "ddof"}  # known to be NumPy's; modules have PyTorch's dim

# fmt: off
CALLED = {  # PyTorch's name of an argument: ours, the first that the function has
    "input": ("x", "a", "A", "C", "x1", "index"), "tensor": ("x", "index"), "a": ("x", "A"),
    "other": ("b", "B"), "exponent": ("b",), "divisor": ("b",), "end": ("b",), "tensor1": ("a",), "tensor2": ("b", "B"),
    "mat1": ("A",), "mat2": ("B",), "batch1": ("A",), "batch2": ("B",), "vec": ("x",), "vec2": ("b",),
    "input1": ("x1",), "input2": ("x2",), "tensors": ("xs",), "arrays": ("xs",),
    "dim": ("axis", "axes"), "dims": ("axis", "axes", "reps"), "dimension": ("axis",), "axis": ("dim",),
    "dim0": ("axis1", "axes"), "axis0": ("axis1",), "dim1": ("axis1", "axes"), "dim2": ("axis2",),
    "keepdim": ("keepdims",), "correction": ("ddof",), "p": ("ord",), "diagonal": ("k",),
    "weight": ("W", "table"), "bias": ("b",),
    "size": ("shape",), "pad": ("pad_width",), "shifts": ("shift",), "indices": ("index",), "value": ("constant_values", "v"),
    "descending": ("largest",), "split_size": ("indices_or_sections",), "split_size_or_sections": ("indices_or_sections",),
    "optimiser": ("optimizer",), "learning_rate": ("lr",), "schedules": ("schedulers",),
    "label": ("name",), "query": ("q",), "key": ("k",), "attn_mask": ("mask",), "is_causal": ("causal",),
    "low": ("min",), "high": ("max",), "slope": ("negative_slope",), "c": ("condition",),  # as scalargrad called them once
}
INTEGER = {  # arguments that are one integer, in every function
    "axis1", "axis2", "start_dim", "end_dim", "k", "chunks", "start", "length", "offset", "groups", "num_groups", "num_classes",
    "upscale_factor", "downscale_factor",
}
SEVERAL = {  # that are one or several
    "axis", "axes", "shape", "sizes", "shift", "repeats", "reps", "pad_width", "indices_or_sections", "normalized_shape", "kth",
}
NUMBERS = {  # that are one number
    "alpha", "beta", "eps", "p", "ord", "ddof", "correction", "initial", "decimals", "momentum", "margin", "delta", "label_smoothing",
    "nan", "posinf", "neginf",
}
# fmt: on
ADVICE = {  # where we have no such argument
    "requires_grad": "a Tensor is a variable unless keep_grad=False",
    "constant": "keep_grad=False makes a constant",
    "copy": "data is copied",
    "unbiased": "write ddof=1 (unbiased) or ddof=0, as in NumPy",
    "inplace": "no function works in place; take the result",
    "out": "a tensor cannot be written into; take the result",
    "device": "there is one device, the CPU",
    "dtype": "the result has the dtype of its inputs; write .astype(np.float32) or .astype(np.float64)",
    "size_average": 'write reduction="mean", "sum" or "none"',
    "reduce": 'write reduction="mean", "sum" or "none"',
    "alpha": "multiply b first",
    **dict.fromkeys(["foreach", "fused", "capturable", "differentiable"], "there is one way to compute a step; leave it out"),
    "verbose": "print schedule.get_last_lr()",
    "rounding_mode": "write floor(a / b) or trunc(a / b)",
}


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
