"""Tests of `scalargrad/tracing`."""
