"""What pictures and pages say: names, numbers and formulas as text, and the sentences of steps."""
