"""How the page shows the value of a last expression: as a picture where it has one, as in a notebook."""


def picture(value):
    """Return {"html": ...} or {"svg": ...}, what a notebook shows of a value; {} if it has only text.

    >>> picture(3)
    {}
    """
    for kind in ("html", "svg"):
        write = getattr(value, f"_repr_{kind}_", None)
        if not isinstance(value, type) and write is not None and (text := write()) is not None:
            return {kind: text}
    return {}
