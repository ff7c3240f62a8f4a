"""Tests of `scalargrad/checking`."""
