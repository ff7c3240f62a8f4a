"""The pages of the book before Sphinx reads them, for the tests of this folder."""

import pytest
from filelock import FileLock

from tutorial.book.site import gather
from tutorial.reading.chapter import BOOK


@pytest.fixture(scope="session")
def gathered(shared):
    """The folder of the book's own pages and of the generated ones. The first process that needs it writes it."""
    folder = shared / "gathered"
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            gather(BOOK, folder)
    return folder
