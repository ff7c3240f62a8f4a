"""Programs that measure this project and its peers. They are not tests."""
