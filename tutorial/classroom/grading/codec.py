"""Write plain values as one line of JSON, and read them back. Nothing that is read can run code.

The values are None, bool, int, float (nan and infinities, too), str, Fraction, list, tuple, set, dict, and NumPy's arrays and numbers
of integers, floats and bools. A subclass loses its class: a defaultdict becomes a dict. Both directions are bounded by `Limits`.
This file imports only the standard library, because the learner's process reads it, too; NumPy is imported for an array that is read.
"""

import base64
import json
import math
import sys
from collections import Counter
from fractions import Fraction
from typing import Any, NamedTuple

KINDS = "fiub"  # the arrays that may pass: floats, signed and unsigned integers, bools
PLAIN_BITS = 64  # an integer with more bits is written in hexadecimal, which takes linear time
MOST_ALIKE = 100  # keys of one hash: each costs a comparison with all others
NAMED = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


class Limits(NamedTuple):
    """How large a value may be: bytes of its line, depth of nesting, elements in all, and bits of one integer."""

    bytes: int = 8_000_000
    depth: int = 50
    elements: int = 1_000_000
    bits: int = 14_000  # Python writes no more than 4,300 digits


LIMITS = Limits()


class NotPlain(ValueError):
    """A value cannot be written, or a line is not that of a value. The message says why, without a text of the learner."""


def dumps(value, limits=LIMITS) -> bytes:
    """Return a value as one line of JSON, without the end of the line. Raises NotPlain.

    >>> dumps({"x": (1, Fraction(1, 3), float("nan"))})
    b'{"dict":[["x",{"tuple":[1,{"fraction":[1,3]},{"float":"nan"}]}]]}'
    """
    line = json.dumps(Writer(limits).written(value, 0), separators=(",", ":"), allow_nan=False).encode()
    if len(line) > limits.bytes:
        raise NotPlain(f"the value takes {len(line):,} bytes; the most is {limits.bytes:,}")
    return line


def loads(line: bytes, limits=LIMITS):
    """Return the value of a line. Raises NotPlain for any other line.

    >>> loads(dumps({(1, 2): [True, -0.0]}))
    {(1, 2): [True, -0.0]}
    """
    if len(line) > limits.bytes:
        raise NotPlain(f"the line has {len(line):,} bytes; the most is {limits.bytes:,}")
    try:
        found = json.loads(line, parse_constant=not_a_constant)
    except (ValueError, RecursionError):
        raise NotPlain("the line is not JSON") from None
    return Reader(limits).read(found, 0)


def not_a_constant(name):
    raise ValueError(name)


class Counted:
    """Count the elements of one value, and their depth."""

    def __init__(self, limits):
        self.limits, self.elements = limits, 0

    def count(self, depth, elements=1):
        self.elements += elements
        if depth > self.limits.depth:
            raise NotPlain(f"the value is nested more than {self.limits.depth} deep")
        if self.elements > self.limits.elements:
            raise NotPlain(f"the value has more than {self.limits.elements:,} elements")

    def checked(self, number):
        """Return an integer that is not too long."""
        if number.bit_length() > self.limits.bits:
            raise NotPlain(f"an integer has more than {self.limits.bits:,} bits")
        return number


class Writer(Counted):
    """Turn one value into what json can write."""

    def written(self, value: Any, depth: int) -> Any:
        self.count(depth)
        if write := WRITE.get(type(value)):  # most values are of no subclass
            return write(self, value, depth)
        numpy: Any = sys.modules.get("numpy")  # a value of NumPy exists only if NumPy was imported
        if numpy and isinstance(value, numpy.ndarray | numpy.generic):
            return self.array(value, numpy, depth)
        for kind, write in WRITE.items():
            if isinstance(value, kind):
                return write(self, value, depth)
        raise NotPlain(f"a {type(value).__name__:.40} is not a plain value: a number, a text, a list, a tuple, a set, a dict or an array")

    def array(self, value, numpy, depth):
        data = numpy.asarray(value)
        if data.dtype.kind not in KINDS or data.dtype.itemsize > 8:
            raise NotPlain(f"an array of dtype {data.dtype!s:.40} is not plain; it needs floats, integers or bools")
        self.count(depth, data.size)
        data = numpy.ascontiguousarray(data, data.dtype.newbyteorder("<"))
        parts = [data.dtype.str, list(numpy.shape(value)), base64.b64encode(data.tobytes()).decode()]
        return {"number" if isinstance(value, numpy.generic) else "array": parts}

    def number(self, value, depth):
        whole = self.checked(int(value))
        return whole if whole.bit_length() <= PLAIN_BITS else {"int": hex(whole)}

    def float(self, value, depth):
        value = float(value)
        return value if math.isfinite(value) else {"float": repr(value)}

    def fraction(self, value, depth):
        return {"fraction": [self.number(value.numerator, depth), self.number(value.denominator, depth)]}

    def items(self, value, depth):
        return [self.written(item, depth + 1) for item in value]

    def pairs(self, value, depth):
        return {"dict": [[self.written(key, depth + 1), self.written(item, depth + 1)] for key, item in value.items()]}


WRITE = {
    type(None): lambda writer, value, depth: None,
    bool: lambda writer, value, depth: value,
    int: Writer.number,
    float: Writer.float,
    str: lambda writer, value, depth: str(value),
    Fraction: Writer.fraction,
    list: Writer.items,
    tuple: lambda writer, value, depth: {"tuple": writer.items(value, depth)},
    set | frozenset: lambda writer, value, depth: {"set": sorted(writer.items(value, depth), key=json.dumps)},  # in any process the same
    dict: Writer.pairs,
}


class Reader(Counted):
    """Turn what json has read into one value."""

    def read(self, found: Any, depth: int) -> Any:
        self.count(depth)
        if isinstance(found, float) and not math.isfinite(found):  # 1e999
            raise NotPlain("a number is too large")
        if isinstance(found, int):
            return self.checked(found) if not isinstance(found, bool) else found
        if isinstance(found, list):
            return [self.read(item, depth + 1) for item in found]
        return self.tagged(found, depth) if isinstance(found, dict) else found

    def tagged(self, found, depth):
        """Return the value of an object with one key, which says what it is."""
        tag, content = next(iter(found.items()), ("", None))
        if len(found) != 1 or tag not in READ:
            raise NotPlain("an object of the line is not a value")
        try:
            return READ[tag](self, content, depth)
        except NotPlain:
            raise
        except (TypeError, ValueError, AttributeError, ArithmeticError, MemoryError):
            raise NotPlain(f"the line holds a {tag} that is not one") from None

    def integer(self, content, depth):
        if isinstance(content, str) and len(content) > self.limits.bits // 4 + 4:
            raise NotPlain(f"an integer has more than {self.limits.bits:,} bits")
        return self.checked(int(content, 16))

    def fraction(self, content, depth):
        top, bottom = (self.read(part, depth + 1) for part in content)
        if type(top) is not int or type(bottom) is not int:
            raise TypeError
        return Fraction(top, bottom)

    def items(self, content, depth):
        if not isinstance(content, list):
            raise TypeError
        return self.read(content, depth)

    def pairs(self, content, depth):
        pairs = [(key, item) for key, item in (self.items(pair, depth) for pair in content)]
        return dict(zip(unlike([key for key, _ in pairs]), (item for _, item in pairs)))

    def array(self, content, depth):
        """Return an array. Its size is checked before NumPy takes any memory."""
        dtype, shape, data = content
        if not (isinstance(dtype, str) and len(dtype) == 3 and dtype[1] in KINDS and len(shape) <= 32):
            raise TypeError
        if not all(type(n) is int and n >= 0 for n in shape):
            raise TypeError
        self.count(depth, max(map(math.prod, (shape, [n for n in shape if n]))))  # (0, 10**18), too, is refused
        import numpy

        return numpy.frombuffer(base64.b64decode(data, validate=True), numpy.dtype(dtype)).reshape(shape).copy()


def unlike(keys):
    """Return keys that differ in their hashes. Raises NotPlain if there are too many of one hash, such as multiples of 2**61 - 1."""
    if max(Counter(map(hash, keys)).values(), default=0) > MOST_ALIKE:
        raise NotPlain(f"more than {MOST_ALIKE} keys have the same hash")
    return keys


READ = {
    "int": Reader.integer,
    "float": lambda reader, content, depth: NAMED[content] if content in NAMED else float(None),  # type: ignore[arg-type]
    "fraction": Reader.fraction,
    "tuple": lambda reader, content, depth: tuple(reader.items(content, depth)),
    "set": lambda reader, content, depth: set(unlike(reader.items(content, depth))),
    "dict": Reader.pairs,
    "array": Reader.array,
    "number": lambda reader, content, depth: reader.array(content, depth)[()],
}
