"""The programs of a student are found wherever they lie in what was handed in; no link is followed, and what is not graded is said."""

import pytest

from tests.tutorial.exercises.practice.test_notebook_programs import notebook
from tutorial.classroom.exports.submission import submissions
from tutorial.exercises.authored import find

FILES = {"02": "02_figure1.py", "08": "08_backprop_dict.py"}


@pytest.fixture
def hand_in(tmp_path):
    """hand_in({name: text}) returns {number: Submission} and the remarks."""

    def run(files):
        for name, content in files.items():
            path = tmp_path / "submission" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content) if isinstance(content, str) else path.symlink_to(content)
        found, remarks = submissions(tmp_path / "submission", "ada", map(find, FILES))
        assert {each.student for each in found} == {"ada"}
        return {each.exercise: each for each in found}, remarks

    return run


def test_files_may_lie_side_by_side_or_in_a_folder(hand_in):
    found, remarks = hand_in({"my work/02_figure1.py": "a", "my work/08_backprop_dict.py": "b", "old/02_figure1.py": "c"})
    assert (found["02"].program, found["08"].program) == ("a", "b")
    assert remarks == ["Not graded, because it lies in another folder: old/02_figure1.py"]
    found, remarks = hand_in({"02_figure1.py": "d", "08_backprop_dict.py": "e"})
    assert found["02"].program == "d" and len(remarks) == 3


def test_the_folder_with_the_most_programs_is_taken_not_the_highest(hand_in):
    found, remarks = hand_in({"02_figure1.py": "stray", "work/week 1/02_figure1.py": "a", "work/week 1/08_backprop_dict.py": "b"})
    assert (found["02"].program, found["08"].program) == ("a", "b")
    assert remarks == ["Not graded, because it lies in another folder: 02_figure1.py"]


def test_folders_of_the_system_and_very_deep_ones_are_not_looked_into(hand_in):
    found, remarks = hand_in({f"{folder}/02_figure1.py": "a" for folder in ("__MACOSX", ".git", "1/2/3/4/5")})
    assert found["02"].missing and not found["02"].program and "no file with a name such as 02_figure1.py" in remarks[0]


def test_without_files_the_programs_come_from_notebooks(hand_in):
    found, remarks = hand_in({"b.ipynb": notebook("def figure1(): 1"), "a.ipynb": "no notebook", "c.ipynb": notebook("def figure1(): 2")})
    assert found["02"].program == "def figure1(): 1\n" and found["08"].missing
    assert [remark.split(":")[0] for remark in remarks] == ["a.ipynb was not read", "From b.ipynb", "From c.ipynb"]


def test_a_link_is_not_followed(hand_in, tmp_path):
    (tmp_path / "secret.py").write_text("secret")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "08_backprop_dict.py").write_text("secret")
    found, _ = hand_in({"02_figure1.py": tmp_path / "secret.py", "linked": tmp_path / "folder"})
    assert found["02"].refused == "02_figure1.py is not a file" and not found["02"].program and found["08"].missing
