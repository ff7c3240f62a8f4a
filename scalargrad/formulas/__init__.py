"""The formulas of the table as text: symbols, operators, notations."""
