"""One mistake has one id, wherever a learner makes it: in the player's quiz, in a class, in an exercise, in an engine, in the book."""

import re

from scalargrad import Trace
from tests.each import each
from tutorial.exercises.authored import find as find_exercise
from tutorial.exercises.checking.check import known
from tutorial.graphs.figure1 import figure1
from tutorial.misconceptions import MISTAKES, OF_ANSWERS
from tutorial.reading.chapter import Predict, find, walk
from viz.questions.mistakes import mistakes
from viz.questions.quiz import Question, agrees, parse, right_number

SAID = re.compile(r"dz/d(\w+) was (\S+), expected (\S+): ")
POINT = (2, 3, 5, 7)  # of the exercise
ENGINES = {  # what an engine does: the kind of answer that does the same
    "only the direct edge": "direct",
    "forgets a term": "path",
    "multiplies the paths": "product",
    "ignores the upstream gradient": "upstream",
    "ignores the partial": "partial",
    "wrong sign": "sign",
}


def of_number(trace, name, number):
    """Return the id that the quiz gives to a wrong number for dz/dname, or None if no typical mistake gives it."""
    asked = Question(0, next(v for v in trace.graph.variables if trace.names[v] == name))
    kinds = [mistake.kind for mistake in mistakes(trace, asked) if agrees(parse(number), mistake.number)]
    return OF_ANSWERS[kinds[0]] if kinds else None


@each("mistake", ENGINES)
def test_an_engine_and_an_answer_that_do_the_same_believe_the_same(mistake):
    assert MISTAKES[mistake].id == OF_ANSWERS[ENGINES[mistake]]


def test_a_wrong_program_and_a_wrong_answer_to_the_same_question_believe_the_same():
    """The exercise about Figure 1, and the player of its graph. A program may be wrong in other ways, too."""
    trace, compared = Trace(figure1(*POINT)[0]), {}
    for verdict in known(find_exercise("02")):
        if found := SAID.search(verdict.said):
            name, got, expected = found.groups()
            asked = Question(0, next(v for v in trace.graph.variables if trace.names[v] == name))
            if agrees(parse(expected), right_number(trace, asked)) and (id := of_number(trace, name, got)):
                compared[verdict.name] = verdict.id, id
    assert len(compared) >= 6 and {"M02", "M30", "M93", "M05"} <= {id for id, _ in compared.values()}
    assert not {name: ids for name, ids in compared.items() if len({*ids}) > 1}


def test_a_question_of_the_book_and_the_player_of_its_graph_believe_the_same():
    (asked,) = [block for block in walk(list(find("3").blocks)) if isinstance(block, Predict) and "total derivative" in block.question]
    trace = Trace(figure1()[0])
    wrong = {choice.strip("$"): id for k, ((choice, _), id) in enumerate(zip(asked.choices, asked.believes), 1) if k != asked.right}
    assert len(wrong) == 3 and wrong == {number: of_number(trace, "x1", number) for number in wrong}
