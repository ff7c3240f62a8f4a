"""Options belong to their command: each is taken before and after its name, and every other command refuses it with a sentence."""

import ast
from argparse import ArgumentTypeError
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.each import each, swept
from tutorial.cli.shared.find_command import Command, parsed

ROOT = Command("tutorial.cli.program")
COMMANDS = list(ROOT.leaves())
VALUES = ("3", "1/2", "moons", "z.html", "8200")  # one of these is good for each option
NAMING = ast.Attribute | ast.Constant
REFUSED = "{} has no option {}"


def declared(command):
    """The options that a command declares itself, with the names of each."""
    return {name: action for action in command.parser._actions if action.dest != "help" for name in action.option_strings}


def good_value(action):
    """A value that the option takes, as the declaration says."""
    return next(text for text in action.choices or VALUES if reads(action.type or str, text))


def reads(read, text):
    try:
        read(text)
    except (ValueError, TypeError, ArgumentTypeError):
        return False
    return True


def words(option, action):
    return [option] if action.nargs == 0 else [option, good_value(action)]


def needed(command, option):
    """The words without which the command does not run, apart from this option: its arguments, and the options that it requires."""
    for action in command.parser._actions:
        if not action.option_strings and action.nargs in (None, "+"):
            yield from [good_value(action)]
        elif action.required and action.option_strings and option not in action.option_strings:
            yield from words(action.option_strings[0], action)


def before_and_after(command, option, action):
    """The command line with the option before and after the command's name."""
    name, rest, given = list(command.names), list(needed(command, option)), words(option, action)
    return [*given, *name, *rest], [*name, *rest, *given]


def elsewhere(command, option, action):
    """The command line with the option between the words of the name, between name and arguments, and as --option=value."""
    name, rest, given = list(command.names), list(needed(command, option)), words(option, action)
    return [*name[:1], *given, *name[1:], *rest], [*name, *given, *rest], ["=".join(given), *name, *rest]


ALL = {name: action for command in COMMANDS for name, action in declared(command).items()}


@each("command", COMMANDS, ids=str)
def test_an_option_is_taken_wherever_it_stands(command):
    for option, action in declared(command).items():
        results = [parsed(ROOT, line) for line in before_and_after(command, option, action) + elsewhere(command, option, action)]
        assert {str(found) for found, _ in results} == {str(command)}
        value = not option.startswith("--no-") if action.nargs == 0 else (action.type or str)(good_value(action))
        assert {repr(vars(args)[action.dest]) for _, args in results} == {repr(value)}, f"{command} {option}"


@swept("command", COMMANDS, every=4, ids=str)
def test_an_option_of_another_command_is_refused_and_the_sentence_names_one_that_has_it(command, capsys):
    for option, action in ALL.items():
        if option in declared(command):
            continue
        owners = [str(other) for other in COMMANDS if option in declared(other)]
        for line in before_and_after(command, option, action):
            with pytest.raises(SystemExit, match="2"):
                parsed(ROOT, line)
            said = capsys.readouterr().err
            assert said.startswith(f"tutorial: {REFUSED.format(command, option)}; ") and said.count("\n") == 1, line
            assert any(owner in said.partition(";")[2] for owner in owners), f"{line}: {said}"


@cache
def words_of(module):
    """The attributes and texts in a module of commands, and in those that it imports."""
    tree = ast.parse(Path(find_spec(module).origin).read_text(encoding="utf-8"))
    found = {node.attr if isinstance(node, ast.Attribute) else node.value for node in ast.walk(tree) if isinstance(node, NAMING)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tutorial.cli"):
            is_package = Path(find_spec(node.module).origin).name == "__init__.py"
            names = [f"{node.module}.{alias.name}" for alias in node.names] if is_package else [node.module]
            found = found.union(*map(words_of, names))
    return found


@each("command", COMMANDS, ids=str)
def test_a_command_reads_each_of_its_options(command):
    read = words_of(command.module if isinstance(command.module, str) else command.declared.run.__module__)
    assert not [option for option, action in declared(command).items() if action.dest not in read], f"{command} never reads these"


def test_an_option_takes_a_value_in_every_command_or_in_none_and_only_h_and_o_are_letters():
    takes = {}
    for command in COMMANDS:
        for option, value in command.takes_value.items():
            assert takes.setdefault(option, value) == value, option
    assert {option for option in takes if not option.startswith("--")} == {"-h", "-o"}


def test_every_help_fits_80_columns_and_explains_each_word(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    groups = [ROOT, *(command for command in ROOT.below.values() if command.below)]
    for command in (*groups, *COMMANDS):
        lines = command.parser.format_help().splitlines()
        assert max(map(len, lines)) <= 80, [line for line in lines if len(line) > 80]
        assert command in groups or all(action.help for action in command.parser._actions), command
