"""Import rich, which draws the terminal's screens, and restore the state of `random`: rich takes a random number."""

import random
from importlib import import_module

state = random.getstate()
import_module("rich.style")
random.setstate(state)
