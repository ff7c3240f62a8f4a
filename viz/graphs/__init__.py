"""What pictures ask of a graph: its inputs, its parts, where it stops being finite."""
