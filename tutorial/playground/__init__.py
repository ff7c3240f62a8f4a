"""The playground: one page with an editor, Python and the engine, which needs no network."""
