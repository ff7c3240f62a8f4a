"""Look around in a large graph: one HTML file whose scopes open and close."""
