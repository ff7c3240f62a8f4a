"""Programs that measure this project and its peers; none of them is a test."""
