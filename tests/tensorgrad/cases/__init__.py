"""Cases for every rule and function, a family a file: each file lists its CASES, and every rule of the table must have one."""

import importlib
import pkgutil


def every_case():
    found = []
    for module in pkgutil.iter_modules(__path__):
        found += importlib.import_module(f"{__name__}.{module.name}").CASES
    return found
