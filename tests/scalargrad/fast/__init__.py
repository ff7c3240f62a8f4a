"""Tests of `scalargrad/fast`."""
