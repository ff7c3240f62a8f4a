"""The names that variables have in the user's code, and the lines that made them."""
