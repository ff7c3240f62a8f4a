"""Calls that do not fit: words of PyTorch's and what to write here; arguments of the wrong kind."""

from difflib import get_close_matches
from numbers import Integral, Real
from re import sub

from numpy.exceptions import AxisError
from numpy.linalg import LinAlgError
from numpy.ma import MaskError

from scalargrad.errors import brief

NUMPYS = {"axis", "axes", "keepdims", "ddof"}  # known to be NumPy's

# fmt: off
CALLED = {  # their word for an argument: ours, the first of them that the function has
    "input": ("x", "a", "A", "C", "x1", "index"), "tensor": ("x", "index"), "a": ("x", "A"),
    "other": ("b", "B"), "exponent": ("b",), "divisor": ("b",), "end": ("b",), "tensor1": ("a",), "tensor2": ("b", "B"),
    "mat1": ("A",), "mat2": ("B",), "batch1": ("A",), "batch2": ("B",), "vec": ("x",), "vec2": ("b",),
    "input1": ("x1",), "input2": ("x2",), "tensors": ("xs",), "arrays": ("xs",),
    "dim": ("axis", "axes"), "dims": ("axis", "axes", "reps"), "dimension": ("axis",),
    "dim0": ("axis1", "axes"), "axis0": ("axis1",), "dim1": ("axis1", "axes"), "dim2": ("axis2",),
    "keepdim": ("keepdims",), "correction": ("ddof",), "p": ("ord",), "diagonal": ("k",),
    "weight": ("W", "table"), "bias": ("b",),
    "size": ("shape",), "pad": ("pad_width",), "shifts": ("shift",), "indices": ("index",), "value": ("constant_values", "v"),
    "descending": ("largest",), "split_size": ("indices_or_sections",), "split_size_or_sections": ("indices_or_sections",),
    "label": ("name",), "query": ("q",), "key": ("k",), "attn_mask": ("mask",), "is_causal": ("causal",),
}
WHOLE = {  # arguments that are one whole number, in every function
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
    "inplace": "nothing is done in place here; take the result",
    "out": "a tensor cannot be written into; take the result",
    "device": "there is one device, the CPU",
    "dtype": "the result has the kind of its inputs; .astype(np.float32) or .astype(np.float64) gives another",
    "size_average": 'write reduction="mean", "sum" or "none"',
    "reduce": 'write reduction="mean", "sum" or "none"',
    "alpha": "multiply b first",
    "rounding_mode": "write floor(a / b) or trunc(a / b)",
}


TOO_LARGE = 2**63  # for a number of things, or of axes
MANY = 2**20  # things that are made one after the other


def must_be_feasible(function, what, count):
    """ValueError for so many stretches, boxes or parts that to make them would take for ever."""
    if count > MANY:
        raise ValueError(f"{function}: {what}={brief(count)} is too large; at most {MANY} are made")


def unknown_keyword(function, keyword, signature):
    """The error for an argument that a function does not have, with the word that it has instead."""
    names = list(signature.parameters)
    ours = next((n for n in CALLED.get(keyword, ()) if n in names), None)
    near = get_close_matches(keyword, names, 1)
    if ours:
        advice = f"here: {ours}{', as in NumPy' * (ours in NUMPYS)}"
    else:
        advice = ADVICE.get(keyword) or (f"is {near[0]} meant?" if near else "")
    return TypeError(f"{function}: unknown argument {keyword}={advice and f' ({advice})'}{as_it_is(function, signature)}")


def must_bind(function, signature, args, options):
    """TypeError in our words for a call that does not fit a function's signature; else what it binds to which name."""
    open_to_any = any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values())
    unknown = [word for word in options if word not in signature.parameters]
    if unknown and not open_to_any:
        raise unknown_keyword(function, unknown[0], signature)
    try:
        return signature.bind(*args, **options)
    except TypeError as wrong:
        raise TypeError(f"{function}: {wrong}{as_it_is(function, signature)}") from None


def wrong_kind(function, signature, given):
    """The error for the first of the arguments {name: value} that is not of the kind that its name asks for; None if all are."""
    for name, x in given.items():
        if x is signature.parameters[name].default or hasattr(x, "shape"):
            continue
        if (name in WHOLE and not whole(x)) or (name in SEVERAL and not all(map(whole, flat(x)))):
            return TypeError(f"{function}: {name}={brief(x)} is not an integer")
        if name == "axis" and isinstance(x, list):
            return TypeError(f"{function}: axis={brief(x)}: several axes are named by a tuple")
        if name in NUMBERS and not isinstance(x, Real):
            return TypeError(f"{function}: {name}={brief(x)} is not a number")
        if any(whole(n) and abs(n) >= TOO_LARGE for n in flat(x)):
            return ValueError(f"{function}: {name}={brief(x)} is too large")
    return None


INNER = r"^[a-z_0-9]+: "  # the name of a function that the one called has called itself


def explained(function, signature, given, wrong):
    """The error to raise for one from within a function: which argument is of the wrong kind, if one is, else the same by its name."""
    kinds_fit = isinstance(wrong, ValueError) and not isinstance(wrong, AxisError)
    return (None if kinds_fit else wrong_kind(function, signature, given)) or in_name_of(function, wrong)


def in_name_of(function, wrong):
    """An error from within a function, as one of that function's: its name stands in front, and it is one line."""
    text = " ".join(line.strip() for line in str(wrong).splitlines())
    if text == str(wrong) and text.startswith(f"{function}:"):
        return wrong
    text = f"{function}: {sub(INNER, '', text) or 'a call that cannot be meant'}"
    if type(wrong) in (ValueError, IndexError, MemoryError, AxisError, LinAlgError):
        return type(wrong)(text)
    if type(wrong) is OverflowError:
        return ValueError(text)
    ufuncs = isinstance(wrong, TypeError) and type(wrong).__module__.startswith("numpy")  # which is made of types, not of a text
    if ufuncs or type(wrong) in (TypeError, AttributeError, KeyError, MaskError):
        return TypeError(text)
    return wrong


def whole(x):
    return isinstance(x, Integral) and not isinstance(x, bool)


def flat(x):
    """What stands in lists, and in lists within them."""
    return [y for part in x for y in flat(part)] if isinstance(x, list | tuple) else [x]


def as_it_is(function, signature):
    return f"; signature: {function.removeprefix('@function ')}{signature}"
