"""The tests. Each folder mirrors a package."""
