"""The commands of the book: in the browser, as a site, as slides, a chapter as a notebook or in the terminal."""
