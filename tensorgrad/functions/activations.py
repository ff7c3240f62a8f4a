"""Activation functions, softmax among them."""

__all__: list = []
METHODS: list = []
