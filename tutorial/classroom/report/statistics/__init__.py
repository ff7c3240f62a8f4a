"""What is counted of a class, with intervals."""
