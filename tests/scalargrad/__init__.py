"""The tests of the scalar engine."""
