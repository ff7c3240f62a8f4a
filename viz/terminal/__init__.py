"""The stepper and the printed trace, for a terminal."""
