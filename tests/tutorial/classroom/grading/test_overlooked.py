"""What lies in the folder of a class and is not graded is said, one sentence for each thing."""

import pytest

from tests.each import each
from tutorial.classroom.grading.classes.archive import overlooked

NOTHING, PROGRAMS = "ada: it holds no programs of exercises", []


@each(
    "paths, said",
    [
        (["ada/02_figure1.py"], PROGRAMS),
        (["ada/02_figure1.ipynb"], PROGRAMS),
        (["ada/notes.txt"], [NOTHING]),
        (["ada/drafts/02_figure1.py"], ["ada: its programs are in drafts, and are not graded there"]),
        (["ada/drafts/02_figure1.ipynb"], ["ada: its programs are in drafts, and are not graded there"]),
        (["ada/a/b/02_figure1.py"], [NOTHING]),
        (["ada/work.zip"], ["ada: it holds no programs, but work.zip; unpack it with: teach unpack"]),
        (["ada/02_figure1.py", "ada/old/08_backprop_dict.py", "ada/old.zip"], PROGRAMS),
        (["all.zip"], ["all.zip is a zip file, which is not graded; unpack it with: teach unpack"]),
        (["02_figure1.py"], ["02_figure1.py lies in no folder of a student; FOLDER holds a folder for each student"]),
        (["02_figure1.ipynb"], ["02_figure1.ipynb lies in no folder of a student; FOLDER holds a folder for each student"]),
        (["readme.txt", ".hidden.zip", "__MACOSX/02_figure1.zip"], PROGRAMS),
    ],
)
def test_each_thing_that_is_not_graded_is_said(paths, said, tmp_path_factory):
    folder = tmp_path_factory.mktemp("class")
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).touch()
    assert list(overlooked(folder)) == said


def test_a_link_is_said(tmp_path):
    (tmp_path / "real").mkdir()
    try:
        (tmp_path / "class").mkdir()
        (tmp_path / "class" / "eve").symlink_to(tmp_path / "real")
    except OSError:
        pytest.skip("this system makes no links")
    assert list(overlooked(tmp_path / "class")) == ["eve is a link, which is not followed"]
