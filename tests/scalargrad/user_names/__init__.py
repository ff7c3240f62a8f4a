"""Tests of `scalargrad/user_names`."""
