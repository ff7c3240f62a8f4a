"""The teacher's page: a class of twenty minutes, a term of ten weeks, and what each chapter teaches. Times come from the chapters."""

import re
from collections import Counter

from tutorial.book.teaching.files import HANDOUT, INVENTORY, LESSONS, SOLUTION, THREE
from tutorial.book.teaching.live_plans import live_lessons
from tutorial.classroom.inventory import is_here
from tutorial.exercises.authored import exercises
from tutorial.reading.chapter import chapters

WEEKS = 10
CLASS = "inductive-chain-rule"  # the chapter of the class of twenty minutes
STEPS = [  # minutes, what happens
    (3, "Show the first slide. Ask: if $x_4$ grows a little, how much does $z$ grow? Each learner writes down a number."),
    (4, "Show the second slide. Nudge $x_4$ and compare with the numbers on paper."),
    (5, "Open the player of the chapter. Step through $x_4$: one term for each child, and their sum."),
    (5, "Each learner fills in the handout, alone or with a neighbour."),
    (3, "Show the third slide, and ask the exit question."),
]
ORPHAN = "---\norphan: true\n---\n"


def pages(book, folder):
    """Give the teacher's page and the page of answers, which `answers` fills from the built chapters."""
    known = chapters(book)
    parts = [
        *class_of_twenty_minutes(known),
        *("## A class in real time", *REAL_TIME, *live_lessons({chapter.name for chapter in known})),
        *inventory(),
        *term(known),
        *outcomes(known),
        *lessons(),
        *ends(),
        *learners(),
    ]
    yield "teachers.md", "\n\n".join(["# For teachers", ABOUT, *parts]) + "\n"
    yield (
        "answers.md",
        f"{ORPHAN}# Answers\n\n{ABOUT_ANSWERS}\n\n{mark('answers')}\n",
    )


ABOUT = """Everything on this page works without a network, from a folder or a USB stick. On the page of a chapter, the button
*For teachers* opens a panel with a clock, a plan of twenty minutes and one of the whole chapter, what to reply to each wrong prediction,
and what to print."""
REAL_TIME = (
    "`python -m tutorial teach live 3` asks a class the questions of chapter 3. Students scan a QR code, or type an address and six "
    "letters. They need no account, no app and no internet, only the Wi-Fi that your computer is in. Show your window on the projector.",
    "1. All vote, each for themselves. Nobody sees the counts. The link *private window* opens a window for your own "
    "screen: it shows them, and what each wrong answer believes.\n"
    "2. Fewer than 30 % right: explain once more. More than 70 %: show the answer. In between, let neighbours convince each other.\n"
    "3. All vote again. Then the class sees both votes, and after that the answer with its reasons.\n"
    "4. *Follow me* moves all phones with your player. *I am lost here* on a phone tells you at which step, and nobody else.",
    "Below *Questions* you find the chapter's predictions, and the numbers of its player and of its exercises. Students type those, and "
    "a wrong number is counted by the mistake that gives it, if that is known. A file of your own, `questions.md`, may hold questions in "
    "the form of the book, and cells such as `viz.play(z)`, whose numbers are asked.",
    "Without a network, students raise hands, or show one to four fingers. The keys A to D count them, and `12 B` counts twelve at once. "
    "P pauses, L locks the class, Enter goes on, and ? lists the keys. The votes are in a journal on your computer, without names. "
    "If your computer stops, `teach live --resume` and the journal go on where it was. The phones come back by themselves.",
    "Some networks forbid phones to reach your computer. Then open a hotspot on a phone or on your computer, or count hands.",
)
BEFORE_AND_AFTER = (
    "An inventory asks twenty questions about all chapters before a course, and with other numbers after it. Each "
    "wrong answer is a known mistake. It is a draft: no class has answered it yet. So use it to find out what to teach, and give no marks "
    "by it.",
    "- On phones: `python -m tutorial teach live inventory`, and `inventory-b` after the course. Each student answers at their own pace. "
    "You see how far they are, and nothing else. An answer survives a broken network, a closed page and the end of your program.\n"
    "- On paper: {a}, {b}, {key} and {interview}. `python -m tutorial teach handout inventory` writes them too, with a table for the "
    "answers.\n"
    "- In both, students give a mark that ends with the day of their birthday. Those of an even day take form B before the course and A "
    "after it, so a harder form is neither a gain nor a loss.",
    "`teach report` makes a page of the journals and tables of both forms: what to teach again, the gain, each misconception before and "
    "after, each item, all with intervals. Students give a mark by which their two tests find each other, not a name. Below 20 students "
    "you see counts alone. `--counts` writes counts without marks, if you want to share them.",
)
ABOUT_ANSWERS = "All questions of the chapters with their answers. Only the teacher's page leads here."


def class_of_twenty_minutes(known):
    chapter = next((c for c in known if c.name == CLASS), None)
    if chapter is None:
        return []
    start, lines = 0, []
    for minutes, what in STEPS:
        lines.append(f"| {start}:00 | {minutes}&nbsp;min | {what} |")
        start += minutes
    return [
        f"## A class of {start} minutes",
        f"**Goal.** After the class, each learner can {able_to(chapter)}",
        f"- link for the class: [{chapter.title}](chapters/{chapter.name}.md)\n- slides: {link(THREE, 'three slides')}\n"
        f"- to print: {link(HANDOUT, 'a handout of one page')}, and {link(SOLUTION, 'its solution')}",
        "| Time | For | What happens |\n|-|-|-|\n" + "\n".join(lines),
        "**Exit question.** $x$ has the children $y_1$ and $y_2$. Why do we add two products, and do not multiply them? "
        "A good answer: both effects arrive at $z$ at once, as two nudges of $z$ that add.",
    ]


def inventory():
    if not is_here():  # in the version for students
        return []
    links = {name: link(file, text) for name, (file, text) in INVENTORY.items()}
    return ["## Before the course, and after it", *(text.format(**links) for text in BEFORE_AND_AFTER)]


def term(known):
    """Return a table of the weeks of a term. Each week has about the same number of minutes."""
    whole, before, weeks = sum(c.minutes for c in known), 0, [[] for _ in range(WEEKS)]
    for c in known:
        weeks[int(WEEKS * (before + c.minutes / 2) / whole)].append(c)
        before += c.minutes
    practice = minutes_of_exercises()
    rows = []
    for k, week in enumerate(weeks, 1):
        reading, doing = (sum(minutes) for minutes in ([c.minutes for c in week], [practice[c.name] for c in week]))
        rows.append(f"| {k} | {', '.join(chapter_link(c) for c in week) or 'exercises'} | {reading} | {doing} |")
    about = (
        f"The {len(known)} chapters take {whole} minutes of reading, predicting and stepping. Their exercises take "
        f"{sum(practice[c.name] for c in known)} minutes more. A week adds the learners' questions."
    )
    return [f"## A term of {WEEKS} weeks", about, "| Week | Chapters | Minutes | Exercises |\n|-|-|-|-|\n" + "\n".join(rows)]


def minutes_of_exercises():
    """Return {name of a chapter: the minutes of its exercises}."""
    found = Counter()
    for exercise in exercises():
        found[exercise.meta.get("chapter")] += int(exercise.meta["minutes"])
    return found


def outcomes(known):
    rows = [f"| {chapter_link(c)} | {c.minutes}&nbsp;min | {able_to(c)} |" for c in known]
    return ["## What each chapter teaches", "| Chapter | Time | Afterwards, learners can |\n|-|-|-|\n" + "\n".join(rows)]


def lessons():
    rows = [f"- {link(name, title)}" for name, (title, _) in LESSONS.items()]
    return ["## Slides", "About ten slides each, with notes for the speaker (N), and a page to print.", "\n".join(rows)]


def ends():
    about = "Each chapter refutes one common mistake. Its first question shows who still makes it: put it to the class before they leave."
    return ["## The last two minutes", about, mark("ends")]


def learners():
    about = "Each wrong choice of a prediction is a known mistake. These are the replies that the pages give."
    return [
        "## What learners say",
        about,
        mark("mistakes"),
        "## Answers",
        "The [answers to all questions](answers.md) stand on a page of their own.",
    ]


def able_to(chapter):
    """Return what a chapter promises: the sentence after **You will be able to**."""
    found = re.search(r"\*\*You will be able to\*\* (.*?)\s*\*\*Time", chapter.markdown, re.S)
    if not found:
        raise ValueError(f"{chapter.name}: a chapter says what the reader will be able to do, **You will be able to** …")
    return " ".join(found[1].split())


def chapter_link(chapter):
    return f"{chapter.number} [{chapter.title}](chapters/{chapter.name}.md)"


def link(name, text):
    return f'<a href="teachers/{name}.html">{text}</a>'


def mark(name):
    """Return the place that is filled from the built chapters."""
    return f'<div id="{name}"></div><!-- end of {name} -->'
