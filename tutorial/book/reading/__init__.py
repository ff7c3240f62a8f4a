"""A chapter read in Python: its blocks, its cells run, as text in the terminal, and as a notebook."""
