"""What a learner's program shows when it is read: a line that does something else than it seems to do.

Each remark is true of the program, whatever values it gives. What the given program does, too, is not remarked.
"""

import ast
from collections.abc import Iterator

from tutorial.exercises.checking.verdict import CRASHED, NOT_STARTED, TIMEOUT, WRONG
from tutorial.exercises.syntax import UNREADABLE, parsed

MOST_NODES = 1_500  # of a program that is looked at: some kinds of remarks compare each node with all others
MOST_SAID = 400  # letters: the names in a program may be long
Function = ast.FunctionDef | ast.Lambda
LOOPS = ast.For | ast.While
COLLECTIONS = ("list", "dict", "set", "defaultdict", "deque")
MAKES_NEW = {"union", "difference", "reshape", "transpose", "astype", "sum", "mean", "copy", "squeeze", "expand_dims", "broadcast_to"}
MAKES_NEW |= {"dot", "sorted", "reversed", "matmul", "flip", "get", "items", "replace"}
ADDS_TO = {"append", "add", "extend", "update", "insert"}


def remark(program, exercise, state=WRONG, component="", line=None) -> str:
    """Return what a program shows, in a sentence with its line; "" if it shows nothing that could lead to this state.

    If the name of the wrong component, or the line of an error, tells which of several functions is wrong, only this one is looked at.

    >>> from tutorial.exercises.authored import find
    >>> remark("def slope(f, x, h):\\n    f(x) - h\\n    return x", find("00"))
    'Line 2 computes a value, and nothing takes it.'
    """
    given = ast.parse(exercise.given)
    try:
        tree = part_of(parsed(program), component.partition("[")[0], line)
        if sum(1 for _ in ast.walk(tree)) > MOST_NODES:
            return ""
        for kind in KINDS[state]:
            known = {ast.dump(node) for node, _ in kind(given, exercise)}
            for node, said in kind(tree, exercise):
                if ast.dump(node) not in known:
                    return said.replace("{line}", str(node.lineno))[:MOST_SAID]
        return ""
    except UNREADABLE:  # the check itself says what is wrong with it
        return ""


def part_of(tree, name, line):
    """Return the functions of a program whose names hold a name, or the one that holds a line; the whole program if there are none."""
    made = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    named = [node for node in made if len(name) > 1 and name in node.name]
    found = named or [node for node in made if line and node.lineno <= line <= (node.end_lineno or 0)]
    return ast.Module(found, []) if found else tree


def nodes(tree, kinds) -> list:
    """Return the nodes of these kinds in a part of a program."""
    return [node for node in ast.walk(tree) if isinstance(node, kinds)]


def functions(tree) -> list:
    return nodes(tree, ast.FunctionDef)


def loaded(tree) -> set:
    """Return the names that a part of a program reads."""
    return {x.id for x in nodes(tree, ast.Name) if isinstance(x.ctx, ast.Load)}


def stored(tree) -> set:
    """Return the names to which a part of a program gives a value."""
    return {x.id for x in nodes(tree, ast.Name) if isinstance(x.ctx, ast.Store)}


def targets(tree) -> list:
    """Return the nodes of these names, without those of comprehensions, which are names of their own."""
    own = {id(x) for node in nodes(tree, ast.comprehension) for x in ast.walk(node.target)}
    return [x for x in nodes(tree, ast.Name) if isinstance(x.ctx, ast.Store) and id(x) not in own]


def declared(function) -> set:
    """Return the names that a function takes from outside."""
    return {name for node in nodes(function, ast.Nonlocal | ast.Global) for name in node.names}


def blocks(tree) -> Iterator[list]:
    """Yield each list of statements."""
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            if isinstance(block := getattr(node, name, None), list) and block:
                yield block


def own(tree, others) -> Iterator:
    """Yield the nodes of a loop or a function, without those of others inside it."""
    to_do = list(tree.body)
    while to_do:
        node = to_do.pop()
        yield node
        if not isinstance(node, others):
            to_do += ast.iter_child_nodes(node)


# Lines that end something


def ends_in_the_first_turn(tree, exercise):
    for loop in nodes(tree, LOOPS):
        if not any(isinstance(node, ast.Continue) for node in own(loop, LOOPS | Function)):
            for node in loop.body:
                if isinstance(node, ast.Return | ast.Break):
                    yield node, "Line {line} stands inside the loop, so the loop ends in its first turn."


def is_never_reached(tree, exercise):
    for block in blocks(tree):
        for before, node in zip(block, block[1:]):
            if isinstance(before, ast.Return | ast.Break | ast.Continue):
                yield node, f"Line {{line}} never runs: line {before.lineno} ends what comes before it."


# Lines without an effect


def has_no_effect(tree, exercise):
    for node in nodes(tree, ast.Expr):
        if isinstance(node.value, ast.Constant | ast.Yield | ast.YieldFrom | ast.Await):
            continue
        if isinstance(node.value, ast.Compare) and isinstance(node.value.ops[0], ast.Eq):
            yield node, "Line {line} compares with ==, and changes nothing. A single = gives a name its value."
        elif not isinstance(node.value, ast.Call | ast.ListComp):
            yield node, "Line {line} computes a value, and nothing takes it."
        elif isinstance(node.value, ast.Call) and (name := called(node.value)) in MAKES_NEW:
            yield node, f"Line {{line}} makes a new value with {name}, and nothing takes it."


def drops_what_a_call_returns(tree, exercise):
    made = {f.name for f in functions(tree) if all(node.value is not None for node in returns(f)) and returns(f)}
    for node in nodes(tree, ast.Expr):
        if isinstance(node.value, ast.Call) and (name := getattr(node.value.func, "id", "")) in made:
            yield node, f"Line {{line}} calls {name}, and nothing takes what it returns."


def returns(function) -> list:
    """Return the return statements of a function, without those of functions inside it."""
    return [node for node in own(function, Function) if isinstance(node, ast.Return)]


def called(call):
    """Return the name of a function that is called."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def renames_in_a_loop(tree, exercise):
    for loop in nodes(tree, ast.For):
        if isinstance(loop.target, ast.Name):
            x = loop.target.id
            for k, node in enumerate(loop.body):
                if isinstance(node, ast.Assign) and x in stored(node) and not any(x in loaded(later) for later in loop.body[k + 1 :]):
                    yield node, f"Line {{line}} makes {x} the name of something else. What the loop walks over stays as it is."


def misses_nonlocal(tree, exercise):
    for outer in functions(tree):
        for inner in functions(outer):
            if inner is outer:
                continue
            inside = set(map(id, ast.walk(inner)))
            without = {x.id for x in targets(outer) if id(x) not in inside} - {a.arg for a in nodes(inner, ast.arg)} - declared(inner)
            for node in nodes(inner, ast.Assign | ast.AugAssign):
                for x in {x.id for x in targets(node)} & without:
                    if isinstance(node, ast.AugAssign) or x in loaded(node) or x not in loaded(inner):
                        there = f"inside {inner.name}: the one outside needs `nonlocal {x}` there"
                        yield node, f"Line {{line}} makes a {x} of its own {there}."


def starts_anew_in_each_turn(tree, exercise):
    for block in blocks(tree):
        later: set = set()
        for loop in reversed(block):
            if isinstance(loop, LOOPS):
                yield from begins_again(loop, later)
            later |= loaded(loop)


def begins_again(loop, later):
    """Yield the statements of a loop that give their first value again to what grows in it, and is read later."""
    turns = stored(loop.target) if isinstance(loop, ast.For) else set()
    for k, node in enumerate(loop.body):
        if isinstance(node, ast.Assign) and is_empty(node.value):
            x, names = ast.unparse(node.targets[0]), loaded(node.targets[0])
            lasts = x in later or names and not names & turns
            if lasts and any(grows(x, after) for after in loop.body[k + 1 :]):
                yield node, f"Line {{line}} gives {x} its first value again in each turn of the loop."


def is_empty(value):
    """Return whether an expression is a constant or an empty collection."""
    made = isinstance(value, ast.Call) and called(value) in COLLECTIONS and not value.args
    return made or isinstance(value, ast.Constant) or isinstance(value, ast.List | ast.Set | ast.Dict) and not ast.unparse(value)[1:-1]


def grows(x, tree):
    """Return whether something is added to x, a name or an entry, in a part of a program."""
    for node in ast.walk(tree):
        if isinstance(node, ast.AugAssign) and ast.unparse(node.target) == x:
            return True
        if isinstance(node, ast.Call) and called(node) in ADDS_TO and ast.unparse(node.func).rpartition(".")[0] == x:
            return True
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == x and x in ast.unparse(node.value):
            return True
    return False


def runs_once_below_the_loop(tree, exercise):
    for block in blocks(tree):
        names = [(loaded(node), stored(node)) for node in block]
        for k, loop in enumerate(block):
            left = stored(loop.target) if isinstance(loop, ast.For) else set()
            for node, (read, written) in zip(block[k + 1 :], names[k + 1 :]):
                if used := (read & left) - written:
                    yield node, f"Line {{line}} stands below the loop, so it runs once, with the last {min(used)}."
                if not (left := left - written):
                    break


def writes_what_nothing_reads(tree, exercise):
    text = f"{exercise.given}\n{exercise.frame}\n{exercise.statement}"
    read = {node.attr for node in nodes(tree, ast.Attribute) if isinstance(node.ctx, ast.Load)}
    read |= {node.value for node in nodes(tree, ast.Constant) if isinstance(node.value, str)}  # for getattr
    for node in nodes(tree, ast.Assign | ast.AugAssign):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Attribute) and target.attr not in read and target.attr not in text:
                yield node, f"Line {{line}} writes .{target.attr}, which nothing reads."


def computes_what_nothing_reads(tree, exercise):
    for function in functions(tree):
        grown = {node.target.id for node in nodes(function, ast.AugAssign) if hasattr(node.target, "id")}
        known = loaded(function) | grown | declared(function)
        for node in nodes(function, ast.Assign):
            target = node.targets[0]
            if isinstance(target, ast.Name) and not target.id.startswith("_") and target.id not in known:
                yield node, f"Line {{line}} gives {target.id} a value, which nothing reads."


# Arguments


def passes_arguments_in_another_order(tree, exercise):
    for function in functions(tree):
        parameters = [a.arg for a in function.args.args]
        for node in nodes(function, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id == function.name:
                for k, argument in enumerate(node.args[: len(parameters)]):
                    if isinstance(argument, ast.Name) and argument.id in parameters and argument.id != parameters[k]:
                        said = f"Line {{line}} passes {argument.id} to {function.name} in the place of {parameters[k]}."
                        yield ast.copy_location(ast.Expr(node), node), said


def overwrites_an_argument(tree, exercise):
    for function in functions(tree):
        for node in function.body:
            for x in (stored(node) & {a.arg for a in function.args.args}) - loaded(node):
                before = function.body[: function.body.index(node)]
                if isinstance(node, ast.Assign) and not any(x in loaded(earlier) for earlier in before):
                    yield node, f"Line {{line}} gives the argument {x} another value before anything has read it."


def makes_another_value_of_an_argument(tree, exercise):
    for function in [] if exercise.needs_numpy else functions(tree):  # an array is often stepped under its own name
        own = {a.arg for a in function.args.args}
        for k, node in enumerate(function.body):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp):
                for x in stored(node) & own:
                    after = [later for later in function.body[k + 1 :] if ast.unparse(later) != f"return {x}"]
                    if loaded(node.value) - {x} and any(x in loaded(later) for later in after):
                        yield node, f"From line {{line}} on, {x} is another value than the argument, and it is read again."


def ignores_an_argument(tree, exercise):
    for function in functions(tree):
        for x in exercise.reads.get(function.name, ()):
            if x != "self" and x in [a.arg for a in function.args.args] and x not in loaded(function):
                yield function, f"{function.name} never reads its argument {x}."


def keeps_its_default(tree, exercise):
    for function in functions(tree):
        for argument, default in zip(function.args.args[::-1], function.args.defaults[::-1]):
            if isinstance(default, ast.List | ast.Dict | ast.Set) or isinstance(default, ast.Call) and called(default) in COLLECTIONS:
                said = f"The default of {argument.arg} in line {{line}} is made once: what a call puts into it is there in the next call."
                yield ast.copy_location(ast.Expr(default), function), said


def takes_an_empty_collection_for_none(tree, exercise):
    for node in nodes(tree, ast.BoolOp):
        first, last = node.values[0], node.values[-1]
        if isinstance(node.op, ast.Or) and isinstance(first, ast.Name) and not isinstance(last, ast.Constant) and is_empty(last):
            made = f"`{ast.unparse(node)}` makes a new one each time that {first.id} is empty"
            yield located(node), f"In line {{line}}, {made}: empty counts as false."


# Signs that mean something else in Python


def has_a_sign_that_means_something_else(tree, exercise):
    for node in ast.walk(tree):
        of_sets = any(map(is_a_set, ast.iter_child_nodes(node)))
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.BitXor) and not of_sets:
            yield located(node), "In line {line}, ^ is not a power. Python writes powers with **."
        halves = isinstance(node, ast.BinOp) and isinstance(node.left, ast.Call) and ast.unparse(node.left.func) == "len"  # an integer
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.FloorDiv) and "//" not in exercise.given and not halves:
            yield located(node), "In line {line}, // cuts off the fraction. A single / keeps it."


def is_a_set(node):
    """Return whether this expression is visibly a set, of which ^ takes what only one of two has."""
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("set", "frozenset")
    return called or isinstance(node, ast.Set | ast.SetComp)


def has_a_text_for_a_name(tree, exercise):
    text, keys = f"{exercise.given}\n{exercise.statement}", own_keys(tree)
    for function in functions(tree):
        names = {a.arg for a in function.args.args} - keys
        for node in nodes(function, ast.Constant):
            if node.value in names and f'"{node.value}"' not in text:
                yield located(node), f"In line {{line}}, {node.value!r} is a text. Without quotes it is the variable."


def own_keys(tree) -> set:
    """Return the texts under which a program puts something into a dictionary, or into an object."""
    made = [key for node in nodes(tree, ast.Dict) for key in node.keys]
    made += [node.slice for node in nodes(tree, ast.Subscript) if isinstance(node.ctx, ast.Store)]
    made += [node.args[1] for node in nodes(tree, ast.Call) if called(node) == "setattr" and len(node.args) > 1]
    return {key.value for key in made if isinstance(key, ast.Constant)}


def located(expression):
    """Return an expression as a statement at its line."""
    return ast.copy_location(ast.Expr(expression), expression) if isinstance(expression, ast.expr) else expression


OF_ERRORS = (
    keeps_its_default,
    takes_an_empty_collection_for_none,
    ends_in_the_first_turn,
    is_never_reached,
    has_no_effect,
    passes_arguments_in_another_order,
    renames_in_a_loop,
    misses_nonlocal,
    starts_anew_in_each_turn,
    runs_once_below_the_loop,
    has_a_sign_that_means_something_else,
)
OF_VALUES = (
    writes_what_nothing_reads,
    has_a_text_for_a_name,
    overwrites_an_argument,
    ignores_an_argument,
    makes_another_value_of_an_argument,
    drops_what_a_call_returns,
    computes_what_nothing_reads,
)
KINDS = {WRONG: OF_ERRORS + OF_VALUES, CRASHED: OF_ERRORS, TIMEOUT: OF_ERRORS, NOT_STARTED: ()}
