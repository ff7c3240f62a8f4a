"""Arrays in the boxes of a drawing."""
