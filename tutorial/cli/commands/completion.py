"""python -m tutorial completion: make a shell complete the names of commands, options and choices."""

import argparse

from tutorial.cli.shared.find_command import Command
from tutorial.cli.shared.parser import INSTALLED, Mistake

ABOUT = "print what makes your shell complete commands and options"
DESCRIPTION = """\
Print the lines that make your shell complete the commands of gradsteps, their
options, and what an option can be. Put one of these into the file that your
shell reads at its start:
  bash         eval "$(gradsteps completion bash)"
  zsh          eval "$(gradsteps completion zsh)"
  fish         gradsteps completion fish | source
  PowerShell   gradsteps completion powershell | Out-String | Invoke-Expression
It needs the package shtab: pip install shtab
"""
SHELLS = ("bash", "zsh", "fish", "powershell")
FOLDERS, FILES = ("DIR", "FOLDER"), ("FILE", "FILE.html", "WHEEL", "RESULTS", "PART", "ZIP")


def options(parser):
    parser.add_argument("shell", choices=SHELLS, help=", ".join(SHELLS))


def run(args):
    try:
        import shtab
    except ImportError:
        raise Mistake("completion needs the package shtab: run `pip install shtab`") from None
    print(shtab.complete(whole(shtab), args.shell))
    return 0


def whole(shtab):
    """Return the parser of all commands, with what completes their arguments."""

    def grown(command, parser):
        below = parser.add_subparsers() if command.below else None
        for name, one in command.below.items():
            grown(one, below.add_parser(name, help=one.declared.ABOUT))
        command.options(parser)
        for action in parser._actions:
            if action.metavar in FOLDERS + FILES:
                action.complete = shtab.DIRECTORY if action.metavar in FOLDERS else shtab.FILE
        return parser

    return grown(Command("tutorial.cli.program"), argparse.ArgumentParser(INSTALLED))
