"""PyTorch's names of arguments with ours, advice for arguments that are not here, and the types of arguments by name."""

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
