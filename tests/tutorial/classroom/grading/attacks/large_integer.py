"""Return an integer of three million digits."""
# title: The answer is not a plain value


def figure1(x1, x2, x3, x4):
    return {"y1": 1 << 10_000_000}
