"""Tests of `scalargrad/messages`."""
