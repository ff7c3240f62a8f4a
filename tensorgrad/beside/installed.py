"""The library whose programs a recorder records must be installed."""

from importlib import import_module


def require(package, door, library):
    """Import a package. Raises ModuleNotFoundError, which says what to install, if it is missing."""
    try:
        import_module(package)
    except ModuleNotFoundError as missing:
        if missing.name != package:
            raise
        raise ModuleNotFoundError(
            f"{door} records a {library} program, but {library} is not installed; python -m pip install {package}", name=package
        ) from None
