"""The check of an answer: what is found in it, and what is said."""
