"""What a teacher makes and tests before a class begins: the exercises are tested by themselves, and packed for students."""
