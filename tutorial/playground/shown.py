"""How the page shows the value of a last expression: as a picture where it has one, as in a notebook."""

from viz.document import Animation, Picture


def picture(value):
    """Return {"html": ...} or {"svg": ...}, what a notebook shows of a value; {} if it has only text.

    A picture that a notebook shows as an image is given as SVG, so that it can stand in the page. An animation stays an image.

    >>> picture(3)
    {}
    """
    if isinstance(value, Picture) and not isinstance(value, Animation):
        return {"svg": value.svg}
    for kind in ("html", "svg"):
        write = getattr(value, f"_repr_{kind}_", None)
        if not isinstance(value, type) and write is not None and (text := write()) is not None:
            return {kind: text}
    return {}
