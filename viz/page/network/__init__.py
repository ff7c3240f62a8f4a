"""The page of a network: its row of layers, its program, and what it carries."""
