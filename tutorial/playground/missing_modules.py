"""What a program is told that imports a module which the page's Python does not have: how to get it, or what to write here."""

ENGINE = "write `from scalargrad import Value`, which has the same .data, .grad and backward()"
WITH_NUMPY = (
    "press “fetch NumPy”, if the page has this button. For a page that holds NumPy, "
    "run `python -m tutorial playground --numpy WHEEL` with NumPy's wheel"
)

ADVICE = {
    "numpy": WITH_NUMPY,
    "tensorgrad": WITH_NUMPY,
    "torch": f"PyTorch does not run in a page. For numbers, {ENGINE}",
    "jax": f"JAX does not run in a page. For numbers, {ENGINE}",
    "tensorflow": f"TensorFlow does not run in a page. For numbers, {ENGINE}",
    "micrograd": ENGINE,
    "autograd": f"it needs NumPy. For numbers, {ENGINE}",
    "matplotlib": "draw a graph with `import viz` and `viz.draw(z)` as the last line",
}
OTHER = "this page has Python's own modules, scalargrad and viz, and cannot fetch others"


def with_advice(error):
    """Return the exception of a program. That of a missing module says what to do.

    >>> str(with_advice(ModuleNotFoundError("No module named 'micrograd.engine'", name="micrograd.engine")))
    "no module 'micrograd.engine' here: write `from scalargrad import Value`, which has the same .data, .grad and backward()"
    """
    if isinstance(error, ModuleNotFoundError) and error.name:
        error.msg = f"no module {error.name!r} here: {ADVICE.get(error.name.partition('.')[0], OTHER)}"
    return error
