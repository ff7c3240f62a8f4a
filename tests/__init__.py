"""The tests, room by room: each folder holds those of the room of its name."""
