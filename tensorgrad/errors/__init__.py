"""What tensorgrad says about bad input, and about the names of other libraries."""
