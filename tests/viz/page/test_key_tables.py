"""The keys of the page: each has one meaning, and the help names it."""

import re
from collections import Counter

from tests.page_scripts import SRC
from viz.document import asset

SCRIPTS = {
    path.relative_to(SRC).as_posix(): path.read_text(encoding="utf-8") for path in SRC.rglob("*.js") if path.parent.name != "explore"
}
ACTIONS = re.compile(r"const actions = \[[^\n]*\n(.*?)\n  \];", re.DOTALL)
ACTION = re.compile(r'    \[.+, (?:null|"#[\w-]+")((?:, "[^"]+")+)\],')  # what it does, its button, its keys
TABLE, OF_TABLE = re.compile(r"\bkeys(?: =|:) (.*?\{.*)"), re.compile(r"[{,] (\w+):")
COMPARED = re.compile(r'event\.key(?:\.toLowerCase\(\))? [!=]== "(\w)"')
HELP, HELP_OF_SCRIPT = re.compile("<kbd>(.*?)</kbd>"), re.compile(r"keyHelp\(\[(.*?)\]")
ARROWS = {"ArrowUp": "↑", "ArrowDown": "↓", "ArrowLeft": "←", "ArrowRight": "→"}
WRITTEN = {**ARROWS, " ": "space", "PageUp": "Page Up", "PageDown": "Page Down", "-": "−", "=": "+"}  # = is + without Shift


def quoted(text):
    return re.findall('"([^"]+)"', text)


def keys_of_actions():
    (table,) = ACTIONS.findall(SCRIPTS["controls.js"])
    return [key for row in table.split("\n") for key in quoted(ACTION.fullmatch(row)[1])]


def keys_of_other_tables():
    """Those of one character, of the graph, of the acts and of what else listens; without 1 to 9, which choose an input."""
    tables = [key for text in SCRIPTS.values() for table in TABLE.findall(text) for key in OF_TABLE.findall(table) if len(key) == 1]
    return tables + [key for text in SCRIPTS.values() for key in COMPARED.findall(text)]


def test_a_key_has_one_meaning():
    """An act's own arrow keys precede those of the page."""
    others = keys_of_other_tables()
    assert set("aionwz0") <= set(others)
    assert [key for key, n in Counter([*keys_of_actions(), *others, *"123456789"]).items() if n > 1] == []


def test_the_help_names_every_key():
    dialog = asset("page.html").partition('<dialog id="keys"')[2].partition("</dialog>")[0]
    named = {*HELP.findall(dialog), *(key for text in SCRIPTS.values() for keys in HELP_OF_SCRIPT.findall(text) for key in quoted(keys))}
    pressed = [part for key in [*keys_of_actions(), *keys_of_other_tables()] for part in re.findall(r"[^+]+|^\+$", key)]
    assert [key for key in pressed if WRITTEN.get(key, key.upper() if len(key) == 1 else key) not in named] == []
