"""The arm of the book with any number of joints, in arrays: `cumsum`, `cos`, `sin` and `sum`. (`arm` has it in plain numbers.)

    from tutorial.graphs.arm_arrays import CUP, miss, points, slopes, start
    angles = Tensor(start(60))               # 60 joints, a curl of 0.9 radians from the table to the hand
    z = miss(angles); z.backward()           # z is a number; angles.grad has a slope for each joint
    points(angles)                           # shape (60, 2): the ends of the links, a row (x, y) each; the last one is the hand
    slopes(angles.data, cup)                 # the same slopes by hand, without an engine: to compare with
    angles.data -= 0.2 / 60 * angles.grad    # a step; the hand is within 0.03 of CUP after 67 (60 joints), 74 (1,000 and more)
    P = points(np.array([0, 1, -1]) * np.pi / 2)      # chapter 10: the joints [[1, 0], [1, 1], [2, 1]] of an arm on a rail
    Y = P + b; ((Y - places) ** 2).sum()              # with places = P - [[1, 0], [2, -1], [3, 1]] and b = Tensor([0., 0.]):
                                                      # dz/dY = [[2, 0], [4, -2], [6, 2]], dz/db = [12, 0]; b = [-0.1, 0] changes z by -1.17
    Arm(angles.data, cup=CUP) draws it, with Arm from tutorial.graphs.arm.

Angles, a 1-d array or tensor, count from the direction of the link before. All links have the same length, together 3.
"""

import numpy as np

CUP, LENGTH = (-1.2, 1.9), 3.0


def start(joints):
    """Return the angles of an arm that is curled a little: 0.9 radians, shared by its joints.

    >>> start(3)
    array([0.3, 0.3, 0.3])
    """
    return np.full(joints, 0.9 / joints)


def points(angles, length=LENGTH):
    """Return the ends of the links as an array or tensor of shape (joints, 2), from the table to the hand.

    >>> points(np.zeros(3)).tolist()
    [[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]]
    """
    headings, link = np.cumsum(angles), length / len(angles)
    return np.cumsum(link * np.stack([np.cos(headings), np.sin(headings)], axis=1), axis=0)


def miss(angles, cup=CUP, length=LENGTH):
    """Return the square of the distance between the hand and the cup.

    >>> float(miss(np.zeros(60), cup=(3, 1)).round(12))
    1.0
    """
    headings, link = np.cumsum(angles), length / len(angles)
    return (link * np.cos(headings).sum() - cup[0]) ** 2 + (link * np.sin(headings).sum() - cup[1]) ** 2


def slopes(angles, cup=CUP, length=LENGTH):
    """Return the derivative of the miss with respect to each angle, by hand: a joint turns all that is behind it, the hand too.

    >>> slopes(np.zeros(3), cup=(3, 1)).tolist()
    [-6.0, -4.0, -2.0]
    """
    ends = points(angles, length)
    x, y = (ends[-1] - np.vstack([[0.0, 0.0], ends[:-1]])).T  # from each joint to the hand
    pull_x, pull_y = 2 * (ends[-1] - cup)
    return pull_y * x - pull_x * y
