"""Batch norm

Batch norm computes from each column of $X$ its mean $\\mu$ and its variance $\\sigma^2$ over the $N$ rows. The variance is the mean of
$(X - \\mu)^2$. Then $\\hat{X} = (X - \\mu) / \\sqrt{\\sigma^2 + \\varepsilon}$ and $Y = \\gamma \\hat{X}$.
Here $\\gamma$ has one entry for each column.

`batchnorm_backward(X, gamma, G, eps)` returns $\\frac{dz}{dX}$. `G` is the upstream gradient $\\frac{dz}{dY}$. Each entry of $X$ reaches
its column of $Y$ over three paths: directly, over the mean, and over the variance. For the column `[0, 3, 6]`, `gamma = np.array([2])`,
`eps = 3` and `G = np.array([[1], [2], [6]])` the answer is, rounded, `[[-0.22], [-0.67], [0.89]]`.
"""

# meta: unit=D minutes=30 difficulty=4 chapter=normalisation-and-residuals call=batchnorm_backward
import numpy as np


def batchnorm_backward(X, gamma, G, eps):
    # BEGIN SOLUTION
    centred = X - X.mean(axis=0)
    # ~ whole-array M29: centred = X - X.mean()
    deviation = np.sqrt((centred**2).mean(axis=0) + eps)
    # ~ whole-array M29: deviation = np.sqrt((centred**2).mean() + eps)
    # ~ N-minus-1 M29: deviation = np.sqrt((centred**2).sum(axis=0) / (len(X) - 1) + eps)
    # ~ no-eps M29: deviation = np.sqrt((centred**2).mean(axis=0))
    # ~ eps-outside M29: deviation = np.sqrt((centred**2).mean(axis=0)) + eps
    normal = centred / deviation
    direct = gamma * G
    # ~ no-gamma M29: direct = G
    # ~ no-upstream M05: direct = gamma * np.ones(G.shape)
    over_mean = direct.mean(axis=0)
    # ~ no-mean M15: over_mean = 0
    # ~ constants M15: over_mean = 0
    # ~ sums M11: over_mean = direct.sum(axis=0)
    over_variance = normal * (direct * normal).mean(axis=0)
    # ~ no-variance M15: over_variance = 0
    # ~ constants M15: over_variance = 0
    # ~ sums M11: over_variance = normal * (direct * normal).sum(axis=0)
    # ~ diagonal M15: over_variance = normal * direct * normal / len(X)
    return (direct - over_mean - over_variance) / deviation
    # ~ not-divided M29: return direct - over_mean - over_variance
    # ~ sign M29: return (direct + over_mean + over_variance) / deviation
    # END SOLUTION


# BEGIN CHECK
from tutorial.exercises.arrays import integers
from tutorial.exercises.probe import Probe

HINTS = (
    "If the mean and the variance were constants, the answer would be gamma · G / √(variance + eps). Two more paths come to it.",
    "Both other paths are sums over a column, because each entry of X moves the mean and the variance of its column. "
    "Each column of the answer has the sum 0: who adds the same number to a whole column changes nothing.",
    "With g = gamma · G: from g subtract the mean of its column, and subtract the normalised X times the mean of g · normalised X in this "
    "column. In the end divide by the root of variance + eps.",
)
PREDICT = ("Every entry of G is 5. What is each entry of dz/dX?", 0)
SEEN = "For X = {X}, gamma = {gamma}, G = {G} and eps = {eps}, you gave {got}. Expected was {expected}. "
SAID = {
    "constants": SEEN + "You took the mean and the variance for constants. Both move with each entry of X: two paths are missing.",
    "no-mean": SEEN + "The path over the mean is missing. The columns of your answer have the sums {sums}, not 0.",
    "no-variance": SEEN + "The path over the variance is missing.",
    "diagonal": SEEN + "Over the variance, an entry of X moves its whole column of Y. You counted only its own entry.",
    "sums": SEEN + "Over the mean and the variance, each entry counts 1/N, here 1/{N}. You took sums in place of means.",
    "no-gamma": SEEN + "Y is gamma times the normalised X. You left out gamma.",
    "no-upstream": SEEN + "You took 1 for each entry of the upstream gradient.",
    "no-eps": SEEN + "You left out eps = {eps} below the root.",
    "eps-outside": SEEN + "You added eps = {eps} to the root. It belongs below it.",
    "N-minus-1": SEEN + "You divided the squares by N − 1. The variance here is their mean over N = {N} rows.",
    "whole-array": SEEN + "You took the mean and the variance of the whole array. Each column has its own.",
    "not-divided": SEEN + "The last division by √(variance + eps) is missing.",
    "sign": SEEN + "The signs are wrong. A larger mean makes Y smaller, and so does a larger variance for entries above the mean.",
}
MOVED = "Nudge the first entry of X: what else moves in its column?"
STATISTICS = "What are the mean and the variance of the first column?"
ASKED = {
    **dict.fromkeys(("constants", "no-mean", "no-variance", "diagonal", "sums", "sign"), MOVED),
    **dict.fromkeys(("no-eps", "eps-outside", "N-minus-1", "whole-array", "not-divided"), STATISTICS),
    **dict.fromkeys(("no-gamma", "no-upstream"), "How much does z grow with X̂?"),
}


def probes(random):
    """Yield the column 0, 3, 6, whose deviation is 3 with eps = 3, then columns of random integers."""
    yield probe(np.array([[0.0], [3.0], [6.0]]), 3.0, random, "the column 0, 3, 6")
    for N, columns in ((3, 1), (4, 2), (2, 3), (5, 3)):
        X = integers(random, N, columns) + np.outer(np.arange(N), np.arange(1, columns + 1))  # no column is constant or like another
        yield probe(X, random.choice((0.25, 0.5, 2.0)), random, f"{N} rows and {columns} columns")


def probe(X, eps, random, about):
    gamma, G = integers(random, X.shape[1], low=2, high=5), integers(random, *X.shape)
    G[0] += 20  # no column of G is constant
    over_variance = (X - X.mean(0)) * (gamma * G * (X - X.mean(0))).mean(0) / (X.var(0) + eps)
    sums = ((gamma * G - over_variance) / np.sqrt(X.var(0) + eps)).sum(0)
    return Probe((X, gamma, G, eps), {"X": X, "gamma": gamma, "G": G, "eps": eps, "N": len(X), "sums": sums}, about=about)


# END CHECK
