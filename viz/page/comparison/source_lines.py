"""The Python lines of a loop, taken from its source, without the lines that only report, check or refuse."""

import ast
import inspect
import textwrap

REPORTS = {"require"}  # functions that only check


def shown(trace):
    """Return the Python lines that the page shows of a trace's loop, and {act: place in them}.

    A schedule's own loop is shown as its plain function, if there is one: line for line beside the pseudocode. Any other loop
    is shown without the lines that only report.
    """
    schedule = trace.schedule
    if trace.loop is not schedule.loop or schedule.plain is None:
        return running(trace.loop)
    lines, _ = running(schedule.plain)
    numbers = [number for number, text in schedule.listing.items() if not text.lstrip().startswith("#")]
    place = dict(zip(numbers, range(len(lines))))
    return lines, {s.act: place[s.line] for s in trace if s.line in place}


def running(run):
    """Return the lines of a loop, and the line that runs in each act of its steps: ([text], {act: place of the line}).

    The result is ([], {}) if the loop has no source, as at a prompt, or is not a `def`.

    >>> from scalargrad.tracing.gathering import steps
    >>> lines, place = running(steps); lines[place["get"]].strip()
    'total_y = on.upstream(y, computed[y])'
    """
    try:
        source = textwrap.dedent(inspect.getsource(run)).splitlines()
        function = ast.parse("\n".join(source)).body[0]
    except (OSError, TypeError, SyntaxError):
        return [], {}
    if not isinstance(function, ast.FunctionDef):
        return [], {}
    hidden, line_of = set(), {}
    _read(function, function.lineno, hidden, line_of)
    kept = [number for number, text in enumerate(source, 1) if number not in hidden and text.strip()]
    place = {number: k for k, number in enumerate(kept)}
    line_of.pop("done", None)
    return [source[number - 1] for number in kept], {act: place[number] for act, number in line_of.items()}


def _read(statement, header, hidden, line_of):
    """Note the lines of a block that only report, and for each act that they report the line that runs before."""
    last = header
    for inner in statement.body:
        if _only_reports(inner):
            hidden.update(range(inner.lineno, inner.end_lineno + 1))
            for act in _acts(inner):
                line_of.setdefault(act, last)
            continue
        last = inner.lineno
        if hasattr(inner, "body"):
            _read(inner, inner.lineno, hidden, line_of)


def _only_reports(statement):
    if hasattr(statement, "body"):
        return all(map(_only_reports, statement.body))
    match statement:
        case ast.Assign(targets=[ast.Name(id="here")]):
            return True
        case ast.Expr(value=ast.Yield() | ast.Constant()) | ast.Raise():
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id=called))):
            return called in REPORTS
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="log"), attr="append"))):
            return True
    return False


def _acts(statement):
    """Yield the acts that a statement reports: the second argument of Step(...), or act= of _replace(...)."""
    for call in ast.walk(statement):
        if isinstance(call, ast.Call):
            named = [k.value for k in call.keywords if k.arg == "act"]
            second = call.args[1:2] if isinstance(call.func, ast.Name) and call.func.id == "Step" else []
            yield from (node.value for node in named + second if isinstance(node, ast.Constant))
