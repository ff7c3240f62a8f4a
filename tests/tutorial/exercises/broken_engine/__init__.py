"""Tests of the comparison of engines."""
