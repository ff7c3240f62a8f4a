"""A class in real time: students vote on their phones or with raised hands, discuss, vote again, and follow the teacher's player."""
