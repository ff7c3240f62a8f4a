"""Imports rich, of which the terminal's screens are made, and puts back the user's random numbers: it takes one of them."""

import random
from importlib import import_module

state = random.getstate()
import_module("rich.style")
random.setstate(state)
