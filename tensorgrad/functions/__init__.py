"""Functions that are compositions of rules, a family a file."""
