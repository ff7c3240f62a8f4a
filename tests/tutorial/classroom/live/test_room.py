"""The state of a class: votes, hands, phases, and what each page sees of it."""

import pytest

from tests.each import each
from tests.tutorial.classroom.live.classes import LESSON, QUESTIONS
from tutorial.classroom.live.room import NotNow, Room
from tutorial.classroom.live.views import by_student, by_teacher


@pytest.fixture
def room():
    room = Room(QUESTIONS, len(LESSON.players))
    for sid in "abc":
        room.apply({"do": "join", "sid": sid})
    return room


def go(room, *phases):
    for phase in phases:
        room.apply({"do": "phase", "phase": phase})


def vote(room, sid, choice):
    room.apply({"do": "vote", "sid": sid, "question": room.question, "round": room.round, "choice": choice})


def hand(room, choice, count=1):
    room.apply({"do": "hand", "question": room.question, "round": room.round, "choice": choice, "count": count})


def test_a_lesson_goes_from_the_first_vote_to_the_answer(room):
    go(room, "open")
    vote(room, "a", 0), vote(room, "b", 0), vote(room, "b", 2)  # the last vote of a student counts
    go(room, "closed", "discuss", "second")
    vote(room, "a", 1)
    go(room, "both", "reveal")
    assert [room.counts(0, round) for round in (1, 2)] == [[1, 0, 1], [0, 1, 0]]
    answer = by_student(room, "b")["answer"]
    assert answer == {"right": 1, "chosen": 2, "said": "Multiplied.", "why": "Both."}
    room.apply({"do": "phase", "phase": "open", "question": 2})
    assert (room.asked, room.round, room.counts(2, 1)) == ([0, 2], 1, [0, 0, 0])


def test_raised_hands_count_beside_phones(room):
    go(room, "open")
    vote(room, "a", 0), hand(room, 0, 12), hand(room, 2), hand(room, 2, -1), hand(room, 1, -1)
    assert room.counts(0, 1) == [13, 0, 0] and by_teacher(room, 3)["hands"] == 12
    go(room, "second")
    assert by_teacher(room, 3)["hands"] == 0


@each("phase", ["open", "closed", "discuss", "second", "both"])
@each("elsewhere", [["join"], ["follow"], ["end"], ["join", "follow", "end"]])
def test_a_question_that_was_interrupted_waits_until_the_class_comes_back(phase, elsewhere):
    room = Room(QUESTIONS, 2)
    go(room, "open", phase, *elsewhere)
    assert by_teacher(room, 0)["waiting"] == phase
    go(room, phase)
    assert by_teacher(room, 0)["waiting"] == ""
    go(room, "reveal", *elsewhere)
    assert by_teacher(room, 0)["waiting"] == ""


@each(
    "phases, event",
    [
        ((), {"do": "vote", "sid": "a", "question": 0, "round": 1, "choice": 0}),
        (("open", "closed"), {"do": "vote", "sid": "a", "question": 0, "round": 1, "choice": 0}),
        (("open",), {"do": "vote", "sid": "a", "question": 1, "round": 1, "choice": 0}),
        (("open",), {"do": "vote", "sid": "a", "question": 0, "round": 2, "choice": 0}),
        (("open",), {"do": "vote", "sid": "a", "question": 0, "round": 1, "choice": 3}),
        (("open",), {"do": "vote", "sid": "a", "question": 0, "round": 1, "choice": -1}),
        (("open",), {"do": "vote", "sid": "x", "question": 0, "round": 1, "choice": 0}),
        (("open",), {"do": "phase", "phase": "open", "question": 3}),
        (("open",), {"do": "phase", "phase": "vote"}),
        ((), {"do": "phase", "phase": "reveal"}),
        ((), {"do": "lost", "sid": "a", "page": 0, "step": "#step=1"}),
        (("follow",), {"do": "step", "page": 2, "step": "#step=1"}),
        ((), {"do": "__init__"}),
    ],
)
def test_what_does_not_fit_changes_nothing(phases, event):
    room = Room(QUESTIONS, 2)
    room.apply({"do": "join", "sid": "a"})
    go(room, *phases)
    before = by_teacher(room, 0)
    with pytest.raises(NotNow):
        room.apply(event)
    assert by_teacher(room, 0) == before


def test_a_paused_vote_takes_no_answer_and_goes_on(room):
    go(room, "open")
    room.apply({"do": "pause", "on": True})
    with pytest.raises(NotNow):
        vote(room, "a", 0)
    assert by_student(room, "a")["paused"]
    room.apply({"do": "pause", "on": False})
    vote(room, "a", 0)
    room.apply({"do": "pause", "on": True})
    go(room, "closed")
    assert not room.paused and room.counts(0, 1) == [1, 0, 0]


def test_who_comes_late_sees_the_open_question_and_a_locked_class_takes_nobody(room):
    go(room, "open")
    room.apply({"do": "join", "sid": "late"})
    assert by_student(room, "late")["question"]["asked"] == "Question 0?" and by_student(room, "late")["mine"] == {}
    room.apply({"do": "lock", "on": True})
    with pytest.raises(NotNow, match="locked"):
        room.apply({"do": "join", "sid": "too late"})
    vote(room, "late", 1)


def test_a_phone_never_gets_what_others_voted_nor_an_answer_before_it_is_shown(room):
    go(room, "open")
    vote(room, "a", 1), vote(room, "b", 2)
    for phases in ((), ("closed",), ("discuss",), ("second",), ("both",)):
        go(room, *phases)
        seen = by_student(room, "a")
        assert seen["mine"] == {1: 1} and not {"counts", "answer", "right"} & {*seen, *seen["question"]}
        assert "M02" not in str(seen) and "One path" not in str(seen)


def test_names_are_kept_only_if_the_teacher_asks_and_no_window_shows_them():
    for asks in (False, True):
        room = Room(QUESTIONS, 0, names=asks)
        room.apply({"do": "join", "sid": "a", "name": "  Ada\n\x00<img onerror=x>" + 99 * "a"})
        assert room.students["a"] == ("Ada<img onerror=x>" + 6 * "a" if asks else "")
        assert "Ada" not in str(by_teacher(room, 1))


def test_where_students_are_lost_is_counted_by_step_and_forgotten_with_the_page(room):
    go(room, "follow")
    room.apply({"do": "step", "page": 0, "step": "#step=7"})
    for sid, step in (("a", "#step=7"), ("b", "#step=7"), ("b", "#step=8"), ("c", "#step=7")):
        room.apply({"do": "lost", "sid": sid, "page": 0, "step": step})
    assert by_teacher(room, 3)["lost"] == {"#step=7": 2, "#step=8": 1}
    assert by_student(room, "a")["lost"] == "#step=7" and by_student(room, "a")["step"] == "#step=7"
    room.apply({"do": "step", "page": 1, "step": ""})
    assert by_teacher(room, 3)["lost"] == {} and by_student(room, "a")["lost"] == ""


def test_the_teachers_windows_see_how_often_the_class_has_stepped_even_to_a_place_where_it_was(room):
    go(room, "follow")
    for count, step in enumerate(("#step=7", "#step=8", "#step=7"), 1):
        room.apply({"do": "step", "page": 0, "step": step})
        assert (by_teacher(room, 3)["step"], by_teacher(room, 3)["steps"]) == (step, count)


def test_a_class_without_questions_follows_pages_and_ends():
    room = Room((), 1)
    go(room, "follow", "end", "join")
    with pytest.raises(NotNow, match="no such question"):
        go(room, "open")


def test_the_end_says_what_was_asked_and_how_it_was_answered(room):
    go(room, "open")
    vote(room, "a", 2)
    go(room, "end")
    assert by_teacher(room, 3)["report"] == [{"question": 0, "counts": [[0, 0, 1], [0, 0, 0]]}]
