"""python -m tutorial teach autograder: write the zip file that a teacher uploads to Gradescope."""

import os

from tutorial.cli.commands.teach.secret import add_numbers, secret_in

ABOUT = "write an autograder for Gradescope"
DESCRIPTION = """\
Write the zip file that you upload to Gradescope as the autograder of a
programming assignment. Students hand in their files as they are, in a folder,
or as a notebook. The zip holds this package, the solutions and the secret:
Gradescope shows it to teachers only.
On Gradescope pip downloads NumPy, rich, graphviz and graphviz-pure, once.
Programs run confined. If the machine cannot confine them, the autograder fails,
and nobody gets 0 points: test it on Gradescope before you publish it.
"""
REPORTED = (ValueError, OSError)


def options(parser):
    parser.add_argument("ids", metavar="ID", nargs="*", help="numbers of exercises, or units such as A (default: all)")
    parser.add_argument("-o", dest="output", metavar="FILE", default="autograder.zip", help="the zip file (default: autograder.zip)")
    add_numbers(parser)


def run(args):
    """Write the zip file."""
    from tutorial.classroom.exports.gradescope_autograder import autograder
    from tutorial.classroom.exports.wheel import SEEN_BY_OWNER
    from tutorial.exercises.authored import chosen
    from viz.whole_files import write_file

    exercises = chosen(args.ids)
    path = write_file(args.output, autograder(secret_in(args.secret_file), exercises, args.assignment))
    os.chmod(path, SEEN_BY_OWNER)  # the secret and the solutions are in it
    print(f"Written: {path}, with {len(exercises)} exercises.")
    print(f"Keep {args.secret_file}: the same secret gives the same numbers again.")
    return 0
