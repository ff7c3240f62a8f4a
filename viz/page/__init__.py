"""The page that plays a trace, and where its variables stand."""
