"""The journal brings a class back; what was acknowledged is in it, and a torn line or a full disk loses nothing else."""

import json
import os

import pytest

from tests.tutorial.classroom.live.classes import begin, go, resume, vote
from tutorial.classroom.live.journal import NoJournal, read
from tutorial.classroom.live.open_class import about


def test_a_class_comes_back_as_it_was(tmp_path):
    desk = begin(tmp_path)
    sids = [desk.join("") for _ in range(3)]
    go(desk, "open")
    for k, sid in enumerate(sids):
        vote(desk, sid, k)
    go(desk, "closed", "discuss", "second")
    vote(desk, sids[0], 1)
    desk.do({"do": "lock", "on": True})
    before = vars(desk.room)
    desk.journal.close()
    again = resume(tmp_path)
    assert vars(again.room) == before and (again.code, again.token) == (desk.code, desk.token)
    vote(again, sids[1], 2)
    again.journal.close()
    assert resume_and_close(tmp_path).room.counts(0, 2) == [0, 1, 1]


def resume_and_close(tmp_path):
    desk = resume(tmp_path)
    desk.journal.close()
    return desk


def test_a_line_that_was_cut_off_is_left_out_and_the_next_one_is_whole(tmp_path):
    desk = begin(tmp_path)
    sid = desk.join("")
    go(desk, "open")
    vote(desk, sid, 2)
    desk.journal.close()
    path = tmp_path / "class.jsonl"
    path.write_bytes(path.read_bytes() + b'{"do":"vote","sid":"')
    again = resume(tmp_path)
    vote(again, sid, 1)
    again.journal.close()
    assert resume_and_close(tmp_path).room.counts(0, 1) == [0, 1, 0]
    assert all(isinstance(json.loads(line), dict) for line in path.read_text().splitlines())


def test_a_full_disk_counts_no_vote_and_says_so(tmp_path, monkeypatch):
    desk = begin(tmp_path)
    sid = desk.join("")
    go(desk, "open")
    real = os.write

    def full(file, line):
        if file != desk.journal.file:
            return real(file, line)
        return real(file, line[:7])  # a part of the line is written, as on a disk that fills

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        with pytest.raises(OSError):
            vote(desk, sid, 1)
    assert desk.room.counts(0, 1) == [0, 0, 0] and "no vote counts" in desk.for_teacher()["warning"]
    vote(desk, sid, 2)
    assert desk.for_teacher()["warning"] == ""
    desk.journal.close()
    assert resume_and_close(tmp_path).room.counts(0, 1) == [0, 0, 1]


def test_a_journal_is_not_written_over_and_belongs_to_its_owner(tmp_path):
    begin(tmp_path).journal.close()
    with pytest.raises(FileExistsError):
        begin(tmp_path)
    assert os.name != "posix" or (tmp_path / "class.jsonl").stat().st_mode & 0o77 == 0


@pytest.mark.parametrize("text", ["", "{}\n", '{"schema": "tutorial/live/v1"}\n', "no json\n", '{"schema": "tutorial/result/v1"}\n'])
def test_another_file_is_not_a_journal(tmp_path, text):
    (tmp_path / "a.jsonl").write_text(text)
    with pytest.raises(NoJournal):
        about(tmp_path / "a.jsonl")


def test_an_event_that_does_not_fit_the_lesson_is_named_by_its_line(tmp_path):
    desk = begin(tmp_path)
    desk.journal.write({"do": "phase", "phase": "open", "question": 9})
    desk.journal.close()
    with pytest.raises(NoJournal, match="line 2, does not fit this lesson"):
        resume(tmp_path)
    assert len(list(read(tmp_path / "class.jsonl"))) == 2
