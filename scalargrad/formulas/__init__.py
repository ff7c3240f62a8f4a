"""How a formula of the table is written down: symbols, the signs of operators, and notations."""
