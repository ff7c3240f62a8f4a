"""Compositions over the steps of a sequence."""
