"""Errors: the wording of what several places say, for both rooms, and what a Value says of a wrong call.

A message is one line, `function: what is wrong (name, value, shape); what to do`. What only one place says stands there.
"""

from math import inf
from numbers import Integral, Real

from scalargrad.formulas.symbols import Symbol
from scalargrad.numeric import plain
from scalargrad.rule import unknown_argument
from scalargrad.user_names import names

# What several places say


def wrong_type(function, argument, x, wanted):
    return TypeError(f"{function}: {argument}={brief(x)} is not {wanted}")


def is_integer(x):
    return isinstance(x, Integral) and not isinstance(x, bool)


def is_number(x):
    return isinstance(x, Real) and not isinstance(x, bool)


def out_of_range(function, argument, x, least, most=inf):
    wanted = f"{least} or more" if most == inf else f"from {least} to {most}"
    return ValueError(f"{function}: {argument}={brief(x)} is out of range; it must be {wanted}")


def integer(function, argument, x, least=-inf):
    """Return x as an int. Raises TypeError if it is not an integer, ValueError if it is smaller than `least`."""
    if not is_integer(x):
        raise wrong_type(function, argument, x, "an integer")
    if x < least:
        raise out_of_range(function, argument, x, least)
    return int(x)


def number(function, argument, x, least=None, most=inf):
    """Return x. Raises TypeError if it is not a number, ValueError if it is not from `least` to `most`, as nan is not."""
    if not is_number(x):
        raise wrong_type(function, argument, x, "a number")
    if least is not None and not least <= x <= most:
        raise out_of_range(function, argument, x, least, most)
    return x


def must_be_integers(function, least, /, **given):
    """Raise TypeError or ValueError for an argument that is not an integer of at least `least`."""
    for argument, x in given.items():
        integer(function, argument, x, least)


def unknown_choice(function, argument, x, choices):
    return ValueError(f"{function}: {argument}={brief(x)} is unknown; use {' or '.join(', '.join(map(repr, choices)).rsplit(', ', 1))}")


def must_be_one_of(function, choices, **options):
    """Raise ValueError for an option that is none of the choices."""
    for name, x in options.items():
        if x not in choices:
            raise unknown_choice(function, name, x, choices)


def not_a_function(function, f, example):
    what = shortened(names.called_one(f)) if hasattr(f, "inputs") or hasattr(f, "node") else brief(f)
    return TypeError(f"{function}: {what} is not a plain Python function; write {example}")


def wrong_result(who, y, wanted):
    return TypeError(f"{who} returned {brief(y)}; it must return {wanted}")


def from_outside(who, x):
    return ValueError(f"{who}: {x} is not an argument, so its derivative would be lost; pass it as an argument, or detach() a constant")


def wrong_number_of_partials(name, found, inputs):
    counts = f"{found} partial{'s' * (found != 1)} for {inputs} input{'s' * (inputs != 1)}"
    return ValueError(f"@function {name}: its partials returned {counts}; return one partial for each input, in their order")


def kind(x):
    """Return what x is, with an article."""
    if hasattr(x, "__array_namespace__") or type(x).__name__ == "ndarray":
        return f"an array of shape {x.shape}"
    return {str: "text", type(None): "None", complex: "a complex number"}.get(type(x), f"a {type(x).__name__}")


def brief(x):
    return shortened(repr(x))


def shortened(text):
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:37] + "..."


# What a Value says


def refuse_data(data, owner=None):
    """Return `data` as a plain number, or as the formula that it is. Raises TypeError for Value(data), or for owner.data = data."""
    if isinstance(data, Symbol):
        return data
    try:
        return plain(data)
    except TypeError:
        pass
    wants = "a Value holds one real number (int, float or Fraction)"
    held = None if owner is None else f"{names.called_one(owner)}.data"
    if hasattr(data, "inputs"):
        what = names.called_one(data)
        if held:
            raise TypeError(f"{held} = {what}: {wants}, not a Value; assign its .data")
        raise TypeError(
            f"Value({what}): {what} is a Value already; use {what} itself, {what}.data for its number, or {what}.detach() for a constant"
        )
    made = f"{held} = {brief(data)}" if held else f"Value({brief(data)})"
    raise TypeError(f"{made}: {wants}, not {kind(data)}; {advice(data)}")


VALUE_ARGUMENTS = {  # of other libraries
    "label": "here: name",
    "requires_grad": "a Value is a variable unless keep_grad=False",
    "constant": "here: keep_grad=False",
    "dtype": "a Value keeps the type of its number: int, float or Fraction",
}


def refuse_value(inputs, partials, others):
    """Raise the TypeError for a call of Value(...) as other libraries write it."""
    by_hand = "for your own function write @function(partials=...)"
    if "_children" in others or "_op" in others or isinstance(partials, str):
        raise TypeError(f"Value(data, inputs, partials, rule): a function is not given by its name and children; {by_hand}")
    if others:
        name = next(iter(others))
        raise unknown_argument("Value", name, "(data, name=None, keep_grad=True)", VALUE_ARGUMENTS.get(name, ""))
    if isinstance(inputs, str):
        raise TypeError(f"Value: write name={brief(inputs)} for a name; signature: Value(data, name=None, keep_grad=True)")
    raise TypeError(f"Value: partials={brief(partials)} is not a tuple of one partial for each of the {len(inputs)} inputs; {by_hand}")


def refuse_name(name):
    """Return `name` if it is text or None. Raises TypeError for any other type."""
    if name is None or isinstance(name, str):
        return name
    raise TypeError(f"name={brief(name)} is not text; write name={str(name)!r}")


def refuse_argument(row, x, args):
    """Return `x`, an argument of the function `row`, as a plain number. Raises a TypeError that names the variables beside it."""
    try:
        return plain(x)
    except TypeError:
        pass
    variables = [v for v in args if hasattr(v, "inputs")]
    shown = " and ".join(map(names.called_one, variables[:2])) + (f" and {len(variables) - 2} more" if len(variables) > 2 else "")
    raise TypeError(
        f"{row.name}: cannot combine {shown} with {brief(x)}: a Value works with Values and real numbers, not with {kind(x)}; {advice(x)}"
    )


def refuse_xor(x, other):
    what = shortened(names.called_one(x))
    raise TypeError(f"^ of {what} and {brief(other)}: Python writes powers with **, as in {what} ** 2")


def refuse_matmul(x, other):
    raise TypeError(
        f"@ of {names.called_one(x)} and {brief(other)}: @ multiplies matrices; write x * y for numbers, or dot(*ws, *xs) for lists of them"
    )


def refuse_upstream(x):
    """Return the upstream gradient `x` as a plain number. Raises TypeError if it is not a real number."""
    try:
        return plain(x)
    except TypeError:
        raise TypeError(f"backward({brief(x)}): the upstream gradient is not a real number but {kind(x)}; leave it out for 1") from None


def refuse_tensors(function, *variables):
    """Raise TypeError if one of the variables is a Tensor: the function of this name for tensors is tensorgrad's."""
    tensor = next((x for x in variables if hasattr(type(x), "node")), None)
    if tensor is not None:
        what = shortened(names.called_one(tensor))
        raise TypeError(f"{function}: {what} is a Tensor, but scalargrad's {function} takes Values; use tensorgrad.{function}")


def advice(x):
    if isinstance(x, str):
        return f"convert it first: float({brief(x)})"
    if isinstance(x, complex):
        return "keep its real and imaginary parts as two Values"
    if hasattr(x, "shape") and x.shape == ():
        return "take its number with .item()"
    if hasattr(x, "shape") or isinstance(x, (list, tuple)):
        return "make one Value for each number: [Value(a) for a in ...]"
    return "give it a number"
