"""A count in a sentence is that of the code: each row of COUNTS says where the sentence stands, and how its numbers are counted.

In the pages that are not chapters, and in the help of the commands, a number above 2 before one of NOUNS needs a row.
"""

import ast
import importlib
import inspect
import re
from functools import cache, partial
from pathlib import Path

import viz
from scalargrad import Trace
from scalargrad.options import FUNCTIONS
from scalargrad.tracing.schedules import SCHEDULES
from tensorgrad.families import PUBLIC
from tests.each import each
from tutorial.book.reference import tools
from tutorial.book.teaching import plan
from tutorial.classroom.grading.classes.dask_driver import WORKERS
from tutorial.classroom.report.page import MANY
from tutorial.exercises.authored import exercises, find
from tutorial.graphs.figure1 import figure1
from tutorial.graphs.matrices import entries
from tutorial.reading.chapter import BOOK, Cell, blocks_of, chapters

ROOT = Path(__file__).parents[1]
SMALL = dict(one=1, two=2, three=3, four=4, five=5, six=6, seven=7, eight=8, nine=9, ten=10, eleven=11, twelve=12)
TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50}
NUMBER = rf"(?:\d[\d,]*|\b(?:(?:{'|'.join(TENS)})(?:-(?:{'|'.join(SMALL)}))?|{'|'.join(SMALL)})\b)"
NOUNS = "exercises mistakes chapters functions names engines packages commands schedules slides checks blanks students"
COUNTED = re.compile(rf"(?<![\w.-]){NUMBER}(?:[ \n][a-z]+){{0,2}}?[ \n](?:{'|'.join(NOUNS.split())})\b", re.IGNORECASE)


def number(word):
    """Return the number of a text such as 1,300 or twenty-four."""
    word = word.lower().replace(",", "")
    return int(word) if word.isdigit() else sum((SMALL | TENS)[part] for part in word.split("-"))


@cache
def text_of(place):
    """Return the text of a file, of a chapter or of an exercise, or all texts in the files of the commands."""
    if place == "help":
        files = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted((ROOT / "tutorial" / "cli").rglob("*.py"))]
        return "\n".join(node.value for file in files for node in ast.walk(file) if isinstance(getattr(node, "value", None), str))
    if place.isdigit():
        return find(place).statement
    return (ROOT / place if "." in place else BOOK / "chapters" / f"{place}.md").read_text(encoding="utf-8")


def code(name, start, end):
    """Return how many lines of code the cells of a chapter have between two of its lines."""
    part = text_of(name).partition(start)[2].partition(end)[0]
    cells = [block.source for block in blocks_of(part) if isinstance(block, Cell)]
    return sum(bool(line.strip()) for line in "\n".join(cells).splitlines())


def lines_of_first_engine():
    """Return the lines of the table, its Value and its chain rule, and of the sort that they use."""
    sort = text_of(FIRST).partition("def topological_order")[2].partition("\n\ndef backward")[0]
    return code(FIRST, "\n## A table", "\n## Every row") + len(list(filter(None, sort.splitlines())))


def lines_to_read_first():
    """Return the lines of three files. The first screen of the table of rules ends with its first family."""
    files = [text_of(f"scalargrad/{name}.py") for name in ("engine", "rules", "backpropagation")]
    return sum(text.partition("\n# Powers")[0].count("\n") for text in files)


def checks_in_webkit():
    return text_of("tests/browser/test_webkit.py").count("\ndef test_")


def lines_to_remember(chapter):
    """Return how many items the last list of a chapter has."""
    return text_of(chapter).partition(" lines to remember\n")[2].partition("\n#")[0].count("\n- ")


def lines_of_last_engine():
    return code("the-engine", "\n## An engine in", "Here is the")


def live_chapters():
    return [chapter.number for chapter in chapters() if re.match(r"---\n(?:.*\n)*?numbers: true\n", chapter.markdown)]


def wrong_answers():
    return sum(len(exercise.wrong) for exercise in exercises())


def of_exercise(name):
    return importlib.import_module(f"tutorial.exercises.catalogue.{name}")


def impostors():
    engines = of_exercise("e38_impostors")
    return len(engines.RIGHT), len(engines.WRONG)


def judged():
    names = of_exercise("e17_gradient_check").BACKWARD  # those that are wrong have a comma, and say how
    return sum(", " not in name for name in names), sum(", " in name for name in names)


def slides_of_figure1():
    z, order = figure1()
    trace = Trace(z, order)
    return 1 + len(importlib.import_module("viz.slides").shown(trace))  # and its title


def variables_of_entries():
    z, variables = entries()
    return len(Trace(z).graph.variables) - 1, sum(len(row) for name in "AB" for row in variables[name])


def the_book():
    minutes = [*(chapter.minutes for chapter in chapters()), *(int(exercise.meta["minutes"]) for exercise in exercises())]
    return full_tens(len(chapters())), full_tens(len(exercises())), tens(sum(minutes) / 60)


def minutes_of_class():
    return sum(minutes for minutes, _ in plan.STEPS)


def blanks():
    return inspect.signature(viz.handout).parameters["blanks"].default


def tens(count):
    return round(count, -1)


def full_tens(count):
    """A text says "more than", so that one more function, chapter or exercise changes no text."""
    return count // 10 * 10


def hundreds(count):
    return count // 100 * 100


DO, GRADE = "tutorial/book/what-you-can-do.md", "tutorial/book/grade-a-class.md"
TEACHING, ENTRIES, BULK = "tutorial/book/teaching/plan.py", "tutorial/graphs/matrices.py", "tutorial/graphs/bulk_equations.py"
INDEX, REPORT = "tutorial/book/index.md", "tutorial/classroom/report/page.py"
MUSEUM, DICTIONARY, FIRST = "museum-of-broken-engines", "backpropagation-with-a-dictionary", "your-first-value"
# fmt: off
COUNTS = [  # where, a sentence with {} for each number, the number or a function that gives it or them
    ("README.md",       "book of over {} chapters with over {} exercises that tell you what went wrong (about {} hours)", the_book),
    (DO,                "It has more than {} chapters",                 lambda: full_tens(len(chapters()))),
    (DO,                "folder of more than {} exercises",             lambda: full_tens(len(exercises()))),
    (DO,                "more than {} known mistakes",                  lambda: hundreds(wrong_answers())),
    (DO,                "each of more than {} functions",               lambda: full_tens(len(PUBLIC))),
    (DO,                "{} other public names",                        lambda: len(tools.tools())),
    (DO,                "{} chapters run on their pages without NumPy", lambda: len(live_chapters())),
    (DO,                "slides: about {} steps",                       lambda: tens(slides_of_figure1())),
    ("CHANGELOG.md",    "- More than {} functions, each one row",       lambda: full_tens(len(FUNCTIONS))),
    ("CHANGELOG.md",    "under {} schedules",                           len(SCHEDULES)),
    ("CHANGELOG.md",    "- More than {} functions of float32",          lambda: full_tens(len(PUBLIC))),
    ("CHANGELOG.md",    "book of more than {} chapters",                lambda: full_tens(len(chapters()))),
    ("CHANGELOG.md",    "- More than {} exercises with",                lambda: full_tens(len(exercises()))),
    ("CHANGELOG.md",    "more than {} known mistakes",                  lambda: hundreds(wrong_answers())),
    (GRADE,             "starts {} workers",                            WORKERS),
    ("CONTRIBUTING.md", "They are about {} lines",                      lambda: tens(lines_to_read_first())),
    ("CONTRIBUTING.md", "{} checks run in WebKit",                      checks_in_webkit),
    ("help",            "{} variables and z",                           lambda: variables_of_entries()[0]),
    ("help",            "how {} derivatives make",                      lambda: variables_of_entries()[1]),
    ("help",            "the {} derivatives make",                      lambda: variables_of_entries()[1]),
    ("help",            "about {} blanks",                              blanks),
    ("help",            "(default: {}, for twenty minutes)",            blanks),
    ("viz/slides.py",   "that matter, about {},",                       lambda: tens(slides_of_figure1())),
    ("viz/slides.py",   "There are about {} slides",                    lambda: tens(slides_of_figure1())),
    (TEACHING,          "About {} slides each",                         lambda: tens(slides_of_figure1())),
    (TEACHING,          "a term of {} weeks",                           plan.WEEKS),
    *[(place,           "class of {} minutes",                          minutes_of_class) for place in ("README.md", INDEX, TEACHING)],
    (REPORT,            "at least {} of ten wrong answers have a name", round(10 * (1 - MANY))),
    (ENTRIES,           "{} variables and z",                           lambda: variables_of_entries()[0]),
    (BULK,              "text: {} derivatives by equation",             lambda: variables_of_entries()[1]),
    (BULK,              "gives the {} derivatives",                     lambda: variables_of_entries()[1]),
    ("17",              "{} backward functions that are right, and {}", judged),
    ("38",              "{} engines compute derivatives",               lambda: sum(impostors())),
    ("38",              "{} are right and {} are wrong",                impostors),
    (MUSEUM,            "name {} ways in which an engine can be wrong", lambda: text_of(MUSEUM).count("\n## Exhibit ")),
    (MUSEUM,            "Here are {} engines",                           lambda: sum(impostors())),
    (MUSEUM,            "{} of them are wrong",                          lambda: impostors()[1]),
    (DICTIONARY,        "to write it in {} lines",                      lambda: code(DICTIONARY, "\n## In Python\n", "\n## A trunk") - 1),
    (DICTIONARY,        "The whole algorithm has {} lines",             lambda: code(DICTIONARY, "\n## In Python\n", "\n## A trunk") - 1),
    (DICTIONARY,        "## {} steps",                                  lambda: len(figure1()[1])),
    (DICTIONARY,        "Here are its {} steps",                        lambda: len(figure1()[1])),
    (DICTIONARY,        "Backpropagation, all {} steps",                lambda: len(figure1()[1])),
    (FIRST,             "an engine of {} lines",                        lambda: tens(lines_of_first_engine())),
    (FIRST,             "`scalargrad/engine.py`, {} lines",             lambda: text_of("scalargrad/engine.py").count("\n")),
    ("the-engine",      "An engine in {} lines",                        lambda: tens(lines_of_last_engine())),
    *[(c.name,          "{} lines to remember",                         partial(lines_to_remember, c.name)) for c in chapters()],
]
# fmt: on


def pattern(sentence):
    """Return what finds a sentence: its spaces may be line breaks, and it has a number for each {}."""
    return re.compile(rf"({NUMBER})".join(r"\s+".join(map(re.escape, part.split(" "))) for part in sentence.split("{}")), re.IGNORECASE)


@each("place, sentence, count", COUNTS, ids=str)
def test_a_number_in_a_sentence_is_what_the_code_counts(place, sentence, count):
    counted = count() if callable(count) else count
    found = pattern(sentence).findall(text_of(place))
    assert found, f"{place} has no sentence {sentence!r}"
    for words in found:
        numbers = tuple(map(number, [words] if isinstance(words, str) else words))
        assert numbers == (counted if isinstance(counted, tuple) else (counted,)), f"{place}: {sentence.format(*numbers)}, not {counted}"


def test_the_seconds_of_a_step_are_those_of_the_chapter_that_measured_them():
    measured = re.findall(r'"(?:None|blocks)": \(([\d.]+), \d+\),', text_of("resnet-50"))
    assert len(measured) == 2 and f"step_of_32, recomputing = {', '.join(measured)} " in text_of("tutorial/book/on-a-cluster.md")


def test_the_seconds_of_the_race_are_those_of_the_last_page_which_measured_them():
    hours, seconds = re.search(r"\| 100,000 \|.*?\| ([\d.]+) hours \| ([\d.]+) s \|", text_of("tutorial/book/the-race-again.md")).groups()
    for page in (INDEX, "nudge-and-slope"):
        assert f"{hours} hours" in text_of(page) and f"{seconds} seconds" in text_of(page), page


PAGES = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "help", *(str(p.relative_to(ROOT)) for p in BOOK.glob("*.md"))]


@each("place", PAGES)
def test_every_count_of_what_the_code_can_count_has_a_row(place):
    text = text_of(place)
    known = [m.span() for where, sentence, _ in COUNTS if where == place for m in pattern(sentence).finditer(text)]
    found = [m for m in COUNTED.finditer(text) if number(m[0].split()[0]) > 2]
    new = [" ".join(m[0].split()) for m in found if not any(start < m.end() and m.start() < end for start, end in known)]
    assert not new, f"{place}: add a row, or drop the count: {new}"
