"""Results, one for each student and exercise."""
