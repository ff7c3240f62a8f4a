"""An axis of a picture: where a number stands between its ends, and the round numbers that are written along it."""

from math import ceil, floor, log10


class Axis:
    """The axis from `low` to `high`, which stand at the places `begin` and `end`; `log` makes it logarithmic.

    >>> axis = Axis(0, 10, 100, 200); axis(5), axis.ticks()
    (150.0, [0, 2, 4, 6, 8, 10])
    """

    def __init__(self, low, high, begin, end, log=False):
        self.ends, self.log, self.begin, self.end = (low, high), log, begin, end
        self.low, self.high = map(log10, self.ends) if log else self.ends

    def __call__(self, number):
        at = log10(number) if self.log else number
        return self.begin + (self.end - self.begin) * (at - self.low) / (self.high - self.low or 1)

    def ticks(self, most=5, least=0.0):
        """Return about `most` round numbers, at least `least` apart; powers of ten on a logarithmic axis that has two of them."""
        if self.high <= self.low:
            return [self.ends[0]]
        if self.log and floor(self.high) > ceil(self.low):
            return [10.0**k for k in range(ceil(self.low), floor(self.high) + 1, ceil((self.high - self.low) / most))]
        low, high = self.ends
        rough = max((high - low) / most, least)
        power = 10 ** floor(log10(rough))
        apart = next(n * power for n in (1, 2, 5, 10) if n * power >= rough * 0.999)
        return [round(k * apart, 12) for k in range(ceil(low / apart), floor(high / apart + 1e-9) + 1)]
