"""Say of an option or a command that is not there who has it, and what may be meant. Knows commands, not how they are found."""

from difflib import get_close_matches

MOST_NAMED = 3  # commands that have an option


def unknown_option(option, command, root):
    """Return a sentence on an option that a command does not have."""
    near_first = sorted((root, *root.leaves()), key=lambda one: one.names[:1] != command.names[:1])
    owners = listed([str(one) for one in near_first if option in one.takes_value])
    having = f"; {owners} {'have' if ' and ' in owners else 'has'} it" if owners else ""
    return f"{command} has no option {option}{having}{did_you_mean(similar_option(option, command.takes_value))}"


def listed(names):
    """Return names as words of a sentence: a, b and c; or a, b, c and 5 others."""
    if len(names) > MOST_NAMED + 1:
        names = [*names[:MOST_NAMED], f"{len(names) - MOST_NAMED} others"]
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def did_you_mean(name):
    return f"; did you mean {name}?" if name else ""


def similar_option(option, options):
    """Return the option that is meant: the shortest that begins so, as --out for -o, or one that is spelled alike, or None."""
    typed, names = option.strip("-"), {name.strip("-"): name for name in sorted(options, key=len)}
    found = [name for name in names if typed and name.startswith(typed)] or get_close_matches(typed, names, n=1)
    return names[found[0]] if found else None


def unknown_command(group, words):
    """Return a sentence on the first word, which does not name a command of a group, or None if it may be an expression."""
    word = words[0]
    if not group.names and (not word.isidentifier() or any(text.startswith(f"{word}=") for text in words)):
        return None
    leaves = list(group.leaves())
    commands = {choice: f"{command} {choice}" for command in leaves for choice in command.parser.words() if len(choice) > 1}
    commands |= {command.names[-1]: str(command) for command in leaves} | {name: str(one) for name, one in group.below.items()}
    found = get_close_matches(word, commands, n=1, cutoff=0.75)
    if group.names:
        return f"{group} has no command {word}" + (did_you_mean(commands[found[0]]) if found else f"; it has {', '.join(group.below)}")
    return f"there is no command {word}{did_you_mean(commands[found[0]])}" if found else None
