"""The side of a learner's program where its engine is run by requests with plain values. Reads no file that contains a right engine.

>>> names = {"__name__": "own"}
>>> exec("def backprop(order, children, partial): return dict.fromkeys(order, 1)", names)
>>> described(names)
('function', 'backprop', (), ['order', 'children', 'partial'])
>>> ran(names, {"order": ["z"], "children": {"z": []}, "partial": {}})
({}, {'z': 1}, '')
"""

from tutorial.broken_engine.engines import ClassEngine, FunctionEngine, LoopEngine, NoEngine, Partials, engine_in
from tutorial.broken_engine.programs import Line, Program

FRAME = """


def engine_described():
    from tutorial.broken_engine.served import described

    return described(globals())


def engine_ran(request):
    from tutorial.broken_engine.served import ran

    return ran(globals(), request)
"""  # behind a learner's program: two functions of plain values
DESCRIBED, RAN = "engine_described", "engine_ran"


def own_engine(namespace):
    """Return the engine of a namespace. Raises NoEngine."""
    found = engine_in({name: thing for name, thing in namespace.items() if name not in (DESCRIBED, RAN)})
    if isinstance(found, LoopEngine):
        raise NoEngine("a loop of steps cannot be run here; write a class or a function")
    return found


def described(namespace):
    """Return what one must know to ask an engine: form, name, operators of a class, arguments of a function."""
    engine = own_engine(namespace)
    if isinstance(engine, ClassEngine):
        return engine.form, engine.name, engine.operators, []
    return engine.form, engine.name, (), engine.arguments


def ran(namespace, request):
    """Return (values, totals, changed) of the engine: for a class the request holds a program, for a function its arguments."""
    engine = own_engine(namespace)
    if isinstance(engine, FunctionEngine):
        outcome = engine.answer(request | {"partial": Partials(request["partial"])})
    else:
        lines, z, calls = request
        outcome = engine.run(Program(tuple(Line(*line) for line in lines), z, calls))
    if outcome.error is not None:
        raise outcome.error
    return outcome.values, outcome.totals, outcome.changed
