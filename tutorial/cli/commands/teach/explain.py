"""python -m tutorial teach explain: replay one result from its seed, and show what the student's program did."""

import sys

from tutorial.cli.shared.parser import complain

ABOUT = "replay one result, and show what went wrong"
DESCRIPTION = """\
Check a program again with the numbers of its result, which follow from the seed
in it. You see what the student sees, whether the verdict is the same, and
whether the program or the exercise has changed since. With -o you get the page
with the graph. The exit code is 0 if the verdict is the same, and 1 if it is
another one.
"""
RESULTS = "results.jsonl"
SAME, OTHER, FAILED = 0, 1, 3
REPORTED = (ValueError, OSError)


def options(parser):
    parser.add_argument("student", metavar="STUDENT", help="the name of the student's folder")
    parser.add_argument("id", metavar="ID", help="the number of the exercise")
    parser.add_argument("--results", metavar="FILE", help=f"the file of results (default: {RESULTS}, or the only one in this folder)")
    parser.add_argument("--class", dest="folder", metavar="FOLDER", default="class", help="the folder that was graded (default: class)")
    parser.add_argument("--allow-weak", action="store_true", help="also run the program at a weaker tier than it was graded at")
    parser.add_argument("-o", dest="output", metavar="FILE", help="write the page with the graph")


def run(args):
    """Replay one result and print it."""
    from tutorial.classroom.grading.classes.replay import file_of_results, replay, result_of
    from tutorial.classroom.grading.runner import CheckerFailed
    from tutorial.exercises.practice.printer import Printer

    try:
        result = result_of(args.results or file_of_results(".", RESULTS), args.student, args.id.zfill(2))
        found = replay(result, args.folder, args.allow_weak)
        show(Printer(sys.stdout), result, found)
        if args.output:
            write(args.output, found)
    except CheckerFailed as wrong:
        complain(f"the checker failed, not the program: {wrong}")
        return FAILED
    return SAME if found.same else OTHER


def show(printer, result, found):
    """Print the result, what the student sees, what is not as it was, and whether the verdict is the same."""
    from tutorial.exercises.checking.feedback import RULE, in_words
    from tutorial.misconceptions import misconception

    verdict, exercise = found.verdict, found.exercise
    points = "no points, because the checker failed" if result["score"] is None else f"{result['score']} of {result['max_score']} points"
    printer.say(f"{result['student']}, exercise {exercise.number} {exercise.title}: {result['state']}, {points}", "bold")
    printer.say(f"seed {result['seed']}\ntier {result['tier']}, version {result['version']}", "dim")
    for part in in_words(verdict, RULE).split("\n\n"):
        printer.say(f"\n{part}", indent=2)
    if verdict.id:
        printer.say(f"\n{misconception(verdict.id)}", indent=2)
    printer.say("")
    for sentence in (*found.changed, comparison(result, found)):
        printer.say(sentence, "bold")


def comparison(result, found):
    """Return one sentence that compares the verdict of today with the one in the result."""
    if found.same:
        return "The replay has the same verdict."
    then = [result["state"], *(finding.get("message", "") for finding in result["findings"][:1])]
    return f"The replay has another verdict. It was: {': '.join(filter(None, then))}"


def write(path, found):
    from tutorial.exercises.checking.feedback import RULE
    from tutorial.exercises.checking.page import verdict_page

    print(f"Written: {verdict_page(found.exercise, found.verdict, RULE).save(path)}")
