"""The pages of the book before Sphinx reads them, for the tests of this folder."""

import pytest
from filelock import FileLock

from tutorial.book.reading.chapter import BOOK
from tutorial.book.source import gather


@pytest.fixture(scope="session")
def gathered(tmp_path_factory, testrun_uid):
    """The folder of the book's own pages and of the generated ones. The processes of one run share it: the first writes it."""
    folder = tmp_path_factory.getbasetemp().parent / f"gathered {testrun_uid}"
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            gather(BOOK, folder)
    return folder
