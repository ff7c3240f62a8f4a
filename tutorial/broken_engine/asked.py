"""An engine in another process: its run(program) sends plain values and gets plain values back. `compare` takes it as any other."""

import ast
import builtins
from functools import lru_cache

from tutorial.broken_engine.engines import ClassEngine, FunctionEngine, NoEngine, Outcome
from tutorial.broken_engine.programs import OPERATORS
from tutorial.broken_engine.served import DESCRIBED, FRAME, RAN

MOST_CALLS = 1_000_000
LONGEST_KEY = 200  # characters
FORMS = {"class": ClassEngine, "function": FunctionEngine}


class Ended(Exception):
    """The program ran out of time or ended its process, so the engine cannot be asked again. `answer` says how."""

    def __init__(self, answer):
        super().__init__(answer.error)
        self.answer = answer


def asked_engine(program, ask, fatal=()):
    """Return the engine of a learner's program, which `ask` runs. An answer whose error has a name in `fatal` raises Ended.

    Raises NoEngine if the program has no engine, and Ended if it cannot be read.

    >>> from tutorial.exercises.answers import answers
    >>> engine = asked_engine("def backprop(order, children, partial): return dict.fromkeys(order, 1)", answers)
    >>> engine.form, engine.name, engine.arguments
    ('function', 'backprop', ['order', 'children', 'partial'])
    """
    line = Asking(program, ask, fatal)
    found = line(DESCRIBED, ())
    if found.error.startswith(f"{NoEngine.__name__}:"):
        raise NoEngine(found.error)
    if found.error:
        raise Ended(found)
    form, name, operators, arguments = found.value
    return AskedClass(line, name, operators) if form == "class" else AskedFunction(line, name, arguments)


class Asking:
    """Ask one program, one call at a time."""

    def __init__(self, program, ask, fatal):
        self.program, self.ask, self.fatal = program + FRAME, ask, fatal

    def __call__(self, function, arguments):
        (answer,) = self.ask(self.program, function, [arguments], [MOST_CALLS])
        if answer.error.partition(":")[0] in self.fatal:
            raise Ended(answer)
        return answer

    def outcome(self, request) -> Outcome:
        """Return the Outcome of one request."""
        answer = self(RAN, (request,))
        if answer.error:
            return Outcome(error=error_of(answer))
        try:
            values, totals, changed = answer.value
            numbers = all(x is None or isinstance(x, (int, float)) for found in (values, totals) for x in found.values())
        except (TypeError, ValueError, AttributeError):
            numbers = False
        return Outcome(values, totals, changed=str(changed), calls=answer.calls) if numbers else Outcome(error=TypeError("no numbers"))


class AskedClass(ClassEngine):
    """A class in another process."""

    def __init__(self, line, name, operators):
        self.line, self.name = line, str(name)
        self.operators = tuple(operator for operator in OPERATORS if operator in operators)

    def run(self, program) -> Outcome:
        return self.line.outcome(([tuple(line) for line in program.lines], program.z, program.calls))


class AskedFunction(FunctionEngine):
    """A function in another process."""

    def __init__(self, line, name, arguments):
        self.line, self.name, self.arguments = line, str(name), arguments
        self.has_own_order = "order" not in arguments

    def answer(self, given) -> Outcome:
        return self.line.outcome(given)


def error_of(answer) -> Exception:
    """Return an exception with the type and the message of an answer's error."""
    kind, _, message = answer.error.partition(": ")
    if kind == "KeyError" and len(message) <= LONGEST_KEY:
        try:
            return KeyError(ast.literal_eval(message))
        except (ValueError, SyntaxError, RecursionError):
            pass
    return type_named(kind)(message)


@lru_cache(100)
def type_named(kind) -> type[Exception]:
    """Return Python's exception of this name, or an own type for another name."""
    found = getattr(builtins, kind, None)
    plain = isinstance(found, type) and issubclass(found, Exception) and not issubclass(found, (UnicodeError, BaseExceptionGroup))
    return found if plain else type(kind, (Exception,), {})  # type: ignore[return-value]
