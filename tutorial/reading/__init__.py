"""A chapter read in Python: its blocks, as text in the terminal whose cells run, and as a notebook. Does not need Sphinx."""
