"""A layer norm that divides by the deviation and does not subtract the mean, though the program computes it."""

DEVIATIONS, QUOTIENTS, MEANS = {"std", "var"}, {"div", "divide", "truediv", "true_divide", "mul"}, {"mean"}
NEAR = 4  # functions from a deviation to the division by it: + eps, sqrt, a factor


def half_normalised(calls, is_used):
    """Yield (call, what is odd about it) for each division of x by its deviation, if the mean of x is computed and not used.

    is_used(call) says whether anything outside of the graph uses what a call gives.
    """
    made = {v.node: call for call in calls for v in call.results}
    used = {x for y in made for x in y.inputs}
    of_mean = [call for call in calls if call.name in MEANS and call.results and call.results[0].node not in used and not is_used(call)]
    means = {call.results[0].node.inputs[0]: call for call in of_mean}
    for y, call in made.items():
        if call.name in QUOTIENTS and len(y.inputs) == 2:
            over, under = (before(x, made) for x in y.inputs)
            for x in (x for x, name in under if name in DEVIATIONS):
                mean = means.get(x)
                if mean and any(x is top for top, _ in over):
                    yield (
                        call,
                        f"divides by the deviation of what {mean.title} ({mean.place}) takes the mean of, and nothing uses that mean",
                    )


def before(x, made):
    """Return [(variable, the function that it is given to)] on the ways back from x over a few functions; x itself is given to none."""
    found, ready = [(x, "")], [(x, 0)]
    while ready:
        y, far = ready.pop()
        for given in y.inputs if far < NEAR else ():
            found.append((given, made[y].name if y in made else ""))
            ready.append((given, far + 1))
    return found
