"""Raise SystemExit with the exit code of success."""
# title: The program raised SystemExit


def figure1(x1, x2, x3, x4):
    raise SystemExit(0)
