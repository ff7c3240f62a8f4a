"""A file of a program is read in the encoding that it names, as Python does; others are refused in one line."""

import pytest

from tests.each import each
from tutorial.exercises.authored import find
from tutorial.exercises.checking.check import check
from tutorial.exercises.checking.verdict import RIGHT
from tutorial.exercises.practice.folder import Folder, NoFolder, decoded

EXERCISE = find("02")
ENCODINGS = {"latin-1": "latin-1", "iso-8859-15": "iso-8859-15", "cp1252": "cp1252", "mac-roman": "mac-roman", "utf8": "utf-8"}
REFUSED = {
    b"# \xff\n": "is not text in UTF-8",
    b"\xff\xfe#\x00": "is not text in UTF-8",
    b"# coding: nonsense\n": "names an encoding that Python does not know",
    b"# coding: cp1253\n# \xd2\xff\n": "is not text in CP1253",
    b"# coding: punycode\n": "has the encoding punycode",  # 500 kB of it take minutes
    b"# coding: rot13\n": "has the encoding rot13",
    b"# coding: unicode_escape\n": "has the encoding unicode_escape",
    b"\n\n# coding: latin-1\n# \xeb\n": "is not text in UTF-8",  # in the third line it says nothing
}


@each("named", ENCODINGS)
def test_a_program_is_read_in_the_encoding_that_it_names(named, tmp_path):
    for first in (f"# -*- coding: {named} -*-\n", f"\n# vim: set fileencoding={named} :\r\n"):
        text = f"{first}# Zoë\n{EXERCISE.solution}"
        Folder(tmp_path).file(EXERCISE).write_bytes(text.encode(ENCODINGS[named]))
        program = Folder(tmp_path).program(EXERCISE)
        assert "# Zoë\n" in program and len(program.splitlines()) == len(text.splitlines())
        assert check(EXERCISE, program).state == RIGHT
        Folder(tmp_path).file(EXERCISE).write_text(program, encoding="utf-8")  # as `teach unpack` writes it
        assert Folder(tmp_path).program(EXERCISE) == program


@each("content", REFUSED)
def test_other_bytes_are_refused_in_one_line(content, tmp_path):
    Folder(tmp_path).file(EXERCISE).write_bytes(content)
    with pytest.raises(NoFolder) as wrong:
        Folder(tmp_path).program(EXERCISE)
    assert REFUSED[content] in str(wrong.value) and str(wrong.value).endswith("save it as UTF-8")


def test_the_mark_at_the_begin_of_a_file_is_no_part_of_the_text():
    assert decoded(b"\xef\xbb\xbfx = 1\r\ny = 2") == "x = 1\ny = 2"
