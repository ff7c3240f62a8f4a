"""Rules that only counterparts need. They enter no table of ours: their names and formulas are PyTorch's."""

from tensorgrad.rule import Rule


def rule(value, *vjps, name=None, **options):
    value.__module__ = "torch"
    return Rule(value, *vjps, name=name, **options)


def unopened(name):
    """Return the `entries` of a rule whose value is not computed from numbers one by one."""

    def entries(*xs):
        raise TypeError(f"{name}: its entries cannot be opened, since it is computed as a whole; zoom into another function: zoom(v.node)")

    return entries
