"""One learner's way through the questions of a run: which is next, how many tries it took, and the tally by kind of mistake."""

from viz.questions.mistakes import KINDS
from viz.questions.quiz import TRIES, asked_for, questions, verdict
from viz.text.formatter import UNICODE, listed, plural


class Quiz:
    """The questions of a run, and what a learner has answered. `src/predict.js` does the same on the page.

    `first` holds, for each question that is closed, the kind of the first mistake; None if the first answer was right.
    """

    def __init__(self, trace):
        self.trace, self.round = trace, questions(trace)
        self.first, self.tries, self.repeats = {}, 0, False
        self.mistake = None

    def between(self, start, stop):
        """Return the first open question whose answer a step after `start`, up to `stop`, shows; None if there is none."""
        return next((q for q in self.round if start < q.step <= stop and q not in self.first), None)

    def before(self, i):
        """Return the open question that must be answered before step i is shown, because step i shows the answer."""
        here = self.trace[i]
        for q in self.round:
            same = self.trace[q.step].iteration == here.iteration
            if q.step <= i and same and q not in self.first and (q.step == i or self.trace[q.step].x is here.x):
                return q
        return None

    def answer(self, question, text, formatter=UNICODE):
        """Return the Verdict on an answer. The question is closed if the answer is right, and after the last try."""
        found = verdict(self.trace, question, text, self.tries + 1, formatter)
        self.tries += 1
        self.mistake = self.mistake or found.kind
        if found.kind is None or self.tries == TRIES:
            self.close(question, self.mistake)
        return found

    def close(self, question, kind="shown"):
        """Close a question, with the kind of the first mistake."""
        self.first[question] = kind
        self.tries, self.mistake = 0, None

    def wrong(self):
        """Return the closed questions that were not right at the first try."""
        return [q for q in self.round if self.first.get(q) is not None]

    def again(self):
        """Ask only the questions that were not right at the first try. Return the first of them."""
        self.round, self.repeats = self.wrong(), True
        self.first.clear()
        return self.round[0]

    def tally(self, formatter=UNICODE):
        """Return the result in sentences, [] before the first answer: how many were right, and what each kind of mistake was made at.

        >>> from scalargrad import Trace, Value
        >>> x = Value(3, name="x"); quiz = Quiz(Trace(x * x)); quiz.answer(quiz.round[0], "-3").kind, quiz.answer(quiz.round[0], "3").kind
        ('sign', None)
        >>> quiz.tally()
        ['0 of 1 question right at the first try.', 'wrong sign: ∂z/∂x']
        """
        if not self.first:
            return []
        right = sum(kind is None for kind in self.first.values())
        found = [f"{right} of {plural(len(self.first), 'question')} right at the first try."]
        for kind, name in KINDS.items():
            asked = [formatter.formula(asked_for(self.trace, q)) for q in self.round if self.first.get(q) == kind]
            if asked:
                found.append(f"{name}: {listed(asked)}")
        return found
