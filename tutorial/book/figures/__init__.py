"""The figures of the book: each is a module in `src` that draws a state, whose numbers a test compares with the engine."""
