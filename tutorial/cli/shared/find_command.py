"""Find the command that a command line names, and give it its options; say what may be meant by a word that is neither.

A command is a module with ABOUT, DESCRIPTION, options(parser) and run(args). Of the errors of run(), those in REPORTED become one line.
A group of commands has COMMANDS, by name, and a DEFAULT.
`-x` may be an expression, so only -h and -o are options of one letter.
"""

import re
from collections import deque
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cached_property
from importlib import import_module

from tutorial.cli.shared.parser import Parser, did_you_mean, program, shortened

OPTION = re.compile(r"--.|-h$|-o(=|[^*+=]*\.[a-z]+$|$)", re.S)  # -o FILE, -o=FILE and -oFILE
LETTER = re.compile(r"-[A-Za-z]")
HELP = {"-h", "--help"}


class Command:
    """A command, or a group of them, with the words that name it."""

    def __init__(self, module, names=()):
        self.module, self.names = module, names

    def __str__(self):
        return " ".join(self.names) or program()

    @cached_property
    def declared(self):
        """The module of the command, which is imported when it is first needed, or an object like one."""
        return import_module(self.module) if isinstance(self.module, str) else self.module

    @cached_property
    def below(self):
        """{name: command} of a group; empty for a command that runs."""
        return {name: Command(module, (*self.names, name)) for name, module in getattr(self.declared, "COMMANDS", {}).items()}

    @cached_property
    def default(self):
        """The command that a group runs if none is named. It goes by the group's name."""
        return Command(self.below[self.declared.DEFAULT].module, self.names)

    def leaves(self) -> Iterator["Command"]:
        """Yield all commands that run."""
        for command in self.below.values():
            yield from command.leaves() if command.below else [command]

    def options(self, parser):
        """Add the options of this command to a parser."""
        getattr(self.declared, "options", lambda parser: None)(parser)

    @cached_property
    def parser(self):
        """The parser of the options, with the help. That of a group lists its commands."""
        about = getattr(self.declared, "DESCRIPTION", None) or f"{self.declared.ABOUT[0].upper()}{self.declared.ABOUT[1:]}."
        parser = Parser(" ".join((program(), *self.names)), description=about, epilog=getattr(self.declared, "EPILOG", None))
        if self.below:
            listed = parser.add_subparsers(title="commands", metavar="command")
            for name, command in self.below.items():
                listed.add_parser(name, help=command.declared.ABOUT)
        self.options(parser)
        return parser

    @cached_property
    def takes_value(self):
        """{option: whether it takes a value}."""
        return self.parser.takes_value()


def parsed(root, argv):
    """Return the command that the words name, and its arguments. Exits after a help that was asked for, or with one line on a mistake."""
    command, given, words, after = found(root, argv)
    if HELP & set(given):
        command.parser.print_help()
        command.parser.exit()
    group, command = command, command.default if command.below else command
    for option in given if command.parser.takes_expression() else [*given, *filter(LETTER.match, words)]:
        if (name := name_of(option)) not in command.takes_value:
            command.parser.error(unknown_option(name, command, root))
        if "=" in option and not command.takes_value[name]:
            command.parser.error(f"{name} takes no value, got {option.partition('=')[2]!r}")
    if group.below and words and (wrong := unknown_command(group, words)):
        command.parser.error(wrong)
    words += after
    args, more = command.parser.parse_known_args([*given, "--", *words] if words else given)
    if more := [word for word in more if word != "--"]:
        command.parser.error(f"unrecognized arguments: {' '.join(more)}")
    return command, args


def found(root, argv):
    """Return the command or the group that the words name, the options that are given, the other words, and those after --."""
    command, left = root, deque(argv)
    while left and left[0] in command.below:
        command = command.below[left.popleft()]
    options = {name_of(word) for word in left if OPTION.match(word)} - HELP
    takes_value = (command.default if command.below else command).takes_value if options else {}
    if command.below and not options <= takes_value.keys():  # the command's name may stand behind the options
        takes_value = everything(root)
    given, words, after = sorted_out(left, takes_value)
    while words and words[0] in command.below:
        command = command.below[words.pop(0)]
    return command, given, words, after


def everything(root):
    """Return {option: whether it takes a value} of all commands. An option takes one in each command or in none."""
    return {option: takes for command in (root, *root.leaves()) for option, takes in command.takes_value.items()}


def sorted_out(left, takes_value):
    """Return the options among the words, each with its value as --option=value, the other words, and those after --."""
    given, words = [], []
    while left:
        word = left.popleft()
        if word == "--":
            return given, words, [*left]
        if not OPTION.match(word):
            words.append(word)
        elif takes_value.get(word) and left and not OPTION.match(left[0]):
            given.append(f"{word}={left.popleft()}")
        else:
            given.append(word)
    return given, words, []


def name_of(option):
    """Return an option without its value."""
    return option.partition("=")[0] if option.startswith("--") else option[:2]


MOST_NAMED = 3  # commands that have an option


def unknown_option(option, command, root):
    """Return a sentence on an option that a command does not have."""
    near_first = sorted((root, *root.leaves()), key=lambda one: one.names[:1] != command.names[:1])
    owners = names_in_words([str(one) for one in near_first if option in one.takes_value])
    having = f"; {owners} {'have' if ' and ' in owners else 'has'} it" if owners else ""
    return f"{command} has no option {shortened(option)}{having}{did_you_mean(*similar(option.strip('-'), command, root))}"


def names_in_words(names):
    """Return names as words of a sentence: a, b and c; or a, b, c and 5 others."""
    if len(names) > MOST_NAMED + 1:
        names = [*names[:MOST_NAMED], f"{len(names) - MOST_NAMED} others"]
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def similar(typed, command, root):
    """Return what may be meant: options that begin so, the shortest first, or one that is spelled alike, or a command of this name."""
    options = command.parser.spellings()
    found = [name for name in sorted(options, key=len) if typed and name.startswith(typed)] or get_close_matches(typed, options, n=1)
    return [options[name] for name in found] or [str(one) for one in root.leaves() if one.names[-1] == typed]


def unknown_command(group, words):
    """Return a sentence on the first word, which does not name a command of a group, or None if it may be an expression."""
    if not group.names and may_be_expression(words):
        return None
    word, leaves = words[0], list(group.leaves())
    commands = {choice: f"{command} {choice}" for command in leaves for choice in command.parser.words() if len(choice) > 1}
    commands["version"] = "--version"
    commands |= {name: str(command) for command in leaves for name in (command.names[-1], "-".join(command.names))}
    commands |= {name: str(one) for name, one in group.below.items()}
    near = did_you_mean(*(commands[name] for name in get_close_matches(word.lower(), commands, n=1, cutoff=0.75)))
    if group.names:
        return f"{group} has no command {shortened(word)}{near or '; it has ' + ', '.join(group.below)}"
    return f"there is no command {word}{near}" if near else None


def may_be_expression(words):
    """Return whether the first word has more than letters and dashes, or has a value among the others."""
    names, given = words[0].split("-"), {text.partition("=")[0].strip() for text in words if "=" in text}
    return not all(map(str.isidentifier, names)) or not given.isdisjoint(names)
