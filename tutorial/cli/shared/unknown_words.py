"""Say of an option or a command that is not there who has it, and what may be meant. Knows commands, not how they are found."""

from difflib import get_close_matches

from tutorial.cli.shared.parser import did_you_mean, shortened

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
