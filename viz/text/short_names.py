"""Short forms of long names: both ends with … between them, no two alike. Knows letters and words, not where a name stands.

A name with a key keeps what it is a key of: table[Berlin,Hamburg] is table[Berl…burg].
"""

import re
import unicodedata
from collections import Counter
from functools import partial
from itertools import accumulate, count
from os.path import commonprefix

from rich.cells import cell_len

from scalargrad.formulas.text import split_name
from scalargrad.graph import by_key

LONGEST = 12  # columns of a name that is written in full; a Chinese letter takes two
SPARED = 3  # columns: a form that is only so much shorter than its name is not worth its …
OF_PARTS = 4, 2  # columns that a name of several parts may have more, such as bottom.weight and Q[start,right]: all, or for each
LARGER = 4, 8  # columns that a form may have more, if shorter forms would be alike
PARTS = 0.5, 0.25, 0.75  # of a form, before its …
FEWEST = 3  # columns of the part before …, so that the last word may be whole
LONGEST_INDEX = 8
PART = re.compile(r"(^|\[|\.)([^\[\].]+)(\]?)")  # of table[Berlin,Hamburg].price
LEAST = 5  # columns of a part of which … replaces the middle
WORDS = re.compile(r"[\W_]+|[^\W_]+")
JOINER = "\N{ZERO WIDTH JOINER}"
MODIFIER = re.compile("[\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]")  # of an emoji: text or picture, colour of the skin


def short_names(names, longest=LONGEST):
    """Return {name: its short form} for those of `names` that are wider than `most` of them may be. A short index stays.

    >>> short_names(["x1", "price_per_kilowatt_hour", "layer1/neuron2/weight_of_x", "layer1/neuron3/weight_of_x"])
    {'price_per_kilowatt_hour': 'price…hour', 'layer1/neuron2/weight_of_x': '…neuron2…x', 'layer1/neuron3/weight_of_x': '…neuron3…x'}
    """
    names = list(dict.fromkeys(names))
    long = [name for name in names if cell_len(name) > most(name, longest)]
    taken = {split_name(name) for name in names if cell_len(name) <= most(name, longest)}
    alike = by_key((split_name(both_ends(name, longest)), name) for name in long)
    forms = {name: form for group in alike.values() for name, form in told_apart(group, longest, taken).items()}
    return {name: form for name, form in forms.items() if cell_len(name) - cell_len(form) >= SPARED}


def most(name, longest):
    """Return how many columns a name may have to be written in full."""
    return room_of(parts_of(name), longest) + SPARED


def room_of(parts, longest):
    """Return how many columns a form may have: more if its name has several parts, so that layers[0].neurons[1].w[2] can be read."""
    return longest + (max(OF_PARTS[0], OF_PARTS[1] * (len(parts) - 1)) if len(parts) > 1 else 0)


def parts_of(name):
    """Return [(opening, text, closing)] of a name with keys and attributes; [] if it is written in another way.

    >>> parts_of("table[Berlin,Hamburg].price"), parts_of("layer1/neuron2")
    ([('', 'table', ''), ('[', 'Berlin,Hamburg', ']'), ('.', 'price', '')], [('', 'layer1/neuron2', '')])
    """
    found = PART.findall(name)
    return found if "".join(map("".join, found)) == name else []


def told_apart(group, longest, taken):
    """Return {name: its short form} for names whose ends are the same: the first form that no other name has. Add them to `taken`."""
    found = {}
    for form in forms(group, longest):
        made = {name: form(name) for name in group if name not in found}
        often = Counter(map(split_name, made.values()))
        found |= {name: short for name, short in made.items() if often[split_name(short)] == 1 and split_name(short) not in taken}
        taken.update(map(split_name, found.values()))
        if len(found) == len(group):
            return found


def forms(group, longest):
    """Yield ways to shorten a name of a group, the shortest first: both ends, the word that differs, more of both ends, a number."""
    same, place = len(commonprefix(group)), {name: k for k, name in enumerate(group, 1)}
    yield from (partial(both_ends, longest=longest, part=part) for part in PARTS)
    if not any("[" in name for name in group):  # else what the key belongs to would be lost
        yield partial(around, place=same, longest=longest + LARGER[0])
    yield from (partial(both_ends, longest=longest + more, part=part) for more in LARGER for part in PARTS)
    yield from (lambda name, first=first: f"{both_ends(name, longest - 3)}…{first + place[name]}" for first in count(step=len(group)))


def both_ends(name, longest, part=0.5):
    """Return as much of both ends of a name as there is room for, whole words if possible. A short index belongs to its end.

    A name with keys is shortened within its parts.
    """
    base, index = split_name(name)
    base = base if len(index) <= LONGEST_INDEX else name
    index = name[len(base) :]
    if "[" in base and (parts := parts_of(base)):
        return within_parts(parts, index, room_of(parts, longest), part)
    room = max(longest - 1 - cell_len(index), FEWEST + 1)
    words = WORDS.findall(base)
    tails = [tail for tail in accumulate(words[::-1], lambda end, word: word + end) if tail[0].isalnum() and cell_len(tail) < room]
    fits = [tail for tail in tails if cell_len(tail) <= room * (1 - part)] or [
        tail for tail in tails[:1] if cell_len(tail) <= room - FEWEST
    ]
    tail = fits[-1] if fits else "".join(fitting(letters(base)[::-1], int(room * (1 - part)))[::-1])
    return f"{beginning(base, room - cell_len(tail))}…{tail}{index}"


def within_parts(parts, index, longest, part):
    """Return a name whose longest parts are shortened until it fits; if all must be, … stands for the parts after its first.

    >>> within_parts(parts_of("model.layers[1].neurons[0].w[1]"), "", 24, 0.5)
    'model…[1].neu…ns[0].w[1]'
    """
    fewer = [[parts[0], ("", "…", ""), (before.lstrip("."), text, after), *rest] for (before, text, after), *rest in ends_after(parts)]
    for kept in (parts, *fewer):
        for room in range(longest, LEAST - 1, -1):
            short = (f"{before}{text if cell_len(text) <= room else both_ends(text, room, part)}{after}" for before, text, after in kept)
            name = "".join(short) + index
            if cell_len(name) <= longest:
                return name
    return name


def ends_after(parts):
    """Return the ends of a name after its second part, the longest first."""
    return [parts[k:] for k in range(2, len(parts))]


def beginning(text, room):
    """Return the first words of a text that fit into so many columns, or the first letters."""
    heads = [head for head in accumulate(WORDS.findall(text)) if head[-1].isalnum() and cell_len(head) <= room]
    return heads[-1] if heads else "".join(fitting(letters(text), room))


def around(name, place, longest):
    """Return the word at a place of a name, where others have another word, and the last word if there is room for it."""
    start = max((word.start() for word in WORDS.finditer(name) if word.start() <= place), default=0)
    last, rest = WORDS.findall(name)[-1], name[start:]
    word = beginning(rest, longest - 2 - cell_len(last)) if cell_len(last) < longest / 2 else ""
    return f"…{word}…{last}" if word and word != rest else f"…{beginning(rest, longest - 2)}…"


def fitting(given, room):
    """Return the first letters that fit into so many columns."""
    return [letter for letter, wide in zip(given, accumulate(map(cell_len, given))) if wide <= room]


def letters(text):
    """Return the letters of a text, each with its accents. An emoji of several parts is one letter."""
    found = []
    for c in text:
        if found and (c == JOINER or found[-1].endswith(JOINER) or unicodedata.combining(c) or MODIFIER.match(c)):
            found[-1] += c
        else:
            found.append(c)
    return found
