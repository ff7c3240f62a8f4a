"""Read a learner's program as a syntax tree: whatever stands in it, and however deeply it is nested, this ends in a tree or in None."""

import ast
import warnings

UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)  # 100,000 minus signs are a MemoryError of Python's parser


def tree(program) -> ast.Module | None:
    """Return the syntax tree of a program, or None if it has none.

    >>> tree("x = " + "-" * 100_000 + "1") is None, tree("x = " + "x." * 50_000 + "x") is None
    (True, True)
    """
    try:
        return parsed(program)
    except UNREADABLE:
        return None


def statements(program) -> list:
    """Return the statements of a program; none if it cannot be read."""
    found = tree(program)
    return found.body if found else []


def same_statements(one, other) -> bool:
    """Return whether two programs have the same statements: they differ in comments and spaces alone.

    >>> same_statements("x = 1  # one", "x=1"), same_statements("x = (", "x = (")
    (True, False)
    """
    try:
        return ast.dump(parsed(one)) == ast.dump(parsed(other))
    except UNREADABLE:
        return False


def syntax_error(program) -> SyntaxError | None:
    """Return the mistake of syntax in a program, if Python can name one."""
    try:
        parsed(program)
    except SyntaxError as wrong:
        return wrong
    except UNREADABLE:
        pass
    return None


def literal(text):
    """Return the value that a text writes, such as "('y', 'x')"; None if it writes none."""
    try:
        return ast.literal_eval(text)
    except (*UNREADABLE, TypeError):
        return None


def parsed(program) -> ast.Module:
    """Return the syntax tree of a program, without Python's warnings. Raises one of UNREADABLE."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # '\\d' is a warning, one for each line of the program
        return ast.parse(program)
