"""Exercises on paper: a sheet for each exercise with room for the answer, and a sheet with the solution for the teacher."""
