"""What the book adds to Sphinx, one file for each part."""
