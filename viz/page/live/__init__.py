"""How the page computes its numbers again at another point."""
