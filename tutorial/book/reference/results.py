"""The page on the file of results: what a line of it holds, from its JSON Schema, and one example."""

import json
from importlib import resources

from tutorial.book.reference.markdown import is_listed
from tutorial.classroom.grading.classes.batch import Run, Submission, grade_programs
from tutorial.exercises.authored import find

SCHEMA = resources.files("tutorial.classroom.grading").joinpath("result-v1.schema.json")
PAGE = """\
# The file of results

`python -m tutorial teach grade` writes a file of results: a line of JSON for each student and each exercise. The reports, the gradebooks
and the exports are all made from it. The package holds its JSON Schema, as `tutorial/classroom/grading/result-v1.schema.json`.

{about}

## One line

An answer that follows only one of two paths has this result. It stands here in several lines:

```json
{example}
```

## Fields

{fields}

## A finding

{about_finding}

{finding}

## The same result again

The same program, checked with the same seed against the same version of the exercise, has the same result. So a second run computes only
what is new, and `python -m tutorial teach explain STUDENT ID` shows how a result came about. The secret from which the seeds follow is not
in the file.
"""


def pages(book, folder):
    if not is_listed("results", book):
        return
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    finding = schema["$defs"]["finding"]
    yield (
        "results.md",
        PAGE.format(
            about=schema["description"],
            example=json.dumps(example(), indent=1, ensure_ascii=False),
            fields=table(schema["properties"]),
            about_finding=sentence(finding["description"]),
            finding=table(finding["properties"]),
        ),
    )


def example() -> dict:
    """Return the result of a known wrong answer."""
    program = find("02").wrong["only-y2"].program
    (result,) = grade_programs(Run("practice", b"the secret of an example", exercises=("02",)), [Submission("ada", "02", program)])
    return result


def table(properties) -> str:
    rows = "".join(f"| `{name}` | {sentence(about['description'])} |\n" for name, about in properties.items())
    return f"| Field | What it holds |\n|-|-|\n{rows}"


def sentence(text) -> str:
    """Return a text that begins with a capital letter and ends with a full stop.

    >>> sentence("the number of the exercise")
    'The number of the exercise.'
    """
    return f"{text[0].upper()}{text[1:].rstrip('.')}."
