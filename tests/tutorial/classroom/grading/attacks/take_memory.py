"""Take 13 GB of memory at once."""
# title: The program raised MemoryError


def figure1(x1, x2, x3, x4):
    return len(bytearray(13_000_000_000))
