"""LaTeX of the chapters and exercises in MathML, which a browser shows without a script."""

import re

from latex2mathml.converter import convert


def mathml(tex, how):
    """Return a formula in MathML; how is "inline" or "block".

    >>> mathml("x_1", "inline")
    '<math display="inline"><mrow><msub><mi>x</mi><mn>1</mn></msub></mrow></math>'
    """
    return re.sub(' xmlns="[^"]*"', "", convert(tex, display=how))
