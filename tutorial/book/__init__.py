"""The book: chapters in Markdown whose code runs while the site is built."""
