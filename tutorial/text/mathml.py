"""LaTeX of the chapters and exercises in MathML, which a browser shows without a script."""

import re

from latex2mathml.converter import convert

ORDINARY = "(?:i|n|sub|sup|subsup|frac|sqrt)"  # what has a thin space beside a function's name; a bracket has none
NAME = r"(?<!<msub>)(?<!<msup>)(?<!<msubsup>)<mi>[a-z]{2,}</mi>|<ms(?:up|ub)><mi>[a-z]{2,}</mi><mn>\d+</mn></ms(?:up|ub)>"
AFTER = re.compile(rf"({NAME})(?=<m{ORDINARY}>)")
BEFORE = re.compile(rf"(</m{ORDINARY}>)(?={NAME})")
OPERATOR = re.compile(r"<mo>([a-z]{2,})</mo>(?=<mo[^>]*>&#x00028;)")  # max(: a browser would put spaces around it
# After these, written as themselves or as the converter's entities, a minus subtracts; after other signs it belongs to its number.
ENDS = "[])}|!…⋯∞′∥]|&#x000(?:21|29|5D|7D|7C);|&#x0(?:2026|22EF|221E|2032|2225);"
SIGN = re.compile(rf"(<mo[^>]*>(?!{ENDS})[^<]*</mo>)<mo>&#x02212;</mo>")
THIN = r'\1<mspace width="0.167em" />'


def mathml(tex, how):
    r"""Return a formula in MathML, with TeX's thin spaces beside names of functions; how is "inline" or "block".

    >>> mathml("x_1", "inline")
    '<math display="inline"><mrow><msub><mi>x</mi><mn>1</mn></msub></mrow></math>'
    >>> mathml(r"\sin x", "inline")
    '<math display="inline"><mrow><mi>sin</mi><mspace width="0.167em" /><mi>x</mi></mrow></math>'
    """
    written = SIGN.sub(r'\1<mo form="prefix">&#x02212;</mo>', re.sub(' xmlns="[^"]*"', "", convert(tex, display=how)))
    return BEFORE.sub(THIN, AFTER.sub(THIN, OPERATOR.sub(r"<mi>\1</mi>", written)))
