"""Raise an error whose text moves the cursor and writes a green tick."""
# title: The program raised ValueError


def figure1(x1, x2, x3, x4):
    raise ValueError("\x1b[2J\x1b[H\x1b[32m right \r\n right")
