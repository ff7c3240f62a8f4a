"""The table ACTIONS: what each key of the stepper does. A key that the page has too does the same there."""

from typing import NamedTuple

ENTER, BACKSPACE, ESCAPE = {"\r", "\n"}, {"\x7f", "\b"}, "\x1b"
INTERRUPT = {"\x03", "\x04"}  # Ctrl-C and Ctrl-D


class Action(NamedTuple):
    """The keys of an action, as terminals ("\\x1b…") and the Windows console ("\\x00…") send them; their names; what they do."""

    keys: set
    written: str
    does: str


# fmt: off
ACTIONS = {
    "next":               Action({"\x1b[C", "\x1bOC", "\x00M", "\x1b[6~", "\x00Q", *ENTER},     "→  PgDn  Enter",     "next step"),
    "back":               Action({"\x1b[D", "\x1bOD", "\x00K", "\x1b[5~", "\x00I", *BACKSPACE}, "←  PgUp  Backspace", "previous step"),
    "next_iteration":     Action({"\x1b[B", "\x1bOB", "\x00P"},                                 "↓",                  "next iteration"),
    "previous_iteration": Action({"\x1b[A", "\x1bOA", "\x00H"},                                 "↑",                  "previous iteration"),
    "after_loop":         Action({"l"},                                                         "l",                  "run over a loop"),
    "first":              Action({"\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~", "\x00G"},           "Home",               "first step"),
    "last":               Action({"\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~", "\x00O"},           "End",                "last step"),
    "play":               Action({" ", "p"},                                                    "space  p",           "play, pause"),
    "predict":            Action({"q"},                                                         "q",                  "predict numbers"),
    "why":                Action({"y"},                                                         "y",                  "show or hide why"),
    "help":               Action({"?"},                                                         "?",                  "show these keys"),
    "quit":               Action({ESCAPE, *INTERRUPT},                                          "Esc  Ctrl-C",        "quit"),
}
# fmt: on
DOES = {key: name for name, action in ACTIONS.items() for key in action.keys}

# What the last line of the screen shows, the most important first: a key that has no room is left out.
LINE = [("→", "next"), ("←", "back"), ("q", "predict"), ("?", "keys"), ("Esc", "quit"), ("↓ ↑", "node"), ("space", "play"), ("y", "why")]
ANSWER_LINE = [("Enter", "check"), ("Esc", "show answer"), ("9, −2.5, 1/3", "are numbers")]
ARRAY_ANSWER_LINE = [*ANSWER_LINE[:2], ("1 2; 3 4", "is a matrix")]
TALLY_LINE = [("Enter", "do these again"), ("Esc", "close")]
HELP_LINE = [("any key", "goes back to the step")]
