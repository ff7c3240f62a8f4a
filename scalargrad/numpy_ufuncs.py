"""NumPy's functions of single entries, of Values: np.sin(x) is x.sin(). NumPy calls this hook if an argument is a Value.

NumPy is not imported: its functions are known by their names. A function without a row here raises TypeError.
"""

from scalargrad import names, rules

ROWS = {name: row for row in rules.TABLE for name in (row.name, row.numpy)} | {"float_power": rules.pow, "fabs": rules.abs}
#: what only looks at the numbers, and has no derivative
LOOKS = {"less", "less_equal", "greater", "greater_equal", "equal", "not_equal", "isnan", "isinf", "isfinite", "signbit"}


def array_ufunc(value, ufunc, method, *inputs, **settings):
    """What NumPy's function gives for Values and plain numbers; also array * value and np.float64(2) * value come here."""
    name = ufunc.__name__
    if method == "__call__" and not settings:
        if name in LOOKS:
            return ufunc(*[getattr(x, "data", x) if hasattr(x, "inputs") else x for x in inputs])
        if name in ROWS:
            return value.__apply__(ROWS[name], inputs)
    called = f"np.{name}" + (f".{method}" if method != "__call__" else "")
    if settings.get("out") is not None:
        raise TypeError(f"{called}: a result with Values cannot be written into an array (out=, or +=); take the result instead")
    raise TypeError(
        f"{called} does not take Values; build it from functions that do (help(scalargrad) lists them), give it partials with "
        f"@function(partials=...), or compute with {names.called_one(value)}.data if you need no derivative"
    )
