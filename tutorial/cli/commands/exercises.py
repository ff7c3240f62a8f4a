"""python -m tutorial exercises: write the programs of the exercises in a folder of your own, and have them checked."""

import sys

from tutorial.cli.shared.parser import program

ABOUT = "write programs, and see what is wrong with them"
DESCRIPTION = """\
Exercises in a folder of your own. `init DIR` writes a program for each
exercise, which begins with what to do. `check` runs your program and says what
it gives, what is right, and the mistake if it is a known one: at first an
observation and a question, the second time the rule, the third time a hint.
`watch` checks each file as soon as you save it. Without a command you see where
you are.
Your program runs in a process of its own, with bounds of time and memory.
It may import what comes with Python, and NumPy; imports count as no calls.
The exit code is 0 if the program is right, 1 if it is not, 2 if there is no
such exercise or folder, and 3 if the checker itself failed.
"""


class Below:
    """A command below `exercises`. It is a method of Session."""

    def __init__(self, name, argument, about):
        self.name, self.argument, self.ABOUT = name, argument, about

    def options(self, parser):
        if self.argument.startswith("-"):
            from tutorial.exercises.practice.progress import SUBMISSION

            parser.add_argument("-o", dest="id", metavar="FILE", help=f"the file (default: {SUBMISSION})")
        elif self.argument:
            many = {"[ID]": "?", "[ID ...]": "*"}
            about = "the new folder" if self.argument == "DIR" else "the number of an exercise"
            parser.add_argument("id", metavar=self.argument.strip("[.] "), nargs=many.get(self.argument), help=about)
        if self.name != "init":
            parser.add_argument("--folder", metavar="DIR", default=".", help="your folder (default: the current one)")

    def run(self, args):
        from tutorial.cli.shared.exercise_session import USAGE, Session, refuse
        from tutorial.exercises.practice.folder import Folder, NoFolder
        from tutorial.exercises.practice.printer import Printer

        try:
            if self.name == "init":
                return init(args.id)
            session = Session(Folder.around(args.folder), Printer(sys.stdout))
            return getattr(session, self.name)(*[args.id] if self.argument else [])
        except BrokenPipeError:
            raise
        except (NoFolder, OSError) as wrong:
            refuse(wrong)
            return USAGE


COMMANDS = {
    name: Below(name, argument, about)
    for name, argument, about in (
        ("init", "DIR", "make a folder with all exercises"),
        ("where", "", "show which exercise is next, as without a command"),
        ("list", "", "list the exercises, and what you have reached"),
        ("check", "[ID ...]", "check your programs: of these exercises, of all, or of the next one"),
        ("watch", "", "check each file as soon as you save it; Ctrl-C ends"),
        ("hint", "[ID]", "show the next of three hints"),
        ("show", "[ID]", "show what to do, and the graph on which your program is wrong"),
        ("predict", "ID", "predict a number before you write the program"),
        ("reset", "ID", "write the given program again; yours is kept beside it"),
        ("solution", "ID", "show a solution, after yours is right"),
        ("progress", "", "show what you have reached in each unit"),
        ("notebook", "[ID]", "write an exercise as a Jupyter notebook, or all of them"),
        ("submit", "-o FILE", "write a zip file of your programs, to hand in"),
    )
}
DEFAULT = "where"


def init(path):
    from tutorial.exercises.practice.folder import Folder

    folder = Folder.create(path)
    here = folder.path.resolve() == folder.path.cwd()
    print(f"The exercises are in {'this folder' if here else folder.path}. Next:")
    print(*[f"  cd {folder.path}"] * (not here), f"  {program()} exercises", sep="\n")
    return 0
