"""Normalisation of layers, batches, groups; dropout."""

__all__: list = []
METHODS: list = []
