"""Added: dispatch of NumPy's elementwise functions, np.sin(x) is x.sin(). NumPy calls this hook if an argument is a Value.

The hook knows the functions by name and does not import NumPy. A function without a row raises TypeError.
"""

from scalargrad import rules
from scalargrad.user_names import names

ROWS = {name: row for row in rules.TABLE for name in (row.name, row.numpy)} | {"float_power": rules.pow, "fabs": rules.abs}
#: functions that return True or False, so they have no derivative
PREDICATES = {"less", "less_equal", "greater", "greater_equal", "equal", "not_equal", "isnan", "isinf", "isfinite", "signbit"}


def array_ufunc(value, ufunc, method, *inputs, **settings):
    """Return what a NumPy function gives for Values and plain numbers. NumPy also calls it for np.float64(2) * value."""
    name = ufunc.__name__
    if method == "__call__" and not settings:
        if name in PREDICATES:
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
