"""What a graph of arrays shows of itself: its scalar graph, its saved arrays, its steps and its formulas."""
