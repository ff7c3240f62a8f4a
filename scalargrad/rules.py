"""The table of rules: one row per function. Its value, partials, help, printed formula and array rule all follow from the row.

Legend: a, b, x are inputs, y is the output. Each row gives y and then ∂y/∂(first input), ∂y/∂(second input), …
A partial is a formula in the inputs and the output. `exp`, `log`, … inside a formula are rows of this table.
The formulas are those of a calculus book; log1p, expm1 and logsumexp are written so that they do not cancel or overflow.
"""

import builtins
import math
import operator
from fractions import Fraction

from scalargrad import numeric
from scalargrad.numeric import inf, of_two, to_whole, total
from scalargrad.rule import Row, VariadicRow

# fmt: off

# Arithmetic
add = Row("add", lambda a, b: a + b,  lambda a, b, y: 1,                    lambda a, b, y: 1,        written=operator.add,
          about="Return the sum a + b.", example=("add(2, 3)", "5"))
sub = Row("sub", lambda a, b: a - b,  lambda a, b, y: 1,                    lambda a, b, y: -1,       written=operator.sub,
          numpy="subtract", about="Return the difference a - b.", example=("sub(2, 3)", "-1"))
mul = Row("mul", lambda a, b: a * b,  lambda a, b, y: b,                    lambda a, b, y: a,        written=operator.mul,
          numpy="multiply", about="Return the product a · b.", example=("mul(2, 3)", "6"))
div = Row("div", lambda a, b: a / b,  lambda a, b, y: one(y) / b,           lambda a, b, y: -y / b,   written=operator.truediv,
          numpy="divide", about="Return the quotient a / b. a / 0 is ±inf, and 0 / 0 is nan.", example=("div(3, 2)", "1.5"))
neg = Row("neg", lambda x: -x,        lambda x, y: -1,                      written=operator.neg,
          numpy="negative", about="Return the negative -x.", example=("neg(3)", "-3"))
pow = Row("pow", numeric.power,       lambda a, b, y: power_base(a, b),     lambda a, b, y: power_exponent(a, b, y),
          written=operator.pow, numpy="power",
          about="Return the power a ** b. A negative base with an exponent that is not an integer gives nan.",
          kinks="∂y/∂a is 0 where b = 0, even at a = 0; ∂y/∂b is 0 where a = 0 and b >= 0", example=("pow(2, 3)", "8"))

# Powers, exponentials, logarithms
square     = Row("square",     lambda x: x * x,                   lambda x, y: 2 * x,                 written=lambda x: x**2,
                 about="Return the square x².", example=("square(3)", "9"))
reciprocal = Row("reciprocal", lambda x: 1 / x,                   lambda x, y: -(y * y),              written=lambda x: 1 / x,
                 about="Return 1 / x.", example=("reciprocal(4)", "0.25"))
sqrt       = Row("sqrt",       total(math.sqrt),                  lambda x, y: 1 / (2 * y),
                 formula="y = √(x)", about="Return the square root, or nan below 0.", kinks="∂y/∂x is inf at 0, as in PyTorch", example=("sqrt(9)", "3.0"))
sqrt_total = Row("sqrt_total", total(math.sqrt),                  lambda x, y: where(x > 0, 1 / (2 * sqrt(where(x > 0, x, 1))), 0),
                 option_of="sqrt", about="Return the square root, with derivative 0 for x <= 0: sqrt(x, total=True).",
                 kinks="∂y/∂x is 0 for x <= 0", example=("sqrt_total(9)", "3.0"))
cbrt       = Row("cbrt",       total(math.cbrt),                  lambda x, y: 1 / (3 * (y * y)),
                 formula="y³ = x", about="Return the cube root. Negative numbers have one too.", kinks="∂y/∂x is inf at 0", example=("cbrt(-8)", "-2.0"))
hypot      = Row("hypot",      of_two(math.hypot),                lambda a, b, y: a / (y + (y == 0)),  lambda a, b, y: b / (y + (y == 0)),
                 formula="y = √(a² + b²)", about="Return √(a² + b²) without overflow: the distance of the point (a, b) from (0, 0).",
                 kinks="both partials are 0 at (0, 0)", example=("hypot(3, 4)", "5.0"))
exp        = Row("exp",        total(math.exp),                   lambda x, y: y,
                 formula="y = e^x", about="Return e to the power x, or inf if that overflows.", example=("exp(0)", "1.0"))
expm1      = Row("expm1",      total(math.expm1),                 lambda x, y: y + 1,
                 formula="y = e^x - 1", about="Return exp(x) - 1 without cancellation near 0.", example=("expm1(0)", "0.0"))
log        = Row("log",        total(math.log, at={0: -inf}),     lambda x, y: 1 / x,
                 formula="e^y = x", about="Return the natural logarithm. It is -inf at 0 and nan below.", example=("log(1)", "0.0"))
log1p      = Row("log1p",      total(math.log1p, at={-1: -inf}),  lambda x, y: 1 / (1 + x),
                 formula="y = log(1 + x)", about="Return log(1 + x) without cancellation near 0. It is -inf at -1 and nan below.", example=("log1p(0)", "0.0"))
rsqrt      = Row("rsqrt",      lambda x: 1 / sqrt(x),             lambda x, y: -(y * y * y) / 2,
                 about="Return 1 / √x. It is inf at 0 and nan below.", example=("rsqrt(4)", "0.5"))
exp2       = Row("exp2",       total(math.exp2),                  lambda x, y: y * math.log(2),
                 formula="y = 2^x", about="Return 2 to the power x, or inf if that overflows.", example=("exp2(3)", "8.0"))
log2       = Row("log2",       total(math.log2, at={0: -inf}),    lambda x, y: 1 / (x * math.log(2)),
                 formula="y = log(x) / log(2)", about="Return the logarithm to base 2. It is -inf at 0 and nan below.", example=("log2(8)", "3.0"))
log10      = Row("log10",      total(math.log10, at={0: -inf}),   lambda x, y: 1 / (x * math.log(10)),
                 formula="y = log(x) / log(10)", about="Return the logarithm to base 10. It is -inf at 0 and nan below.", example=("log10(1000)", "3.0"))
logaddexp  = Row("logaddexp",  lambda a, b: maximum(a, b) + log1p(exp(-abs(where(a == b, 0, a - b)))),
                 lambda a, b, y: share_of_two(a, b),  lambda a, b, y: share_of_two(b, a),
                 formula="y = log(e^a + e^b)\ndz/da = dz/dy · e^(a - y)\ndz/db = dz/dy · e^(b - y)", about="Return log(exp(a) + exp(b)), without overflow.",
                 kinks="for two inputs of inf both partials are 1/2; for two of -inf they are 0, as for logsumexp", example=("logaddexp(1000.0, 0.0)", "1000.0"))
logaddexp2 = Row("logaddexp2", lambda a, b: maximum(a, b) + log1p(exp2(-abs(where(a == b, 0, a - b)))) / math.log(2),
                 lambda a, b, y: share_of_two(a, b, math.log(2)),  lambda a, b, y: share_of_two(b, a, math.log(2)),
                 formula="y = log(2^a + 2^b) / log(2)\ndz/da = dz/dy · 2^(a - y)\ndz/db = dz/dy · 2^(b - y)", about="Return the logarithm to base 2 of 2^a + 2^b, without overflow.",
                 kinks="for two inputs of inf both partials are 1/2; for two of -inf they are 0, as for logsumexp", example=("logaddexp2(3, 3)", "4.0"))
xlogy      = Row("xlogy",      lambda a, b: where(a == 0, where(b == b, 0, b), a * log(where(a == 0, 1, b))),
                 lambda a, b, y: where(no_log(a, b), 0, log(where(no_log(a, b), 1, b))),
                 lambda a, b, y: where(no_log(a, b), 0, a / where(no_log(a, b), 1, b)),
                 about="Return a · log b. For a = 0 it is 0, unless b is nan.",
                 kinks="both partials are 0 where a = 0 and b <= 0", example=("xlogy(2.0, 1.0)", "0.0"))

# Circles and hyperbolas (angles in radians)
sin  = Row("sin",  total(math.sin),     lambda x, y: cos(x),                formula="y = sin(x)", about="Return the sine of x radians.", example=("sin(0)", "0.0"))
cos  = Row("cos",  total(math.cos),     lambda x, y: -sin(x),               formula="y = cos(x)", about="Return the cosine of x radians.", example=("cos(0)", "1.0"))
tan  = Row("tan",  total(math.tan),     lambda x, y: 1 + y * y,             formula="y = sin(x) / cos(x)", about="Return the tangent of x radians.", example=("tan(0)", "0.0"))
asin = Row("asin", total(math.asin),    lambda x, y: 1 / sqrt(1 - x * x),   numpy="arcsin", formula="sin(y) = x", about="Return the arc sine in radians, or nan outside [-1, 1].",
           kinks="∂y/∂x is inf at ±1", example=("asin(0)", "0.0"))
acos = Row("acos", total(math.acos),    lambda x, y: -1 / sqrt(1 - x * x),  numpy="arccos", formula="cos(y) = x", about="Return the arc cosine in radians, or nan outside [-1, 1].",
           kinks="∂y/∂x is -inf at ±1", example=("acos(1)", "0.0"))
atan = Row("atan", total(math.atan),    lambda x, y: 1 / (1 + x * x),       numpy="arctan", formula="tan(y) = x", about="Return the arc tangent in radians.", example=("atan(0)", "0.0"))
sinh = Row("sinh", total(math.sinh),    lambda x, y: cosh(x),               formula="y = (e^x - e^(-x)) / 2", about="Return the hyperbolic sine.", example=("sinh(0)", "0.0"))
cosh = Row("cosh", total(math.cosh),    lambda x, y: sinh(x),               formula="y = (e^x + e^(-x)) / 2", about="Return the hyperbolic cosine.", example=("cosh(0)", "1.0"))
tanh = Row("tanh", total(math.tanh),    lambda x, y: 1 - y * y,             formula="y = (e^x - e^(-x)) / (e^x + e^(-x))", about="Return the hyperbolic tangent.", example=("tanh(0)", "0.0"))
asinh = Row("asinh", total(math.asinh),   lambda x, y: 1 / sqrt(x * x + 1),  numpy="arcsinh", formula="y = log(x + √(x² + 1))", about="Return the inverse of sinh.", example=("asinh(0)", "0.0"))
acosh = Row("acosh", total(math.acosh),   lambda x, y: 1 / sqrt(x * x - 1),  numpy="arccosh", formula="y = log(x + √(x² - 1))", about="Return the inverse of cosh, which is at least 0, or nan below 1.",
            kinks="∂y/∂x is inf at 1", example=("acosh(1)", "0.0"))
atanh = Row("atanh", total(math.atanh, at={1: inf, -1: -inf}),  lambda x, y: 1 / (1 - x * x),      numpy="arctanh", formula="y = log((1 + x) / (1 - x)) / 2", about="Return the inverse of tanh. It is ±inf at ±1 and nan outside.", example=("atanh(0)", "0.0"))
atan2 = Row("atan2", of_two(math.atan2),  lambda a, b, y: b / (a * a + b * b),  lambda a, b, y: -a / (a * a + b * b),
            numpy="arctan2", formula="a = r · sin(y), b = r · cos(y), with r = √(a² + b²)", about="Return the angle of the point (b, a) in radians, from -π to π. Its partials at 0, 0 are nan; where a² + b² overflows or underflows they lose their digits, as in PyTorch.",
            example=("atan2(0, 1)", "0.0"))
sinc = Row("sinc", lambda x: where(x == 0, 1.0, sin(math.pi * x) / (math.pi * where(x == 0, 1, x))),  lambda x, y: sinc_slope(x, y),
           formula="y = 1 where x = 0, else sin(π x) / (π x)\ndz/dx = dz/dy · (0 where x = 0, else (cos(π x) - y) / x)", about="Return sin(πx) / (πx), and 1 at 0. Near 0 the partial is its Taylor series, which does not cancel.", example=("sinc(0.0)", "1.0"))

# Activations
sigmoid  = Row("sigmoid",  lambda x: 1 / (1 + exp(-x)),      lambda x, y: y * (1 - y),
               about="Return 1 / (1 + exp(-x)).", example=("sigmoid(0)", "0.5"))
relu     = Row("relu",     lambda x: maximum(x, 0),          lambda x, y: 1 * (x > 0),
               about="Return x where it is positive, else 0.", kinks="∂y/∂x is 0 at 0, as in PyTorch; for nan it is 0, in PyTorch 1", example=("relu(-3)", "0"))
softplus = Row("softplus", lambda x: maximum(x, 0) + log1p(exp(-abs(x))),  lambda x, y: softplus_slope(x),
               formula="y = log(1 + e^x)\ndz/dx = dz/dy · sigmoid(x)", about="Return log(1 + exp(x)), without overflow.", example=("softplus(1000.0)", "1000.0"))
erf      = Row("erf",      total(math.erf, on_array=numeric.erf_of_array),                               lambda x, y: 2 / math.sqrt(math.pi) * exp(-(x * x)),
               formula="y = 2 / √(π) · ∫ from 0 to x of e^(-t²) dt", about="Return the error function.", example=("erf(0)", "0.0"))
gelu     = Row("gelu",     lambda x: above(x) * normal_below(x),      lambda x, y: normal_below(x) + density_share(finite(x)),
               formula="y = x (1 + erf(x / √(2))) / 2\ndz/dx = dz/dy · ((1 + erf(x / √(2))) / 2 + x e^(-x² / 2) / √(2 π))",
               about="Return x times the probability that a standard normal number lies below x (Hendrycks and Gimpel 2016). "
                     "At inf it is inf and its derivative 1, at -inf both are 0 (PyTorch: nan).",
               example=("gelu(0.0)", "0.0"))
gelu_tanh  = Row("gelu_tanh",  lambda x: above(x) * sigmoid(bend(x)),
                 lambda x, y: gelu_tanh_slope(x, y, sigmoid(bend(x))),
                 option_of="gelu", about="Return x (1 + tanh u)/2 with u = √(2/π) (x + 0.044715 x³), which is gelu to about three digits.",
                 example=("gelu_tanh(0.0)", "0.0"))
silu       = Row("silu",       lambda x: above(x) * sigmoid(x),  lambda x, y: silu_slope(x, sigmoid(x)),
                 formula="y = x · sigmoid(x)\ndz/dx = dz/dy · (s + y (1 - s)), with s = sigmoid(x)", about="Return x · sigmoid(x), also called swish. At inf it is inf and its derivative 1, at -inf both are 0 (PyTorch: mostly nan).", example=("silu(0.0)", "0.0"))
leaky_relu = Row("leaky_relu", lambda x, negative_slope=0.01: maximum(x, 0) + negative_slope * minimum(x, 0),
                 lambda x, negative_slope, y: where(x > 0, 1, negative_slope),  lambda x, negative_slope, y: minimum(x, 0),
                 about="Return x where it is positive, else negative_slope · x.", kinks="∂y/∂x is the slope at 0, as in PyTorch, and for nan", example=("leaky_relu(-3, 2)", "-6"))
elu        = Row("elu",        lambda x, alpha=1.0: maximum(x, 0) + alpha * expm1(minimum(x, 0)),
                 lambda x, alpha, y: where(x > 0, 1, alpha * exp(where(x > 0, 0, x))),  lambda x, alpha, y: expm1(minimum(x, 0)),
                 about="Return x where it is positive, else alpha · (exp(x) - 1).", kinks="∂y/∂x is alpha at 0, as in PyTorch", example=("elu(2.0, 1)", "2.0"))

# Choices
abs        = Row("abs",        builtins.abs,      lambda x, y: sign(x),
                 numpy="absolute", formula="y = x where x >= 0, else -x", about="Return the distance from 0.", kinks="∂y/∂x is 0 at 0", example=("abs(-3)", "3"))
sign       = Row("sign",       numeric.sign,      lambda x, y: 0,
                 formula="y = 0 where x = 0, else x / |x|", about="Return -1, 0 or 1.", kinks="∂y/∂x is 0 at 0 too", example=("sign(-3)", "-1"))
maximum    = Row("maximum",    numeric.maximum,   lambda a, b, y: where(a == b, share(2, y), 1 * (a > b)),  lambda a, b, y: where(a == b, share(2, y), 1 * (b > a)),
                 formula="y = a where a >= b, else b", about="Return the larger of a and b, or nan if either is nan.", kinks="for a tie both partials are 1/2; if a or b is nan they are 0", example=("maximum(2, 3)", "3"))
minimum    = Row("minimum",    numeric.minimum,   lambda a, b, y: where(a == b, share(2, y), 1 * (a < b)),  lambda a, b, y: where(a == b, share(2, y), 1 * (b < a)),
                 formula="y = a where a <= b, else b", about="Return the smaller of a and b, or nan if either is nan.", kinks="for a tie both partials are 1/2; if a or b is nan they are 0", example=("minimum(2, 3)", "2"))
fmax       = Row("fmax",       numeric.fmax,      lambda a, b, y: where(a == b, share(2, y), 1 * (a == y)),  lambda a, b, y: where(a == b, share(2, y), 1 * (b == y)),
                 formula="y = a where a >= b, else b", about="Return the larger of a and b. If one is nan, return the other.", kinks="for a tie both partials are 1/2; for two nan they are 0",
                 example=("fmax(2, 3)", "3"))
fmin       = Row("fmin",       numeric.fmin,      lambda a, b, y: where(a == b, share(2, y), 1 * (a == y)),  lambda a, b, y: where(a == b, share(2, y), 1 * (b == y)),
                 formula="y = a where a <= b, else b", about="Return the smaller of a and b. If one is nan, return the other.", kinks="for a tie both partials are 1/2; for two nan they are 0",
                 example=("fmin(2, 3)", "2"))
copysign   = Row("copysign",   numeric.copysign,  lambda a, b, y: sign(a) * sign(y),  lambda a, b, y: 0,
                 formula="y = |a| · sign(b)", about="Return |a| with the sign of b. Zero has a sign too: -0.0.", kinks="∂y/∂a is 0 at a = 0; ∂y/∂b is 0 at the jump b = 0 too",
                 example=("copysign(3.0, -2.0)", "-3.0"))
where      = Row("where",      numeric.where,     lambda condition, a, b, y: 0,  lambda condition, a, b, y: where(condition, 1, 0),  lambda condition, a, b, y: where(condition, 0, 1),
                 formula="y = a where condition, else b", about="Return a where the condition holds, else b.", kinks="the condition has derivative 0", example=("where(2 > 1, 5, 6)", "5"))
clamp      = Row("clamp",      lambda x, min, max: minimum(maximum(x, min), max),
                 lambda x, min, max, y: (x >= min) * (x <= max),  lambda x, min, max, y: (x < min) * (min <= max),  lambda x, min, max, y: maximum(x, min) > max,
                 about="Return x, but at least min and at most max.", kinks="∂y/∂x is 1 on the closed interval, 0 for nan", example=("clamp(7, 0, 5)", "5"))
clamp_open = Row("clamp_open", lambda x, min, max: minimum(maximum(x, min), max),
                 lambda x, min, max, y: (x > min) * (x < max),  lambda x, min, max, y: (x <= min) * (min < max),  lambda x, min, max, y: maximum(x, min) >= max,
                 option_of="clamp", about="Return x, but at least min and at most max, with derivative 0 on the bounds: clamp(x, min, max, total=True).",
                 kinks="∂y/∂x is 1 on the open interval, 0 for nan", example=("clamp_open(7, 0, 5)", "5"))

# Steps and remainders
floor        = Row("floor",        to_whole(math.floor),               lambda x, y: 0,
                   formula="y = ⌊x⌋", about="Return the largest integer that is at most x.", kinks="∂y/∂x is 0 at the jumps too", example=("floor(-2.5)", "-3.0"))
ceil         = Row("ceil",         to_whole(math.ceil),                lambda x, y: 0,
                   formula="y = ⌈x⌉", about="Return the smallest integer that is at least x.", kinks="∂y/∂x is 0 at the jumps too", example=("ceil(-2.5)", "-2.0"))
trunc        = Row("trunc",        to_whole(math.trunc),               lambda x, y: 0,
                   formula="y = sign(x) · ⌊|x|⌋", about="Return x without its fractional part.", kinks="∂y/∂x is 0 at the jumps too", example=("trunc(-2.5)", "-2.0"))
round        = Row("round",        to_whole(builtins.round),           lambda x, y: 0,
                   numpy="rint", formula="y = ⌊x + 1 / 2⌋; in a tie the even integer", about="Return the nearest integer. Of two equally near, return the even one.", kinks="∂y/∂x is 0 at the jumps too", example=("round(2.5)", "2.0"))
floor_divide = Row("floor_divide", numeric.floor_divide,               lambda a, b, y: 0,  lambda a, b, y: 0,
                   formula="y = ⌊a / b⌋", about="Return a // b, the quotient rounded down. a // 0 is ±inf, and 0 // 0 is nan.", kinks="both partials are 0 at the jumps too",
                   example=("floor_divide(-7, 2)", "-4"))
remainder    = Row("remainder",    of_two(operator.mod, "remainder"),  lambda a, b, y: 1,  lambda a, b, y: -floor_divide(a, b),
                   formula="y = a - b · ⌊a / b⌋", about="Return a % b, the remainder of the quotient rounded down. It has the sign of b, and is nan for b = 0.",
                   kinks="at the jumps the partials are those of the piece to the right", example=("remainder(-7, 3)", "2"))
fmod         = Row("fmod",         of_two(numeric.exact_fmod, "fmod"),          lambda a, b, y: 1,  lambda a, b, y: -round((a - y) / b),
                   formula="y = a - b · trunc(a / b)", about="Return the remainder of the quotient rounded towards 0. It has the sign of a, and is nan for b = 0.",
                   kinks="at the jumps the partials are those of the piece to the right", example=("fmod(-7, 3)", "-1"))

# Of many inputs
sum       = VariadicRow("sum",       lambda *xs: builtins.sum(xs),                  lambda slot, xs, y, common: 1,
                        written=lambda *xs: builtins.sum(xs),
                        about="Return x1 + x2 + … as one function.", example=("sum(1, 2, 3)", "6"))
dot       = VariadicRow("dot",       lambda *wxb: dot_value(wxb),                   lambda slot, wxb, y, common: dot_partner(slot, wxb),
                        inputs=("w1", "w2", "x1", "x2"), written=lambda *wxb: dot_value(wxb),
                        about="Return w1·x1 + w2·x2 + … as one function of w1, w2, …, x1, x2, … An odd number of inputs ends with an addend b.",
                        example=("dot(1, 2, 3, 4)", "11"))
max       = VariadicRow("max",       lambda *xs: largest(xs),                       lambda slot, xs, y, common: (xs[slot] == y) * common,
                        common=lambda xs, y: share(builtins.sum(x == y for x in xs), y),
                        about="Return the largest input, or nan if one is nan.", kinks="each of k tied inputs has the partial 1/k", example=("max(1, 3, 2)", "3"))
logsumexp = VariadicRow("logsumexp", lambda *xs: log_sum_exp(xs),                   lambda slot, xs, y, common: exp(xs[slot] - common),
                        common=lambda xs, y: above(y),
                        about="Return log(exp(x1) + exp(x2) + …). Shifted by the maximum, it does not overflow.",
                        kinks="where all inputs are -inf all partials are 0",
                        example=("logsumexp(1000.0, 0.0)", "1000.0"))

# fmt: on


def one(y):
    """Return the number 1, as a Fraction if y is a Fraction. int / int is a float, as in Python; a quotient with a Fraction is exact."""
    return Fraction(1) if isinstance(getattr(y, "data", y), Fraction) else 1


def power_base(a, b):
    """∂(a**b)/∂a = b · a**(b-1), which is 0 for b = 0 even where a**(b-1) has no value."""
    if isinstance(b, (int, float)):
        return b * pow(a, b - 1) if b != 0 else 0
    # The constant 0 is right only at a = b = 0. At b = 0 and a ≠ 0 the formula gives 0 too, but its derivative in b, 1/a, is not 0.
    return where((a == 0) * (b == 0), 0, b * pow(a, b - 1))


def power_exponent(a, b, y):
    """∂(a**b)/∂b = y · log a, which is 0 at a = 0 for b >= 0."""
    flat = (a == 0) * (b >= 0)
    # log must not see a = 0 either: the derivative of log is infinite there, and 0 times inf would be nan
    return where(flat, 0, y * log(where(flat, 1, a)))


def no_log(a, b):
    """Whether a · log b is 0 only because a = 0; log b has no finite value there."""
    return (a == 0) * (b <= 0)


def share_of_two(a, b, rate=1):
    """exp(rate · a) / (exp(rate · a) + exp(rate · b)). Where both are infinite it is a choice: 1/2 for inf, 0 for -inf."""
    d = a - b
    return where(d == d, sigmoid(d * rate), where(a == b, clamp(a, 0, 0.5), d))


def sinc_slope(x, y):
    """(cos(πx) - y) / x. Near 0 that would cancel; the Taylor series used there is right to the last bit."""
    near = abs(x) < 0.15
    return where(near, sinc_series(where(near, x, 0)), (cos(math.pi * x) - y) / where(near, 1, x))  # the series of a large x overflows


def sinc_series(x):
    """-π²x/3 · (1 - t²/10 · (1 - t²/28 · (1 - t²/54 · ...))) with t = πx: each term is the one before · -t² / (2n (2n + 3))."""
    t, series = math.pi * x, 1
    for n in (6, 5, 4, 3, 2, 1):
        series = 1 - t * t / (2 * n * (2 * n + 3)) * series
    return -math.pi * t / 3 * series


def above(x):
    """x, or 0 at -inf. Where the other factor of a product is 0, -inf · 0 would be nan."""
    return where(x - x == 0, x, relu(x))


def finite(x):
    """x, or 0 if x is infinite. Where the other factor of a product is 0, inf · 0 would be nan."""
    return where(x - x == 0, x, 0)


def softplus_slope(x):
    """sigmoid(x). For large x its derivative is that of 1 - sigmoid(-x), which has all its digits: y (1 - y) loses them for y near 1."""
    return where(x > 0, 1 - sigmoid(-x), sigmoid(x))


def silu_slope(x, s):
    """s (1 + x (1 - s)) with s = sigmoid(x)"""
    return s * (1 + finite(x) * (1 - s))


def gelu_tanh_slope(x, y, s):
    """s + y (1 - s) bend_slope(x) with s = sigmoid(bend(x))"""
    return s + finite(y) * (1 - s) * finite(bend_slope(x))


def bend(x):
    """2√(2/π) (x + 0.044715 x³), whose sigmoid approximates normal_below(x)"""
    return 2 * math.sqrt(2 / math.pi) * (x + 0.044715 * (x * x * x))


def bend_slope(x):
    """2√(2/π) (1 + 3 · 0.044715 x²)"""
    return 2 * math.sqrt(2 / math.pi) * (1 + 3 * 0.044715 * (x * x))


def normal_below(x):
    """(1 + erf(x/√2)) / 2, the probability that a standard normal number lies below x"""
    return (1 + erf(x * math.sqrt(0.5))) / 2


def density_share(x):
    """x exp(-x²/2) / √(2π), x times the density of a standard normal number"""
    return x * exp(x * x * -0.5) * (1 / math.sqrt(2 * math.pi))


def dot_value(wxb):
    n = len(wxb) // 2
    return builtins.sum(map(operator.mul, wxb[:n], wxb[n : 2 * n]), *wxb[2 * n :])


def dot_partner(slot, wxb):
    """∂(w·x + b)/∂wᵢ = xᵢ, ∂/∂xᵢ = wᵢ, ∂/∂b = 1"""
    n = len(wxb) // 2
    return wxb[slot + n] if slot < n else wxb[slot - n] if slot < 2 * n else 1


def largest(xs):
    if not xs:
        raise ValueError("max and logsumexp need at least one number")
    y = xs[0]
    for x in xs[1:]:
        y = maximum(y, x)
    return y


def share(ties, y):
    """1 / ties, which is exact if y is an int or a Fraction"""
    exact = isinstance(getattr(y, "data", y), (int, Fraction))
    return numeric.divide(1, ties) if not exact else Fraction(1, ties) if ties != 1 else 1


def log_sum_exp(xs):
    top = largest(xs)
    shift = where(top - top == 0, top, 0)  # an infinite maximum is not a shift: inf - inf is nan
    return shift + log(builtins.sum(exp(x - shift) for x in xs))


#: all rows, in the order of the table
TABLE = [row for row in globals().values() if isinstance(row, Row)]

for row in TABLE:
    row.__module__ = __name__

__test__: dict[str, str] = {}  # the docstrings of the rows, which formulas/docstrings.py writes: their examples are doctests
