"""The Value that users import: the engine's, and what is made faster, added or refused. Each file's first words say which."""
