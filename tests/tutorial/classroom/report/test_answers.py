"""Answers to the inventory: a journal and a table of paper give the same, marks find each other, and mistakes in a table are named."""

import pytest

from tests.each import each
from tests.tutorial.classroom.report.planted import a_class, form, on_paper
from tutorial.classroom.live.open_class import begun
from tutorial.classroom.live.questions.source import inventory_test
from tutorial.classroom.report.statistics.answers import NoTable, Sheet, Taken, answers, is_answers, pairs


def journal(path, test):
    """Write the journal of a class that answers these sheets on phones."""
    desk = begun(inventory_test(test.form), "inventory", path)
    desk.do({"do": "phase", "phase": "paced"})
    for sheet in test.sheets:
        sid = desk.join(sheet.mark)
        for k, choice in enumerate(sheet.choices):
            if choice is not None:
                desk.do({"do": "vote", "sid": sid, "question": k, "round": 1, "choice": choice})
    desk.journal.close()
    return path


def test_phones_and_paper_give_the_same_answers(tmp_path):
    tests = a_class(2, students=4)
    table = tmp_path / "paper.csv"
    table.write_text(on_paper(tests), encoding="utf-8")
    journals = [journal(tmp_path / f"{test.form}.jsonl", test) for test in reversed(tests)]
    assert all(map(is_answers, [table, *journals]))
    both = answers([table]), answers(journals)
    assert [[(t.form, t.sheets) for t in found] for found in both] == [[(t.form, t.sheets) for t in tests]] * 2
    assert len(answers([*journals, table])[0].sheets) == 8


def test_students_who_answered_nothing_are_left_out_and_a_spreadsheets_byte_order_mark_is_read(tmp_path):
    table = tmp_path / "paper.csv"
    table.write_text("\ufeffTest,Mark,1,2\r\nBefore, et17 ,b\r\nbefore,LM03\r\n\r\n", encoding="utf-8")
    (found,) = answers([table])
    assert is_answers(table) and found.sheets == [Sheet("et17", (1, *[None] * 19))]


@each(
    "line, said",
    [
        ("A,x,A", "paper.csv, line 2: the test is 'A'; write before or after"),
        ("after,x,A,E", "paper.csv, line 2, question 2: 'E' is not a letter from A to D; leave it empty if nothing is marked"),
        ("before,x,AB", "question 1: 'AB' is not a letter"),
        ("before,x" + 21 * ",A", "paper.csv, line 2: there are 21 answers to 20 questions"),
    ],
)
def test_a_mistake_in_a_table_is_named(line, said, tmp_path_factory, monkeypatch):
    monkeypatch.chdir(tmp_path_factory.mktemp("paper"))
    with open("paper.csv", "w", encoding="utf-8") as file:
        file.write(f"test,mark,1,2\n{line}\n")
    with pytest.raises(NoTable) as wrong:
        answers(["paper.csv"])
    assert said in str(wrong.value)


def test_a_mark_pairs_two_sheets_if_it_stands_once_in_both_tests():
    sheets = lambda *marks: Taken("A", form("A"), [Sheet(mark, (0,) * 20) for mark in marks])
    assert pairs(sheets("ET17", "", "LM03", "AA01", "AA01"), sheets("lm 03", "AA01", "", "et17 ")) == [(0, 3), (2, 0)]


def test_two_versions_of_a_form_are_not_counted_together(tmp_path):
    test = a_class(2, students=1)[0]
    first, second = (journal(tmp_path / f"{k}.jsonl", test) for k in "12")
    second.write_text(second.read_text(encoding="utf-8").replace("By about how much does z grow?", "How much?", 1), encoding="utf-8")
    with pytest.raises(ValueError, match=r"2\.jsonl has other questions"):
        answers([first, second])
