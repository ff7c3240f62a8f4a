"""The process that runs a learner's file: python -m tutorial.exercises.broken_engine.child FILE [page]. It writes one JSON object a line.

{"started": true} comes before the file runs, {"trying": program} before each program, {"none": text} if there is no engine,
{"wrong": text} if the file raises, and at the end {"found": {...}}, with the HTML of the page if the command ends in `page`.
What the learner's file prints goes to standard error.
"""

import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from tutorial.exercises.broken_engine.compare import compare
from tutorial.exercises.broken_engine.engines import NoEngine
from tutorial.exercises.broken_engine.page import comparison_page
from tutorial.exercises.broken_engine.words import in_words
from tutorial.program_error import described


def main(file, say, with_page=False):
    """Run the file, compare its engine, and say what was found."""
    say({"started": True})
    try:
        found = compare(vars(loaded(file)), lambda program: say({"trying": str(program)}))
    except NoEngine as none:
        say({"none": str(none)})
    except BaseException as wrong:  # SystemExit, too: the file has ended before it could be compared
        say({"wrong": described(wrong, file)["text"]})
    else:
        html = comparison_page(found, file).html if with_page else None
        say({"found": {"right": found.found is None, "text": in_words(found, file), "html": html}})


def loaded(file):
    """Return the module that a file makes. It may import files beside it."""
    sys.path.insert(0, str(Path(file).parent))
    spec = spec_from_file_location("engine", file)
    module = sys.modules["engine"] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    answers, sys.stdout = sys.stdout, sys.stderr
    main(sys.argv[1], lambda message: print(json.dumps(message), file=answers, flush=True), sys.argv[2:] == ["page"])
