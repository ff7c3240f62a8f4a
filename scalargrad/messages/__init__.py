"""What we say to users: errors, advice for names of other libraries, and how the engines differ."""
