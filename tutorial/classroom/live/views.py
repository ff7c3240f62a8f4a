"""What a student's page and the teacher's windows see of a class. A student's page never gets the votes of others, nor a name."""

from collections import Counter

from tutorial.classroom.live.questions.question import Code, Picture, Question, Typeset
from tutorial.classroom.live.room import ASKING, ROUNDS, Room
from tutorial.misconceptions import MISCONCEPTIONS

MOST_TYPED = 3  # numbers that are shown of each choice


def by_student(room: Room, sid) -> dict:
    found: dict = {"phase": room.phase, "round": room.round, "paused": room.paused, "name": room.students.get(sid, "")}
    if room.phase in ASKING:
        question = room.questions[room.question]
        given = room.typed if question.typed else room.votes
        mine = {round: answer for round in (1, 2) if (answer := given.get((room.question, round), {}).get(sid)) is not None}
        found |= {"question": for_students(question, room.question), "mine": mine}
        if room.phase == "reveal":
            last = next((votes[sid] for round in (2, 1) if sid in (votes := room.votes.get((room.question, round), {}))), None)
            said = question.choices[question.right if last is None else last].reply
            found["answer"] = {"right": question.right, "chosen": last, "said": said, "why": question.choices[question.right].reply}
    if room.phase == "paced":
        found["mine"] = {number: votes[sid] for (number, _), votes in room.votes.items() if sid in votes}
    if room.phase == "follow":
        page, step = room.lost.get(sid, (None, ""))
        found |= {"page": room.page, "step": room.step, "following": room.following, "lost": step if page == room.page else ""}
    return found


def by_teacher(room: Room, online) -> dict:
    """Return what the teacher's windows show; `online` is how many phones are connected."""
    found: dict = {"phase": room.phase, "round": room.round, "paused": room.paused, "locked": room.locked}
    found |= {"here": len(room.students), "online": online, "asked": room.asked, "votes": room.phase in ROUNDS, "waiting": room.waiting}
    found["question"] = room.question if room.asked else -1
    if room.phase in ASKING:
        found["typed"] = typed(room)
        found["counts"] = [room.counts(room.question, round) for round in (1, 2)]
        found["hands"] = room.hands.get((room.question, room.round), Counter()).total()
    if room.phase == "follow":
        found |= {"page": room.page, "step": room.step, "steps": room.steps, "following": room.following, "lost": room.lost_at()}
    if room.is_test:
        found["progress"] = room.progress()
    if room.phase == "end":
        found["report"] = [{"question": k, "counts": [room.counts(k, round) for round in (1, 2)]} for k in room.asked]
    return found


def typed(room) -> list[list[str]]:
    """Return the numbers that were typed most for each choice of the question, if numbers are typed."""
    found: list[Counter] = [Counter() for _ in room.questions[room.question].choices]
    for round in (1, 2):
        votes = room.votes.get((room.question, round), {})
        for sid, text in room.typed.get((room.question, round), {}).items():
            found[votes[sid]][text] += 1
    return [[text for text, _ in counts.most_common(MOST_TYPED)] for counts in found]


def for_students(question: Question, number, picture=None) -> dict:
    """Return a question without what would tell its answer. Its picture has the number of the question, or another one."""
    choices = [] if question.typed else [choice.text for choice in question.choices]
    return {
        "number": number,
        "asked": question.asked,
        "choices": choices,
        "typed": bool(question.typed),
        **beside(question, picture or number),
    }


def for_teacher(question: Question, number) -> dict:
    """Return a question with its replies, and what each wrong choice believes, in words."""
    choices = [
        {"text": c.text, "reply": c.reply, "id": c.believes, "believes": MISCONCEPTIONS.get(c.believes, "")} for c in question.choices
    ]
    found = {"number": number, "asked": question.asked, "choices": choices, "right": question.right, "typed": bool(question.typed)}
    place = {"at": vars(question.at)} if question.at else {}
    return found | place | beside(question, number)


def beside(question, number) -> dict:
    """Return where a page finds what stands beside a question: a picture by its address, a program and a formula as they are."""
    found: dict = {}
    for shown in question.beside:
        match shown:
            case Picture(said=said):
                found |= {"picture": f"picture/{number}.svg", "said": said, "size": shown.size()}
            case Code(source=source):
                found |= {"code": source}
            case Typeset(html=html):
                found |= {"formula": html}
    return found
