"""The inventory on paper: a page to print for each form, the key with what each wrong answer believes, and a sheet for interviews."""

from collections.abc import Sequence
from statistics import fmean

from scalargrad.formulas.text import escape
from tutorial.classroom.inventory import FIRST, NAMES
from tutorial.classroom.live.questions.question import LETTERS, Question
from tutorial.classroom.live.questions.source import form
from tutorial.misconceptions import MISCONCEPTIONS
from tutorial.reading.chapter import find
from viz.document import asset, filled

MINUTES = 25
TITLE = "Concept inventory of backpropagation (draft)"
DRAFT = (
    "This is a draft. No class has answered it yet, so nothing is known of how hard an item is, or of how well it tells students "
    "apart. Use it to find out what to teach, and give no marks by it."
)
FOR_STUDENTS = (
    f"Mark one letter for each question. If you do not know, leave it open: that helps more than a guess. You have {MINUTES} minutes, "
    "and need no calculator. It is not graded."
)
MARK = (
    "Your mark is the last two letters of the street in which you grew up, and the day of your birthday, such as ET17. By it, your "
    "test before the course and the one after it find each other. Do not write your name."
)
WHO = (
    "This is form {0}. Before the course it is for those who were born on {1} of a month, after the course for all others. If it is not "
    "yours, ask for the other form."
)
FOR_TEACHERS = (
    "There are two forms, which ask the same by other numbers. Print one of each for two students. Before the course, form A is for "
    "those who were born on an odd day of a month, and form B for those of an even day. After the course all take the other form. So "
    "half of the class has each form first, and a harder form is neither a gain nor a loss. Phones go by the same days. The letters of "
    "both forms mean the same, so there is one key. Collect all sheets, and show no solutions before the second test.",
    "Write the letters of each sheet into `answers.csv`: a line for each student, with `before` or `after`, the mark, and nothing where "
    "nothing is marked. The form need not be written. `python -m tutorial teach report answers.csv` then makes a page: what to teach "
    "again, before and after by misconception, and each item, with intervals. Below 20 students it gives counts alone. It takes "
    "journals of `teach live inventory` beside it, if some used phones.",
)
INTERVIEW = (
    "Before you rely on an item, ask three to six students. Take those whom the course is for, one at a time, 30 minutes for about "
    "eight items. You want to know how they read an item, not what they should know. So do not teach, and do not say what is right "
    "before the end.",
    "Say: “Please read the question aloud. Then say all that you think until you have chosen.” If it is quiet, say: “And now?”",
    "For each item ask: 1. What does the question want to know, in your own words? 2. Which one do you choose, and why? 3. What is "
    "wrong with the others? 4. How sure are you: 1 guessed, 2 unsure, 3 rather sure, 4 sure?",
    "An item must be mended if somebody reads it in another way, is right for a wrong reason, or is wrong and does not believe what "
    "the letter stands for. Write the student's own words. They are the best new choices.",
)


def pages() -> dict[str, str]:
    """Return {name of a file: its text}: both forms, the key, the sheet for interviews, and an empty table for the answers."""
    forms = {letter: form(letter) for letter in NAMES.values()}
    own = {f"form-{letter.lower()}.html": page(f"{TITLE}, form {letter}", sheet(letter, asked)) for letter, asked in forms.items()}
    count = len(next(iter(forms.values())))
    return {
        **own,
        "key.html": page(f"{TITLE}: key", key(forms)),
        "interview.html": page(f"{TITLE}: interviews", interview(forms["A"])),
        "answers.csv": f"test,mark,{','.join(str(k) for k in range(1, count + 1))}\n",
    }


def page(title, sheets) -> str:
    style = "\n".join([asset("handout.css"), asset("paper.css", __package__), asset("inventory.css", __package__)])
    return filled("handout.html", title=title, style=style, hint="", sheets=sheets)


def paragraphs(texts) -> str:
    """Return texts as paragraphs, in which `code` is code."""
    parts = (escape(text).split("`") for text in texts)
    return "".join(f"<p>{''.join(f'<code>{part}</code>' if k % 2 else part for k, part in enumerate(found))}</p>" for found in parts)


# A form


def sheet(letter, questions: Sequence[Question]) -> str:
    """Return the questions of a form, with boxes to mark and nothing that tells an answer."""
    items, said = "".join(map(item, questions)), paragraphs([WHO.format(letter, FIRST[letter]), FOR_STUDENTS, MARK])
    return f"""<section class="exercise inventory"><h1>{TITLE}, form {letter}</h1>
<p class="who"><span>Mark</span><span>Date</span></p>{said}<ol class="items">{items}</ol></section>"""


def item(question) -> str:
    choices = "".join(
        f'<li><span class="box">{letter}</span><span>{choice.text}</span></li>' for letter, choice in zip(LETTERS, question.choices)
    )
    drawing = question.picture()
    shown = f'<div class="graph">{drawing.svg}</div>' if drawing else ""
    short = fmean(len(choice.plain) for choice in question.choices) < LONG
    return f'<li><p>{question.asked}</p>{shown}<ul class="choices{" short" if short else ""}">{choices}</ul></li>'


LONG = 16  # characters of a choice, from which on each stands on a line of its own


# The key


def key(forms) -> str:
    """Return the right letters, and for each item why, and what each wrong choice believes."""
    letters = "".join(f"<td><b>{k}</b><br>{LETTERS[question.right]}</td>" for k, question in enumerate(forms["A"], 1))
    rows = "".join(answer(number, *both) for number, both in enumerate(zip(*forms.values()), 1))
    return f"""<section class="exercise solution"><h1>{TITLE}: key</h1>{paragraphs([DRAFT, *FOR_TEACHERS])}
<table class="letters"><tr>{letters}</tr></table>{rows}</section>"""


def answer(number, a, b) -> str:
    right = a.choices[a.right], b.choices[b.right]
    said = [f"{choice.text}. {choice.reply}" for choice in right]
    told = said[0] if said[0] == said[1] else " ".join(f"Form {letter}: {text}" for letter, text in zip(NAMES.values(), said))
    wrong = "".join(believed(k, choice) for k, choice in enumerate(a.choices) if k != a.right)
    chapter = f'<span class="kind">Chapter {find(a.chapter).number}.</span>'
    return f"""<div class="answer"><p><b>{number}. {LETTERS[a.right]}</b> {told} {chapter}</p>
<ul>{wrong}</ul></div>"""


def believed(k, choice) -> str:
    return f"<li><b>{LETTERS[k]}</b> {choice.text}: {escape(MISCONCEPTIONS[choice.believes])} [{choice.believes}]</li>"


# Interviews


HEADS = ("item", "read as meant?", "choice", "stands for", "reason, in the student's words", "sure 1–4")


def interview(questions) -> str:
    """Return what to ask in an interview, and a table to write in, which says what each wrong choice stands for."""
    heads = "".join(f"<th>{text}</th>" for text in HEADS)
    rows = "".join(map(line, range(1, len(questions) + 1), questions))
    return f"""<section class="exercise interview"><h1>{TITLE}: interviews</h1>
<p class="who"><span>Student's mark</span><span>Date</span></p>
{paragraphs([DRAFT, *INTERVIEW])}<table class="mistakes"><thead><tr>{heads}</tr></thead>{rows}</table></section>"""


def line(number, question) -> str:
    stands = "<br>".join(
        f"{letter}: {escape(MISCONCEPTIONS[choice.believes]) if choice.believes else 'right'}"
        for letter, choice in zip(LETTERS, question.choices)
    )
    letters = " ".join(LETTERS[: len(question.choices)])
    return f'<tr><td>{number}</td><td></td><td>{letters}</td><td class="stands">{stands}</td><td class="words"></td><td></td></tr>'
