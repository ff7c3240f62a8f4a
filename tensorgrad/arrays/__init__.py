"""What tensors ask of plain arrays: axes, windows, dtypes, operands, arrays of objects, random draws."""
