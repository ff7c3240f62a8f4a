"""An exercise as a Jupyter notebook: the statement, the given program, and a cell that checks what was run above it."""
