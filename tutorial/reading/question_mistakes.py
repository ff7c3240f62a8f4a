"""What is wrong with a question that somebody wrote: its options, its choices, their replies. A message says it, and what to write."""

import re
from collections.abc import Sequence

from tutorial.misconceptions import MISCONCEPTIONS

NOTHING = "-"  # what the right choice of a question believes
MOST = 8  # choices
OPTIONS = ("right", "believes", "recall", "draw", "show")
CHOICES = "a list: each choice after '- ', and below it, after an empty line and two spaces, the reply"


def mistake(options: dict[str, str], choices: Sequence[tuple[str, str]]) -> str:
    """Return what is wrong with a question of these options and these (choice, reply), or "".

    >>> mistake({"right": "3"}, [("a", "Yes."), ("b", "No.")])
    ':right: 3 is not the number of a choice; there are 2'
    >>> mistake({"right": "2"}, [("a", "Yes."), ("a", "No.")])
    "two choices are 'a'"
    """
    unknown = [name for name in options if name not in OPTIONS]
    bare = [choice for choice, reply in choices if not reply]
    if unknown:
        return f"there is no option :{unknown[0]}:; there are {', '.join(f':{name}:' for name in OPTIONS)}"
    if not 2 <= len(choices) <= MOST:
        return f"a question needs {CHOICES}; it has {len(choices)} of 2 to {MOST} choices"
    if bare:
        return f"the choice {bare[0].splitlines()[0]!r} has no reply; a question needs {CHOICES}"
    if "right" not in options:
        return ":right: is missing; write the number of the right choice, such as :right: 2"
    if not re.fullmatch(r"\d+", options["right"]) or not 1 <= int(options["right"]) <= len(choices):
        return f":right: {options['right']} is not the number of a choice; there are {len(choices)}"
    if twice := [choice for k, (choice, _) in enumerate(choices) if choice in [other for other, _ in choices[:k]]]:
        return f"two choices are {twice[0].splitlines()[0]!r}"
    return mistake_in_beliefs(options.get("believes", ""), int(options["right"]), len(choices)) if "believes" in options else ""


def mistake_in_beliefs(text, right, choices) -> str:
    """Return what is wrong with :believes:, or "".

    >>> mistake_in_beliefs("M02 M03", 2, 2)
    ':believes: M02 M03 needs a misconception such as M02 for each wrong choice, and - for the right one'
    >>> mistake_in_beliefs("M999 -", 2, 2)
    ':believes: M999 - needs a misconception such as M02 for each wrong choice, and - for the right one; none is called M999'
    """
    found = text.split()
    fits = [id == NOTHING if number == right else id in MISCONCEPTIONS for number, id in enumerate(found, 1)]
    if len(found) == choices and all(fits):
        return ""
    unknown = "".join(f"; none is called {id}" for id in found if id not in MISCONCEPTIONS and id != NOTHING)
    return f":believes: {text} needs a misconception such as M02 for each wrong choice, and - for the right one{unknown}"
