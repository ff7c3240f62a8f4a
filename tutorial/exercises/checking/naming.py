"""Name an answer: of the known wrong answers, the one that gives the same on all probes, or else the same wrong parts.

Here `asked` has the probes and the right answers, `found` is what the learner's program gives, and `first` the first finding in it.
"""

from tutorial.exercises.answers import TOO_LONG, Answer
from tutorial.exercises.checking.python_errors import NOT_WRITTEN, type_of
from tutorial.exercises.values import differ

TWICE = 2
RAISED = ("RuntimeError", "AssertionError")  # errors that a program raises itself, in its own words
MANY = 3  # right answers beside a wrong one


def known_as(asked, found, first):
    """Return the name of the known wrong answer that gives the same on all probes, or else the same wrong parts.

    Of several with the same wrong parts one is named if it fits better than the others, or if their sentences are the same.

    Where no two learners give the same answer, the exercise itself says to which known wrong answer one belongs.
    """
    if asked.checks.named:
        return asked.checks.named(first.answer.value, asked.probes[first.k]) if first.judged else None
    for alike in (same_answer, same_kind) if first.difference or type_of(first.answer) in RAISED else (same_answer,):
        for name, theirs in asked.known.items():
            if same(asked, found, theirs, alike) and asked.first_wrong(theirs):
                return name
    parts = [name for name, theirs in asked.known.items() if same_part(asked, found, theirs, first) and begins_at(asked, theirs, first.k)]
    for closer in (explains, begins_with):
        parts = [name for name in parts if closer(asked, asked.known[name], found)] or parts if len(parts) > 1 else parts
    if len(parts) > 1 and first.difference:
        parts = [name for name in parts if wrong_only_in(asked, first.difference.component, asked.known[name])] or parts
    return parts[0] if len({asked.checks.said[name] for name in parts}) == 1 else None


def constant(found) -> bool:
    """Return whether a program gives one value for all inputs: then this says more than the name of one part."""
    plain = [answer.value for answer in found if not answer.error]
    return len(plain) >= MANY and not any(differ(value, plain[0]) for value in plain)


def begins_at(asked, theirs, k):
    """Return whether a program is wrong, and right for the probes before probe k."""
    first = asked.first_wrong(theirs)
    return first is not None and first.k >= k


def begins_with(asked, theirs, found):
    """Return whether two programs are first wrong in the same component of the same probe."""
    one, other = asked.first_wrong(theirs), asked.first_wrong(found)
    return one.k == other.k and one.difference and one.difference.component == other.difference.component


def explains(asked, theirs, found):
    """Return whether a program gives what another one gives wherever that one is wrong."""
    values = [
        (mine, other, right) for mine, other, right in zip(found, theirs, asked.right) if not (mine.error or other.error or right.error)
    ]
    parts = lambda got, expected: {d.component for d in asked.differences(got, expected)}
    return not any(parts(other.value, right.value) & parts(mine.value, other.value) for mine, other, right in values)


def wrong_only_in(asked, component, theirs):
    """Return whether a program is wrong nowhere else than in one component."""
    pairs = [(other, right) for other, right in zip(theirs, asked.right) if not other.error and not right.error]
    return all(d.component == component for other, right in pairs for d in asked.differences(other.value, right.value))


def same(asked, found, theirs, alike):
    """Return whether two programs gave what is alike for all probes. Two answers that a judge accepts may differ."""
    pairs = enumerate(zip(found, theirs))
    return all(alike(mine, other) or not (asked.finding(k, mine) or asked.finding(k, other)) for k, (mine, other) in pairs)


def same_part(asked, found, theirs, first):
    """Return whether two programs give the same wherever the first one is wrong in the component that was found first.

    Where the first one ends in an error and the other does not, another mistake stands beside this one. Then it must show twice, and in
    not much fewer probes than the error.
    """
    if not first.difference or first.judged or first.difference.component in ("", asked.checks.uses):
        return False
    shown = failed = 0
    for mine, other, right in zip(found, theirs, asked.right):
        if type_of(mine) == NOT_WRITTEN or not has_part(right.value, first.difference.component):
            continue
        if mine.error and not other.error and not right.error:
            failed += 1
            continue
        if mine.error or other.error or right.error:
            if not same_kind(mine, other):
                return False
            continue
        wrong = [d for d in asked.differences(mine.value, right.value) if d.component == first.difference.component]
        unlike = [d for d in asked.differences(mine.value, other.value) if first.difference.component.startswith(d.component)]
        if unlike or not wrong and any(d.component == first.difference.component for d in asked.differences(other.value, right.value)):
            return False
        shown += bool(wrong)
    return not failed or shown >= TWICE and failed <= TWICE * shown


def has_part(right, component):
    """Return whether an answer has a component: one that is a dictionary has the parts of its keys only."""
    return not isinstance(right, dict) or any(component.startswith(str(key)) for key in right)


def same_answer(one: Answer, other: Answer):
    """Return whether two programs gave the same: the same value, or the same error."""
    if one.error or other.error:
        return one.error == other.error or type_of(one) == type_of(other) and type_of(one) in (TOO_LONG, "RecursionError")
    return one.changed == other.changed and not differ(one.value, other.value)


def same_kind(one: Answer, other: Answer):
    """Return whether two programs gave the same value, or errors of one type: each library words them in its own way.

    That is enough after another probe at which they gave the same wrong value.
    """
    return type_of(one) == type_of(other) if one.error and other.error else same_answer(one, other)
