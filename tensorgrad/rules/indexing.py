"""Functions that pick entries out and put entries in."""

__all__: list = []
METHODS: list = []
