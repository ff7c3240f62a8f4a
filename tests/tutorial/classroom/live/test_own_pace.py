"""A test in class: each student answers at their own pace, answers survive the end of the server, the teacher sees progress alone."""

import asyncio
import json
from dataclasses import replace

import pytest

from tests.tutorial.classroom.live.classes import QUESTIONS, Asker, go, served
from tutorial.classroom.live.journal import Journal
from tutorial.classroom.live.open_class import Desk, begun
from tutorial.classroom.live.questions.source import Lesson
from tutorial.classroom.live.room import NotNow
from tutorial.classroom.live.views import by_student, by_teacher

OTHER = tuple(replace(question, asked=f"Other {k}?") for k, question in enumerate(QUESTIONS))
TEST = Lesson("A test", QUESTIONS, (), "A")


def answer(desk, sid, question, choice, round=1):
    desk.do({"do": "vote", "sid": sid, "question": question, "round": round, "choice": choice})


def begin(tmp_path):
    desk = begun(TEST, "inventory", tmp_path / "class.jsonl")
    return desk, [desk.join(mark) for mark in ("ET17", "LM03", "")]


def test_students_answer_in_any_order_and_may_change_answers_until_the_end(tmp_path):
    desk, (ada, ben, _) = begin(tmp_path)
    with pytest.raises(NotNow, match="no vote is open"):
        answer(desk, ada, 0, 1)
    go(desk, "paced")
    for question, choice in ((2, 0), (0, 1), (2, 1), (1, 1)):
        answer(desk, ada, question, choice)
    answer(desk, ben, 1, 2)
    assert by_student(desk.room, ada)["mine"] == {2: 1, 0: 1, 1: 1} and by_student(desk.room, ben)["mine"] == {1: 2}
    assert by_teacher(desk.room, 3)["progress"] == [1, 1, 0, 1]
    for question, choice, round in ((3, 0, 1), (0, 3, 1), (0, 0, 2), (-1, 0, 1)):
        with pytest.raises(NotNow, match="there is no such question|has no such choice"):
            answer(desk, ada, question, choice, round)
    go(desk, "end")
    with pytest.raises(NotNow):
        answer(desk, ada, 0, 0)


def test_what_the_teacher_sees_does_not_depend_on_what_is_answered(tmp_path):
    seen = []
    for choice in (0, 1):
        (tmp_path / str(choice)).mkdir()
        desk, (ada, *_) = begin(tmp_path / str(choice))
        go(desk, "paced")
        answer(desk, ada, 0, choice)
        seen.append([by_teacher(desk.room, 3)])
        go(desk, "end")
        seen[-1].append(by_teacher(desk.room, 3))
    assert seen[0] == seen[1] and seen[0][1]["report"] == []


def test_a_test_has_no_votes_for_all_and_a_lesson_no_test(tmp_path):
    desk, _ = begin(tmp_path)
    for phase in ("open", "reveal", "follow"):
        with pytest.raises(NotNow, match="at their own pace"):
            go(desk, phase)
    lesson = begun(Lesson("A lesson", QUESTIONS, ()), "3", tmp_path / "lesson.jsonl")
    with pytest.raises(NotNow, match="all answer together"):
        go(lesson, "paced")


def test_answers_and_marks_survive_the_end_of_the_server(tmp_path):
    desk, (ada, *_) = begin(tmp_path)
    go(desk, "paced")
    answer(desk, ada, 1, 2)
    path = tmp_path / "class.jsonl"
    again = Desk(TEST, Journal.resume(path), path)
    assert by_student(again.room, ada)["mine"] == {1: 2} and again.room.students[ada] == "ET17" and again.about["form"] == "A"


def test_the_questions_of_a_test_are_sent_without_their_answers_and_only_while_it_is_open(tmp_path):
    async def run():
        desk, (ada, *_) = begin(tmp_path)
        async with served(desk) as found:
            phone, teacher = Asker(found.students), Asker(found.teacher, **{"X-Token": desk.token})
            assert (await phone.get("test?sid=nobody")).code == 401
            assert (await phone.get(f"test?sid={ada}")).code == 409
            await teacher.post("lead", {"do": "phase", "phase": "paced"})
            questions = json.loads((await phone.get(f"test?sid={ada}")).body)["questions"]
            assert [q["asked"] for q in questions] == [q.asked for q in QUESTIONS] and questions[0]["choices"] == ["0.8", "1.1", "2.4"]
            assert not any(secret in str(questions) for secret in ("right", "M02", "One path."))
            assert (await phone.post("vote", {"sid": ada, "question": 2, "round": 1, "choice": 0})).code == 200
            lesson = json.loads((await teacher.get("lesson")).body)
            assert lesson["is_test"] and lesson["questions"] == [] and lesson["count"] == 3
            assert (await teacher.post("lead", {"do": "hand", "question": 0, "round": 1, "choice": 0, "count": 1})).code == 409
            assert b'data-names="mark"' in (await phone.get("")).body

    asyncio.run(run())


def test_half_of_the_students_get_the_other_form_in_both_tests_the_other_one(tmp_path):
    """The mark says which, so each student gets new numbers. Pictures show the numbers of their form."""

    async def asked(desk):
        async with served(desk) as found:
            phone = Asker(found.students)
            go(desk, "paced")
            sids = [desk.join(mark) for mark in ("ET17", "et 17", "LM30")]
            texts = [json.loads((await phone.get(f"test?sid={sid}")).body)["questions"][2] for sid in sids]
            assert (await phone.get("picture/5.svg")).code == 200
            answer(desk, sids[2], 2, 1)
            assert desk.room.counts(2, 1) == [0, 1, 0]
            return [(text["asked"], text["number"], text["picture"]) for text in texts]

    own, other = ("Question 2?", 2, "picture/2.svg"), ("Other 2?", 2, "picture/5.svg")
    first = asyncio.run(asked(begun(replace(TEST, other=OTHER), "inventory", tmp_path / "a.jsonl")))
    assert first == [own, own, other]
    after = Lesson("A test", OTHER, (), "B", QUESTIONS)
    assert [text for text, *_ in asyncio.run(asked(begun(after, "inventory-b", tmp_path / "b.jsonl")))] == 2 * ["Other 2?"] + [
        "Question 2?"
    ]
