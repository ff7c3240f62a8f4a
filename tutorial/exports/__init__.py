"""Results in the forms that other programs read, one file for each form."""
