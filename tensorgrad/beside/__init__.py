"""What the recorders of other libraries share: one call of theirs beside ours, and what a recording shows. It imports none of them."""
