"""The Value that users import: what it makes faster than the engine, what it refuses, and what it adds."""
