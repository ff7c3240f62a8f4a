"""A zip file of submissions becomes the folders of a class, whatever folders the files lie in."""

import zipfile

import pytest

from tests.tutorial.exercises.practice.test_notebook_programs import notebook
from tutorial.cli.main import main
from tutorial.exercises.authored import find

RIGHT = find("02").solution
EXPORT = {
    "assignment_1_export/submission_metadata.yml": "submission_11:\n",
    "assignment_1_export/submission_11/02_figure1.py": RIGHT,
    "assignment_1_export/submission_12/my work/02_figure1.py": RIGHT,
    "assignment_1_export/submission_12/my work/film.mp4": "x",
    "assignment_1_export/submission_13/work.ipynb": notebook(RIGHT),
    "assignment_1_export/submission_14/02_figure1.py": "#" * 1_000_001,
    "assignment_1_export/submission_15/notes.txt": "I have no time",
}


@pytest.fixture
def unpack(tmp_path, capsys, monkeypatch):
    """unpack({name: text}) returns the exit code and what was printed."""
    monkeypatch.chdir(tmp_path)

    def run(files):
        with zipfile.ZipFile("z.zip", "w", zipfile.ZIP_DEFLATED) as file:
            for name, content in files.items():
                file.writestr(name, content)
        code = main(["teach", "unpack", "z.zip", "class"])
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run


def test_the_export_of_gradescope_becomes_a_class(unpack, tmp_path):
    code, printed, said = unpack(EXPORT)
    assert code == 0 and "5 students are in class" in printed and "teach grade class" in printed
    assert "submission_14/02_figure1.py was left out, because it is too large" in said and "From work.ipynb: 02" in said
    assert [len(list((tmp_path / "class" / f"submission_{k}").iterdir())) for k in range(11, 16)] == [1, 1, 1, 0, 0]
    for name in ("submission_11", "submission_12", "submission_13"):
        (path,) = (tmp_path / "class" / name).iterdir()
        assert path.name == "02_figure1.py" and "def figure1" in path.read_text()


def test_a_class_is_not_overwritten_and_a_bad_zip_file_leaves_nothing(unpack, tmp_path):
    code, _, said = unpack(EXPORT | {"../../evil.py": ""})
    assert code == 2 and "leads out of the folder" in said and said.count("\n") == 1 and not (tmp_path / "class").exists()
    code, _, said = unpack({"02_figure1.py": RIGHT})
    assert code == 2 and "holds no folders of students" in said and not (tmp_path / "class").exists()
    assert unpack(EXPORT)[0] == 0
    code, _, said = unpack(EXPORT)
    assert code == 2 and "is not empty" in said
    assert main(["teach", "grade", "z.zip"]) == 2


def test_a_folder_with_a_zip_file_of_each_student_becomes_a_class_and_one_bad_file_costs_the_others_nothing(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "handed in").mkdir()
    for student, member in (("ada", "02_figure1.py"), ("bob", "../02_figure1.py"), ("eve", "02_figure1.py")):
        with zipfile.ZipFile(tmp_path / "handed in" / f"{student}.zip", "w") as file:
            file.writestr(member, RIGHT)
    (tmp_path / "handed in" / "dan.zip").write_bytes(b"no zip file")
    assert main(["teach", "unpack", "handed in", "class"]) == 0
    shown = capsys.readouterr()
    assert "4 students" in shown.out and "bob.zip was refused" in shown.err and "dan.zip was refused" in shown.err
    assert {path.name: sorted(file.name for file in path.iterdir()) for path in (tmp_path / "class").iterdir()} == {
        "ada": ["02_figure1.py"],
        "bob": [],
        "dan": [],
        "eve": ["02_figure1.py"],
    }
    (tmp_path / "empty").mkdir()
    assert main(["teach", "unpack", "empty", "other"]) == 2
