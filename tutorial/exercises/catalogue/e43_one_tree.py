"""One sum for any number of machines

Each machine has computed the gradient of the mean loss of its own examples, a number. `all_reduce(means, sizes)` gets the list of these
numbers, and a list with how many examples each stands for. It returns the gradient of the mean loss of all examples.

The sum has a fixed order, so that it is rounded in the same way wherever it is computed: first give each number its weight. Then add
neighbours, the first to the second, the third to the fourth, and so on. If the last one has no neighbour, it goes on as it is. Repeat this
with the sums until one number is left. For example, `all_reduce([8.0, 4.0, 2.0], [2, 1, 1])` is (4 + 1) + 0.5 = 5.5.
"""
# meta: unit=E minutes=15 difficulty=2 chapter=many-machines call=all_reduce


def all_reduce(means, sizes):
    # BEGIN SOLUTION
    total = sum(sizes)
    # ~ no-total M26: total = 1
    # ~ by-machines M26: total = len(sizes)
    # ~ divided-twice M26: total = sum(sizes) * len(sizes)
    terms = [mean * size / total for mean, size in zip(means, sizes)]
    # ~ mean-of-means M26: terms = [mean / len(means) for mean in means]
    # ~ plain-sum M26: terms = list(means)
    # ~ inverse-weights M26: terms = [mean / size for mean, size in zip(means, sizes)]
    # ~ largest-weight M26: terms = [mean * max(sizes) / total for mean in means]
    while len(terms) > 1:
        # ~ one-round M77: if len(terms) > 1:
        pairs = [a + b for a, b in zip(terms[::2], terms[1::2])]
        # ~ overlapping M03: pairs = [a + b for a, b in zip(terms, terms[1:])]
        # ~ first-and-last M39: pairs = [terms[k] + terms[-1 - k] for k in range(len(terms) // 2)]
        # ~ halves M39: pairs = [a + b for a, b in zip(terms[: len(terms) // 2], terms[len(terms) // 2 :])]
        terms = pairs + terms[2 * len(pairs) :]
        # ~ overlapping M03: terms = pairs
        # ~ odd-one-lost M35: terms = pairs
        # ~ odd-one-first M39: terms = terms[2 * len(pairs) :] + pairs
        # ~ first-and-last M39: terms = pairs + terms[len(pairs) : len(terms) - len(pairs)]
    return terms[0]
    # ~ last-number M03: return terms[-1] + 0 * len(means) if len(means) > 1 and len(terms) > 1 else means[-1] * sizes[-1] / total
    # END SOLUTION


# MUTANT left-to-right M39
#     found = 0
#     for mean, size in zip(means, sizes):
#         found += mean * size / sum(sizes)
#     return found
# MUTANT right-to-left M39: return sum(mean * size / sum(sizes) for mean, size in zip(means[::-1], sizes[::-1]))
# MUTANT sorted M39: return sum(sorted(mean * size / sum(sizes) for mean, size in zip(means, sizes)))
# MUTANT smallest-first M39: return sum(sorted((mean * size / sum(sizes) for mean, size in zip(means, sizes)), key=abs))
# MUTANT in-halves M39
#     def up(terms):
#         half = len(terms) // 2
#         return terms[0] if len(terms) == 1 else up(terms[:half]) + up(terms[half:])
#
#     return up([mean * size / sum(sizes) for mean, size in zip(means, sizes)])
# MUTANT exact M39
#     from fractions import Fraction
#     return float(sum(Fraction(mean) * size for mean, size in zip(means, sizes)) / sum(sizes))


# CHECK
from tutorial.exercises.probes.probe import Probe

BIG = 2.0**60  # beside it, a number below 128 is rounded away
PLACES = (  # of the two large numbers, and the numbers of examples
    ((0, 2), [1, 1, 1, 1]),
    ((1, 2), [2, 1, 2, 1, 2]),
    ((0, 6), [1, 1, 3, 1, 3, 2, 1, 4]),
    ((1, 4), [4, 2, 2, 2, 4, 1, 1]),
    ((0, 1), [1, 1, 2]),
    ((0, 1), [2, 1, 2, 3]),
)
HINTS = (
    "Each number is a mean over its own examples. With which weights do means of 3 and of 5 examples make the mean of 8?",
    "Keep a list of terms. One round makes a list of about half the length: the sums of neighbours, and the last one if it is left over.",
    "The weight is the number of examples over the number of all. `terms[::2]` are the first, the third, the fifth term, and `zip` stops "
    "at the shorter list. Repeat the round while more than one term is left.",
)
PREDICT = (
    "A mean of 3 examples is 8, a mean of 5 examples is 16. What is the mean of all 8?",
    13,
    {
        12: "You took the mean of two means. The second stands for more examples.",
        24: "You added the means.",
        11: "You weighted each mean by the number of examples of the other.",
    },
)
SEEN = "For {means} with {sizes} examples you gave {got}. Expected was {expected}. "
ORDER = "Beside 2**60 a small number is rounded away, so the order shows: the tree adds the terms 1 and 2 first, and the terms 3 and 4."
SAID = {
    "no-total": SEEN + "You gave each number its examples as a weight, and did not divide by all {total}.",
    "by-machines": SEEN + "You divided by the number of machines. The weights are {sizes} of {total}.",
    "divided-twice": SEEN + "You divided by the number of machines once too often. The weights {sizes} of {total} add up to 1.",
    "mean-of-means": SEEN + "That is the mean of the means. Machines with more examples count more: {sizes} of {total}.",
    "plain-sum": SEEN + "You added the means. The weights are {sizes} of {total}.",
    "inverse-weights": SEEN + "You divided by the examples. A machine with more of them counts more: {sizes} of {total}.",
    "largest-weight": SEEN + "You gave all machines the same weight. They have {sizes} of {total} examples.",
    "one-round": SEEN + "You made one round, and returned its first sum. Go on until 1 number is left.",
    "overlapping": SEEN + "Your pairs overlap: term 2 is in two of them. Each term is in one pair.",
    "first-and-last": SEEN + "You added the first to the last. " + ORDER,
    "halves": SEEN + "You added the first half to the second half. " + ORDER,
    "odd-one-lost": SEEN + "A term without a neighbour was lost. It goes on as it is into the next round.",
    "odd-one-first": SEEN + "You put the term without a neighbour at the front. It stays at the end, and so do all places. " + ORDER,
    "last-number": SEEN + "That is the term of the last machine alone.",
    "left-to-right": SEEN + "You added from left to right. " + ORDER,
    "right-to-left": SEEN + "You added from right to left. " + ORDER,
    "sorted smallest-first": SEEN + "You sorted the terms. Each keeps its place. " + ORDER,
    "in-halves": SEEN + "You cut the list in halves. The tree adds neighbours from the left, and what has none goes on. " + ORDER,
    "exact": SEEN + "That is the exact sum, rounded once. Machines that add floats round each time. " + ORDER,
}
ASKED = {
    **dict.fromkeys(SAID, "Draw the tree for five terms. Which sums are made in each round?"),
    "no-total by-machines divided-twice mean-of-means plain-sum inverse-weights largest-weight": "What is the sum of your weights?",
}


def probes(random):
    """Yield means with weights to compute by hand, then terms of which some are lost beside others, so that the order shows."""
    yield probe([8.0, 16.0], [3, 5], "two machines")
    yield probe([8.0, 4.0, 2.0], [2, 1, 1], "the example")
    yield probe([8.0, 4.0, 2.0, 32.0, 64.0], [2, 1, 1, 3, 1], "five machines")
    for places, sizes in PLACES:
        means = [float(sum(sizes) * random.choice((1, 2, 3, 5, 7))) for _ in sizes]
        for place, sign in zip(places, (1, -1)):
            means[place] = sign * BIG * sum(sizes) / sizes[place]
        yield probe(means, sizes, f"{len(sizes)} machines, and numbers of very different size")


def probe(means, sizes, about):
    return Probe((means, sizes), {"means": means, "sizes": sizes, "total": sum(sizes)}, about=about)
