"""Check an answer to an exercise: the values that the learner's program gives are compared with those of the solution.

An answer that gives the same values as a known wrong answer gets its name and its sentence, with the numbers of the smallest probe.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from random import Random
from typing import NamedTuple

from tutorial.exercises.answers import MOST_SAID, TOO_LARGE, Answer, answers, answers_of
from tutorial.exercises.authored import Exercise
from tutorial.exercises.check_part import checks
from tutorial.exercises.checking.naming import MANY, constant, known_as
from tutorial.exercises.checking.observations import BY_HAND, SOMETIMES, is_rounded, observation
from tutorial.exercises.checking.python_errors import explained, not_started, raised, saying, type_of
from tutorial.exercises.checking.relations import components, relation
from tutorial.exercises.checking.remarks import remark
from tutorial.exercises.checking.verdict import CRASHED, RIGHT, WRONG, Verdict
from tutorial.exercises.probes.calls import called, folded
from tutorial.exercises.probes.probe import Computed
from tutorial.exercises.same_program import digest
from tutorial.exercises.syntax import same_statements
from tutorial.exercises.values import TYPE, VALUE, Difference, difference, differences, pair, parts_in, value_text

Ask = Callable[..., Iterable[Answer]]  # (program, call, arguments, calls, reply)
CHANGES = "M21"
CLAIM = re.compile(r"(?:^|[.:] )[Yy]ou (.*?)\.(?: |$)")  # what a sentence says that the learner has done
FEW_PARTS, MORE_PARTS = 2_000, 10  # an answer may have so many parts, and so many times those of the right one
MOST_LINES = 8  # of a call that is computed by hand
ALONE, OUTSIDE = "Alone, this call is right, so something is kept from an earlier call.", "Is it in a variable outside of the function?"


class Finding(NamedTuple):
    """What is wrong with the answer to one probe: an error, a difference of values, what a judge said, or a changed argument."""

    k: int
    answer: Answer
    difference: Difference | None = None
    judged: str = ""


def check(exercise: Exercise, program: str, seed: object = 0, ask: Ask = answers, asked: "Callable[..., Asked] | None" = None) -> Verdict:
    """Return the verdict on a learner's program. `ask` runs it and returns its Answers; the probes follow from `seed`.

    `asked(exercise, seed)` gives the probes and the right answers, by default from the solution.

    >>> from tutorial.exercises.authored import find
    >>> found = check(find("02"), find("02").wrong["only-y2"].program)
    >>> found.state, found.said
    ('wrong', 'dz/dx4 was 14, expected 16: you followed y2 but not y1.')
    >>> check(find("02"), find("02").solution).state
    'right'
    """
    return (asked or Asked)(exercise, seed).check(program, ask) if started(exercise, program) else not_started()


@lru_cache
def known(exercise: Exercise, seed: object = 0) -> tuple[Verdict, ...]:
    """Return the verdicts on the known wrong answers. Raises AssertionError if one is right."""
    asked, found = Asked(exercise, seed), []
    for name, wrong in exercise.wrong.items():
        first = asked.first_wrong(asked.known[name])
        assert first, f"the wrong answer {name} of exercise {exercise.number} is right"
        found.append(asked.named(asked.observed(first, len(wrong.program.splitlines())), first, name))
    return tuple(found)


def started(exercise, program):
    """Return whether a program is another than one that is given to be completed. One that is given to be repaired has begun."""
    return "given" in exercise.meta or not unchanged(exercise, program)


def unchanged(exercise, program):
    """Return whether a program has the statements of the one that is given."""
    return same_statements(program, exercise.given)


class Asked:
    """The probes of an exercise for one seed, and the right answers."""

    def __init__(self, exercise: Exercise, seed: object):
        self.exercise, self.checks = exercise, checks(exercise)
        self.probes = list(self.checks.probes(Random(seed)))  # type: ignore[arg-type]
        self.right = self.answers_of(exercise.solution, unbounded)

    def answers_of(self, program, ask: Ask = answers) -> list[Answer]:
        return list(self.asked(program, ask, self.probes))

    def asked(self, program, ask: Ask, probes) -> Iterator[Answer]:
        """Yield the answers of a program to some probes."""
        hook = self.checks.reply
        reply = hook and (lambda k, question: hook(question, probes[k]))
        found = ask(self.exercise.whole(program), self.exercise.call, [p.arguments for p in probes], [p.calls for p in probes], reply)
        return map(self.completed, found, probes)

    def completed(self, answer: Answer, probe) -> Answer:
        """Return an answer as the component that its probe asks for, and with the number of its questions, which this side has counted."""
        if probe.part and not answer.error:
            return answer._replace(value={probe.part: answer.value})
        if self.checks.uses and isinstance(answer.value, dict):
            return answer._replace(value=answer.value | {self.checks.uses: answer.asked})
        return answer

    @cached_property
    def known(self) -> Mapping[str, Sequence[Answer]]:
        """What each known wrong answer gives: it runs for a probe when its answer is first compared."""
        return {
            name: Computed(self.asked(wrong.program, answers_of, self.probes), len(self.probes))
            for name, wrong in self.exercise.wrong.items()
        }

    def check(self, program, ask: Ask = answers) -> Verdict:
        """Return the verdict on a program that was started."""
        found = [self.bounded(k, answer) for k, answer in enumerate(self.answers_of(program, ask))]
        verdict, first = self.verdict(found, len(program.splitlines())), self.first_wrong(found)
        if first is None:
            return verdict
        shown = remark(program, self.exercise, verdict.state, verdict.component, verdict.line)
        if verdict.name and digest(program) == self.exercise.wrong[verdict.name].digest:
            return verdict
        if verdict.name:
            verdict = verdict._replace(said=f"{as_if(verdict.said)} {shown}".rstrip())
        if verdict.name and not first.judged:
            return verdict
        if verdict.state in (WRONG, CRASHED) and first.k and self.right_alone(program, first.k, ask):
            return self.observed(first, len(program.splitlines()))._replace(asked=f"{ALONE} {shown or OUTSIDE}", hinted=False)
        if verdict.name:
            return verdict
        return self.compared(remarked(explained(verdict, first.answer, self.exercise, program), shown), found)

    def compared(self, verdict: Verdict, found) -> Verdict:
        """Return a verdict that asks nothing more special with how many other inputs are right, if most of them are."""
        right = sum(self.finding(k, answer) is None for k, answer in enumerate(found))
        if verdict.asked not in ("", BY_HAND) or right < max(MANY, len(found) / 2) or not verdict.input:
            return verdict
        return verdict._replace(asked=f"It is right for {right} of {len(found)} inputs. What is special about this one?")

    def right_alone(self, program, k, ask):
        """Return whether a program gives the right answer to probe k if it has not run for the others."""
        (alone,) = self.asked(program, ask, [self.probes[k]])
        return self.finding(k, self.bounded(k, alone)) is None

    def bounded(self, k, answer: Answer) -> Answer:
        """Return an answer to probe k, or that it is much larger than the right one: to judge it would take too long."""
        most = FEW_PARTS + MORE_PARTS * parts_in(self.right[k].value)
        if parts_in(answer.value, most) <= most:
            return answer
        return answer._replace(value=None, error=f"{TOO_LARGE}: the answer has more than {most:,} parts")

    def verdict(self, found: Sequence[Answer], lines: int) -> Verdict:
        """Return the verdict on the answers of a program of so many lines."""
        first = self.first_wrong(found)
        if first is None:
            return self.passed(found[-1])._replace(printed=found[0].printed)
        name = known_as(self, found, first)
        if name and constant(found) and not constant(self.known[name]):
            name = None
        verdict = self.observed(first, lines)
        return self.named(verdict, first, name) if name else self.related(verdict, found, first)

    def passed(self, last: Answer) -> Verdict:
        """Return the verdict on right answers, with what the last one shows."""
        if self.checks.achieved is None:
            said = f"The program gives what is right for all {len(self.probes)} inputs that were tried."
            return Verdict(RIGHT, "Right", said, said)
        said = self.checks.achieved(last.value, self.probes[-1])
        return Verdict(RIGHT, "Right", said, said, probe=self.probes[-1], answer=last.value)

    # What is wrong

    def first_wrong(self, found) -> Finding | None:
        """Return what is wrong at the smallest probe. A changed argument counts only if all values are right."""
        wrong = (self.finding(k, answer) for k, answer in enumerate(found))
        changed = (Finding(k, answer) for k, answer in enumerate(found) if answer.changed and not self.right[k].changed)
        return next((f for f in wrong if f), None) or next(changed, None)

    def finding(self, k, answer) -> Finding | None:
        """Return what is wrong with the answer to probe k, apart from changed arguments."""
        right = self.right[k]
        if answer.error or right.error:
            return None if type_of(answer) == type_of(right) else Finding(k, answer)
        if self.checks.judge:
            judged = self.checks.judge(answer.value, self.probes[k])
            return Finding(k, answer, Difference(VALUE, "", answer.value, right.value), judged[:MOST_SAID]) if judged else None
        unlike = difference(answer.value, right.value, self.checks.tolerance)
        return Finding(k, answer, unlike) if unlike else None

    def differences(self, got, expected):
        return differences(got, expected, tolerance=self.checks.tolerance)

    # In words

    def observed(self, first: Finding, lines) -> Verdict:
        """Return the verdict on an answer that has no name: the smallest probe, what was got there and what is right."""
        probe, answer, right = self.probes[first.k], first.answer, self.right[first.k]
        call = probe.shown or folded([called(self.exercise.call, *probe.arguments)])
        if self.checks.named and not answer.error:
            call += f" = {value_text(answer.value)}"
        at = Verdict(WRONG, "", input=call, about=probe.about, printed=answer.printed, probe=probe, answer=answer.value)
        at = at._replace(got=answer.error or value_text(answer.value), expected=right.error or value_text(right.value))
        many = self.checks.named or probe.question  # answers are right: then none is told
        at = at._replace(right=None if many else right.value)
        if answer.error:
            return raised(at, answer, lines)
        if right.error:
            return saying(at, f"An error is missing: {type_of(right)}", f"{at.got} came back.")
        if not first.difference:
            what = answer.changed
            said = f"The values are right, but the argument {what} has changed."
            return saying(at._replace(id=CHANGES), f"The program changed {what}", said, f"Which line writes into {what}?")
        unlike = first.difference
        got, expected = pair(unlike) if self.checks.named is None else (at.got, "")
        at = at._replace(difference=unlike, component=unlike.component, got=got, expected=expected)
        which = name_of(probe, unlike.component) or "The answer"
        if first.judged and answer.value is None and self.checks.named is None:
            unlike = unlike._replace(kind=TYPE)
        elif first.judged:
            return saying(at, self.checks.title or f"{which} is wrong", first.judged, probe.question)
        seen = observation(unlike, which, answer.value, right.value, answer.printed)
        asked = "" if seen.asked == BY_HAND and not by_hand(probe, call) else seen.asked
        return saying(at, seen.title, seen.said, probe.question or asked)._replace(hinted=seen.hinted)

    def related(self, verdict: Verdict, found: Sequence[Answer], first: Finding) -> Verdict:
        """Return the verdict with what holds of the wrong values on all inputs, if something does."""
        if not first.difference or self.checks.judge or is_rounded(first.difference.got, first.difference.expected):
            return verdict
        if first.answer.value is None and any(answer.value is not None for answer in found):
            return verdict._replace(asked=SOMETIMES)
        parts = [part for k, answer in enumerate(found) if not answer.error for part in self.parts(k, answer, first.difference.component)]
        holds = relation([part for _, part in parts]) or relation([part for same, part in parts if same])
        if holds is None:
            return verdict
        return verdict._replace(observed=f"{verdict.observed} {holds.said}", said=f"{verdict.said} {holds.said}", id=verdict.id or holds.id)

    def parts(self, k, answer, component):
        """Yield the parts of the answer to probe k, and whether each is of this component."""
        names = parameters(self.exercise)
        for name, part in components(answer.value, self.right[k].value, dict(zip(names, self.probes[k].arguments))):
            yield name == component, part

    def named(self, verdict: Verdict, first: Finding, name) -> Verdict:
        """Return the verdict with the name of a known wrong answer, its sentence and its question."""
        fields = {key: fact(value, verdict.component) for key, value in self.probes[first.k].facts.items()}
        fields |= {key: getattr(verdict, key) for key in ("got", "expected", "component", "input", "about")}
        fields["judged"] = first.judged
        said = self.checks.said[name].format_map(fields)
        said = f"The {said[4:]}" if said.startswith("the ") else said
        asked = self.checks.asked.get(name, BY_HAND).format_map(fields)
        return verdict._replace(state=WRONG, said=said, asked=asked, id=self.exercise.wrong[name].id, name=name, hinted=True)


def as_if(said) -> str:
    """Return the sentences of a known wrong answer for a program that gives the same values, and need not do the same.

    >>> as_if("dz/dx4 was 14, expected 16: you followed y2 but not y1.")
    'Your program acts as if you followed y2 but not y1. dz/dx4 was 14, expected 16.'
    """
    found = CLAIM.search(said)
    if not found:
        return said
    before, after = said[: found.start()], said[found.end() :]
    return " ".join(filter(None, (f"Your program acts as if you {found[1]}.", before and f"{before}.", after)))


def remarked(verdict: Verdict, shown) -> Verdict:
    """Return the verdict on a program without a name, with what the program shows when it is read."""
    if not shown:
        return verdict
    return verdict._replace(asked=shown if verdict.asked == BY_HAND else f"{verdict.asked} {shown}".strip(), hinted=False)


@lru_cache
def parameters(exercise: Exercise) -> list[str]:
    """Return the names of the arguments of a probe, as the given program or the frame calls them."""
    made = [node for node in ast.parse(f"{exercise.given}\n{exercise.frame}").body if isinstance(node, ast.FunctionDef)]
    return [argument.arg for node in made if node.name == exercise.call for argument in node.args.args]


def unbounded(program, call, arguments, calls, reply) -> list[Answer]:
    """Return the answers of a program that ends: the solution."""
    return answers(program, call, arguments, [None] * len(arguments), reply)


def by_hand(probe, call) -> bool:
    """Return whether a learner can compute a call by hand: it is short, and it shows the values of its names."""
    known = not probe.shown or "=" in f"{probe.shown} {probe.about}"
    return known and "array of the shape" not in call and call.count("\n") < MOST_LINES


def fact(value, component):
    """Return a fact as text; of a dictionary, the entry of the component that is wrong."""
    return value_text(value.get(component) if isinstance(value, dict) else value)


def name_of(probe, component):
    """Return what sentences call a component: the fact `which` says it for those that have no name of their own."""
    return probe.facts.get("which", {}).get(component, component)
