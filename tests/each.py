"""A test of many cases, which runs them all and then names every case that failed."""

import functools
import inspect
import itertools

import pytest

chosen = ""  # what the names of the cases to run have in them: the option --case


def each(names, cases, ids=None):
    """Call a test once for each case, as `pytest.mark.parametrize` with the same arguments does, but as one test.

    pytest needs milliseconds for a test, and most cases take less. Two of these above a test give it every combination. A case that
    fails does not keep the others from running: the message names all that failed, and each has its traceback.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    cases = [case if len(names) > 1 else (case,) for case in cases]
    axis = [(functools.partial(name_of, case, number, ids), dict(zip(names, case, strict=True))) for number, case in enumerate(cases)]

    def decorate(test):
        return joined(getattr(test, "of_one_case", test), [*getattr(test, "axes", []), axis])

    return decorate


def name_of(case, number, ids):
    """Return what a message calls a case."""
    if ids is not None and not callable(ids):
        return str([*ids][number])
    texts = [str(text) for x in case if (text := (ids or short)(x)) not in (None, "")]
    return "-".join(texts) or f"case {number}"


def short(x):
    """Return the name of an object, or its text on one short line."""
    text = " ".join(str(getattr(x, "__name__", x)).split())
    return text if len(text) <= 60 else f"{text[:57]}..."


def called(choice):
    """Return the name of a combination. It is made when somebody needs it: the names of all cases took a second of each run."""
    return "-".join(name() for name, _ in choice)


def joined(test, _axes):
    """Return the test of every combination of the cases in `_axes`, each a list of functions that give a name, and arguments.

    A search for the names of variables passes over what is called so. It would look through all cases for each picture and message.
    """
    given = {name for axis in _axes for _, arguments in axis for name in arguments}
    signature = inspect.signature(test)

    @functools.wraps(test)
    def of_every_case(**fixtures):
        run(lambda arguments: test(**fixtures, **arguments), _axes)

    of_every_case.of_one_case, of_every_case.axes = test, _axes
    of_every_case.__signature__ = signature.replace(parameters=[p for name, p in signature.parameters.items() if name not in given])
    return of_every_case


def run(test, _axes):
    """Run every combination; raise what failed, all of it, or skip if every case was skipped."""
    failed, skipped, count = {}, [], 0
    for choice in itertools.product(*_axes):
        if chosen and chosen not in called(choice):
            continue
        count += 1
        try:
            test({key: x for _, arguments in choice for key, x in arguments.items()})
        except pytest.skip.Exception as reason:
            skipped.append(reason)
        except (Exception, pytest.fail.Exception) as error:
            name = called(choice)
            error.add_note(f"This is the case {name}")
            failed[f"{name} ({count})" if name in failed else name] = error
    if failed:
        raise BaseExceptionGroup(f"{len(failed)} of {count} cases failed: {', '.join(failed)}", [*failed.values()])
    if not count:
        assert chosen, "a test without a case tests nothing"
        pytest.skip(f"no case has {chosen!r} in its name")
    if len(skipped) == count:
        raise skipped[0]


def few_of(cases, few):
    """Return cases for `pytest.mark.parametrize`, of which those that are not among the few have the mark `slow`."""
    wrapped = [case if type(case) is tuple else (case,) for case in cases]
    return [pytest.param(*args, marks=() if case in few else pytest.mark.slow) for case, args in zip(cases, wrapped)]


def swept(names, cases, every, ids=None, mark=pytest.mark.sweep):
    """Call a test as `each` does for one of `every` so many cases, beginning with the first. The others run with the mark.

    `every` may also be a function that says of a case whether it is in the sample.
    """
    cases = list(cases)
    sampled = [every(case) if callable(every) else k % every == 0 for k, case in enumerate(cases)]

    def decorate(test):
        part = lambda of_all, wanted: [x for x, is_in in zip(of_all, sampled) if is_in is wanted]
        called = lambda wanted: ids if ids is None or callable(ids) else part(ids, wanted)
        parts = {
            "a sample": each(names, part(cases, True), called(True))(test),
            "the rest": each(names, part(cases, False), called(False))(test),
        }
        signature = inspect.signature(parts["a sample"])

        @pytest.mark.parametrize("part", ["a sample", pytest.param("the rest", marks=mark)])
        @functools.wraps(test)
        def of_a_part(part, **fixtures):
            parts[part](**fixtures)

        asked = inspect.Parameter("part", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        of_a_part.__signature__ = signature.replace(parameters=[asked, *signature.parameters.values()])
        of_a_part.of_one_case = test
        return of_a_part

    return decorate
