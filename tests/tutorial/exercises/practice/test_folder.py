"""A student's folder: whether a program was begun, and whether it is what an earlier version gave."""

import pytest

from tutorial.exercises.authored import find
from tutorial.exercises.practice.folder import Folder, program_to_write
from tutorial.exercises.practice.progress import digest

EXERCISE = find("02")


@pytest.fixture
def folder(tmp_path):
    return Folder.create(tmp_path / "student")


def test_only_the_text_of_an_earlier_version_is_outdated(folder):
    now = program_to_write(EXERCISE)
    assert not folder.outdated(EXERCISE, now), "this version would write the same"
    assert not folder.outdated(EXERCISE, f"{now}\n# mine"), "it is the student's own"
    folder.progress.given["02"] = digest("# as an earlier version wrote it\n")
    assert folder.outdated(EXERCISE, "# as an earlier version wrote it\n")


def test_a_program_is_begun_if_no_version_has_given_it(folder):
    path = folder.file(EXERCISE)
    assert not folder.begun(EXERCISE)
    for text, begun in (("# as an earlier version wrote it\n", True), ("def figure1(): pass\n", True), (program_to_write(EXERCISE), False)):
        path.write_text(text, encoding="utf-8")
        assert folder.begun(EXERCISE) == begun, text
    folder.progress.given["02"] = digest("# as an earlier version wrote it\n")
    path.write_text("# as an earlier version wrote it\n", encoding="utf-8")
    assert not folder.begun(EXERCISE)
    path.unlink()
    assert not folder.begun(EXERCISE)
