"""What we say to users: errors, advice for names of other libraries, and the names that variables have in user code."""
