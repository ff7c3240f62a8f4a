"""On paper: a sheet for each exercise with room for the answer, one with its solution, and the concept inventory."""
