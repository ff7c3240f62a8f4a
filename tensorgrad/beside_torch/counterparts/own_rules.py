"""Rules that only counterparts need. They enter no table of ours: their names and formulas are PyTorch's."""

from tensorgrad.rule import Rule


def rule(value, *vjps, name=None, **options):
    value.__module__ = "torch"
    return Rule(value, *vjps, name=name, **options)
