"""The tests of tensorgrad."""
