"""Results in the forms that other programs read: one file for each form, and all of them in forms.py."""
