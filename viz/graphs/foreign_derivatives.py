"""Functions whose derivative is computed elsewhere: by another library, or by code of the user. Pictures mark them."""

from viz.text.formatter import enumerated


def elsewhere(v):
    """Return who computes the derivative of v's function, with `kind`, `label` and `said`; None if its rule is known here."""
    return getattr(getattr(v, "rule", None), "elsewhere", None)


def legend(variables):
    """Return [(kind, sentence)] on the functions of these variables that pictures mark.

    >>> legend([])
    []
    """
    marked: dict = {}
    for v in variables:
        if who := elsewhere(v):
            marked.setdefault(who, {})[v.rule.name] = None
    return [(who.kind, f"{who.label}: {enumerated([*names])}") for who, names in marked.items()]
