"""Batch norm

Batch norm computes from each column of $X$ its mean $\\mu$ and its variance $\\sigma^2$ over the $N$ rows. The variance is the mean of
$(X - \\mu)^2$. Then $\\hat{X} = (X - \\mu) / \\sqrt{\\sigma^2 + \\varepsilon}$ and $Y = \\gamma \\hat{X}$.
The letters are those of papers. $\\gamma$ is the chapter's weight $w$, one entry for each column. There is no bias.

`batchnorm_backward(X, gamma, G, eps)` returns $\\frac{dz}{dX}$. `G` is the upstream gradient $\\frac{dz}{dY}$. Each entry of $X$ reaches
its column of $Y$ over three paths: directly, over the mean, and over the variance, which the chapter calls the path through $s$. For the
column `[0, 3, 6]`, `gamma = np.array([2])`, `eps = 3` and `G = np.array([[1], [2], [6]])` the answer is, rounded,
`[[-0.22], [-0.67], [0.89]]`. The program must not change its arguments.
"""

# meta: unit=D minutes=30 difficulty=4 chapter=normalisation-and-residuals call=batchnorm_backward
import numpy as np


def batchnorm_backward(X, gamma, G, eps):
    # BEGIN SOLUTION
    centred = X - X.mean(axis=0)
    # ~ whole-array M86: centred = X - X.mean()
    # ~ along-rows M86: centred = X - X.mean(axis=1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(axis=0) + eps)
    # ~ whole-array M86: deviation = np.sqrt((centred**2).mean() + eps)
    # ~ along-rows M86: deviation = np.sqrt((centred**2).mean(axis=1, keepdims=True) + eps)
    # ~ no-root M68: deviation = (centred**2).mean(axis=0) + eps
    # ~ sum-of-squares M11: deviation = np.sqrt((centred**2).sum(axis=0) + eps)
    # ~ not-centred M68: deviation = np.sqrt((X**2).mean(axis=0) + eps)
    # ~ N-minus-1 M74: deviation = np.sqrt((centred**2).sum(axis=0) / (len(X) - 1) + eps)
    # ~ no-eps M68: deviation = np.sqrt((centred**2).mean(axis=0))
    # ~ eps-outside M68: deviation = np.sqrt((centred**2).mean(axis=0)) + eps
    normal = centred / deviation
    # ~ X-for-normal M09: normal = X
    # ~ X-over-deviation M09: normal = X / deviation
    direct = gamma * G
    # ~ no-gamma M68: direct = G
    # ~ gamma-twice M68: direct = gamma**2 * G
    # ~ by-gamma M70: direct = G / gamma
    # ~ no-upstream M05: direct = gamma * np.ones(G.shape)
    over_mean = direct.mean(axis=0)
    # ~ no-mean M15: over_mean = 0
    # ~ constants M15: over_mean = 0
    # ~ sums M11: over_mean = direct.sum(axis=0)
    # ~ mean-summed M11: over_mean = direct.sum(axis=0)
    # ~ mean-without-gamma M68: over_mean = G.mean(axis=0)
    # ~ gamma-on-direct M15: over_mean = G.mean(axis=0)
    # ~ own-entries M15: over_mean = direct / len(X)
    # ~ mean-sign M66: over_mean = -direct.mean(axis=0)
    # ~ means-over-all M86: over_mean = direct.mean()
    # ~ mean-over-all M86: over_mean = direct.mean()
    # ~ along-rows M86: over_mean = direct.mean(axis=1, keepdims=True)
    over_variance = normal * (direct * normal).mean(axis=0)
    # ~ no-variance M15: over_variance = 0
    # ~ constants M15: over_variance = 0
    # ~ sums M11: over_variance = normal * (direct * normal).sum(axis=0)
    # ~ variance-summed M11: over_variance = normal * (direct * normal).sum(axis=0)
    # ~ variance-without-gamma M68: over_variance = normal * (G * normal).mean(axis=0)
    # ~ gamma-on-direct M15: over_variance = normal * (G * normal).mean(axis=0)
    # ~ own-entries M15: over_variance = normal * direct * normal / len(X)
    # ~ variance-sign M66: over_variance = -normal * (direct * normal).mean(axis=0)
    # ~ variance-half M68: over_variance = normal * (direct * normal).mean(axis=0) / 2
    # ~ variance-twice M68: over_variance = 2 * normal * (direct * normal).mean(axis=0)
    # ~ variance-not-divided M68: over_variance = centred * (direct * centred).mean(axis=0)
    # ~ variance-divided-once M68: over_variance = centred * (direct * normal).mean(axis=0)
    # ~ normal-missing M68: over_variance = (direct * normal).mean(axis=0)
    # ~ means-over-all M86: over_variance = normal * (direct * normal).mean()
    # ~ variance-mean-over-all M86: over_variance = normal * (direct * normal).mean()
    # ~ along-rows M86: over_variance = normal * (direct * normal).mean(axis=1, keepdims=True)
    # ~ diagonal M15: over_variance = normal * direct * normal / len(X)
    return (direct - over_mean - over_variance) / deviation
    # ~ not-divided M68: return direct - over_mean - over_variance
    # ~ multiplied M70: return (direct - over_mean - over_variance) * deviation
    # ~ by-variance M68: return (direct - over_mean - over_variance) / deviation**2
    # ~ only-direct-divided M68: return direct / deviation - over_mean - over_variance
    # ~ times-N M11: return (direct - over_mean - over_variance) * len(X) / deviation
    # ~ by-N M11: return (direct - over_mean - over_variance) / len(X) / deviation
    # ~ N-missing M11: return (direct / len(X) - over_mean - over_variance) / deviation
    # ~ of-gamma M45: return (G * normal).sum(axis=0)
    # ~ forward M09: return gamma * normal
    # ~ sign M66: return (direct + over_mean + over_variance) / deviation
    # END SOLUTION


# CHECK
from tutorial.exercises.probes.arrays import integers
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "If the mean and the variance were constants, the answer would be gamma · G / √(variance + eps). Two more paths come to it.",
    "Both other paths are sums over a column, because each entry of X moves the mean and the variance of its column. "
    "Each column of the answer has the sum 0: who adds the same number to a whole column changes nothing.",
    "With g = gamma · G: from g subtract the mean of its column, and subtract the normalised X times the mean of g · normalised X in this "
    "column. In the end divide by the root of variance + eps.",
)
PREDICT = (
    "Every entry of G is 5. What is each entry of dz/dX?",
    0,
    {
        5: "You followed the direct path. If all entries of a column rise by 1, their mean does, too. What happens to Y?",
    },
)
SEEN = "For X = {X}, gamma = {gamma}, G = {G} and eps = {eps}, you gave {got}. Expected was {expected}. "
SAID = {
    "constants": SEEN + "You took the mean and the variance for constants. Both move with each entry of X: two paths are missing.",
    "no-mean": SEEN + "The path over the mean is missing. The columns of your answer have the sums {sums}, not 0.",
    "no-variance": SEEN + "Nothing comes over the variance: that path is missing, or what goes over it adds up to 0.",
    "mean-summed": SEEN + "Over the mean, each entry counts 1/N, here 1/{N}. That has the sum of the column in the place of its mean.",
    "variance-summed": SEEN + "Over the variance, each entry counts 1/N, here 1/{N}. That has a sum in the place of the mean.",
    "mean-without-gamma": SEEN + "In the path over the mean, gamma is missing.",
    "variance-without-gamma": SEEN + "In the path over the variance, gamma is missing.",
    "staged-power-up": SEEN
    + "In the path over the variance that has the power 3/2. The derivative of (σ² + eps) to the power −½ has the power −3/2.",
    "staged-mean-in-variance closed-mean-of-gamma": SEEN
    + "In the derivative with respect to the variance, the terms of a column add up. That takes their mean, and so a "
    "factor 1/{N} too many.",
    "staged-mean-in-mean closed-mean-of-beta": SEEN
    + "In the derivative with respect to the mean, the terms of a column add up. That takes their mean, and so a factor 1/{N} too many.",
    "staged-X-in-variance staged-X-at-the-end": SEEN
    + "In the path over the variance that has X in the place of X − μ. The variance is the mean of (X − μ)².",
    "staged-normal-in-variance": SEEN
    + "In the path over the variance that has X̂ where X − μ belongs: the deviation divides once too often.",
    "staged-N-minus-1-at-the-end": SEEN
    + "In the path over the variance that has 1/(N − 1). The variance is a mean over N = {N} rows, so it is 1/N.",
    "closed-means": SEEN
    + "That has a mean where a sum belongs: in N · G − ΣG − X̂ · Σ(G · X̂) both are sums, and the factor 1/N, here 1/{N}, stands in front.",
    "closed-columns-for-rows closed-entries-for-rows": SEEN + "N is the number of rows, here {N}. That has another number.",
    "closed-N-minus-1": SEEN + "That has 1/(N − 1) in front. The mean and the variance are means over N = {N} rows, so it is 1/N.",
    "gamma-on-direct": SEEN + "That has gamma in the direct path alone. All three paths go through Y = gamma · X̂.",
    "own-entries": SEEN + "Over the mean and the variance, an entry of X moves its whole column of Y. That counts its own entry alone.",
    "mean-sign": SEEN + "The path over the mean has the other sign. A larger mean makes Y smaller.",
    "variance-sign": SEEN + "The path over the variance has the other sign. A larger variance brings Y nearer to 0.",
    "closed-beta-of-all closed-gamma-of-all closed-of-all mean-over-all means-over-all variance-mean-over-all "
    "staged-sum-of-all-in-variance staged-sum-of-all-terms-in-variance staged-sum-of-all-terms-in-mean staged-sum-of-all-in-mean": SEEN
    + "In the path over the mean or the variance, that has a mean or a sum of the whole array. Each column has its own.",
    "variance-half": SEEN + "The path over the variance counts half. The 2 of the square and the ½ of the root cancel each other.",
    "variance-twice": SEEN + "The path over the variance counts twice. The 2 of the square and the ½ of the root cancel each other.",
    "variance-not-divided": SEEN
    + "In the path over the variance, X − μ is not divided by the deviation. It stands there twice, so the variance is missing below.",
    "variance-divided-once closed-centred": SEEN
    + "In the path over the variance, X − μ stands twice and is divided by the deviation once.",
    "normal-missing": SEEN + "In the path over the variance the mean of g · X̂ stands alone. It is multiplied by X̂ of each entry.",
    "X-for-normal closed-X": SEEN + "That has X in the place of the normalised X.",
    "X-over-deviation": SEEN + "That has X over the deviation in the place of the normalised X. First subtract the mean.",
    "closed-along-rows along-rows staged-along-rows-in-variance staged-along-rows-in-mean staged-terms-along-rows-in-mean": SEEN
    + "That takes sums or means along the rows. Each column has its own.",
    "no-root staged-no-root": SEEN + "That divides by variance + eps. The normalised X is X − μ over its root.",
    "sum-of-squares": SEEN + "That has the sum of the squares for the variance. It is their mean over N = {N} rows.",
    "not-centred": SEEN + "That has the mean of X² for the variance. It is the mean of (X − μ)².",
    "gamma-twice staged-gamma-at-the-end": SEEN + "That has gamma twice.",
    "by-gamma": SEEN + "That divides by gamma. Y is gamma times the normalised X, so its slope has gamma as a factor.",
    "diagonal": SEEN + "Over the variance, an entry of X moves its whole column of Y. That counts its own entry alone.",
    "sums": SEEN + "Over the mean and the variance, each entry counts 1/N, here 1/{N}. You took sums in place of means.",
    "no-gamma": SEEN + "Y is gamma times the normalised X. You left out gamma.",
    "no-upstream": SEEN + "You took 1 for each entry of the upstream gradient.",
    "no-eps staged-no-eps staged-no-eps-in-power": SEEN
    + "At least once eps = {eps} is missing. It stands with the variance wherever the root is.",
    "eps-outside staged-eps-outside": SEEN + "You added eps = {eps} to the root. It belongs below it.",
    "N-minus-1": SEEN + "You divided the squares by N − 1. The variance here is their mean over N = {N} rows.",
    "closed-whole-mean closed-whole-variance whole-array staged-whole-mean": SEEN
    + "That has the mean of the whole array, or its variance. Each column has its own.",
    "not-divided staged-direct-not-divided staged-mean-not-divided": SEEN + "A division by √(variance + eps) is missing.",
    "closed-not-inverted multiplied staged-times-deviation staged-direct-times-deviation": SEEN
    + "That is multiplied by √(variance + eps), at least in a part. X is divided by it, so the slope is, too.",
    "by-variance": SEEN + "That is divided by variance + eps in the end. X is divided by the root of it, so the slope is, too.",
    "only-direct-divided": SEEN + "That has the direct path over √(variance + eps) and the two others not. All three are divided by it.",
    "times-N": SEEN + "That is {N} times the answer: a factor 1/N is missing.",
    "by-N": SEEN + "That is the answer over {N}. The means hold 1/N already, and the direct path has no such factor.",
    "N-missing": SEEN + "The direct path has a factor 1/N, here 1/{N}. Only the paths over the mean and the variance have it.",
    "of-gamma": SEEN + "That is the derivative with respect to gamma. Asked for is the one with respect to X.",
    "forward": SEEN + "That is Y itself. Asked for is dz/dX.",
    "sign": SEEN + "The signs are wrong. A larger mean makes Y smaller, and so does a larger variance for entries above the mean.",
}
ASKED = {
    **dict.fromkeys(SAID, "Take one column. What do the three paths from its first entry to z give, one by one?"),
    "constants no-mean no-variance diagonal sums sign": "Nudge the first entry of X: what else moves in its column?",
    "no-eps eps-outside N-minus-1 whole-array not-divided": "What are the mean and the variance of the first column?",
    "no-gamma no-upstream": "How much does z grow with X̂?",
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
