"""What a graph of arrays can show: its scalar graph, its saved arrays, its steps and its formulas."""
