"""A class of twenty minutes on each chapter: which of its questions, players and exercises the teacher takes.

The panel of the chapter's page makes the plan of it. A number counts the questions to predict, or the players, from the top of the page.
"""

from typing import NamedTuple


class Short(NamedTuple):
    """What a class takes of a chapter. Where `exercise` is empty, the chapter has none; the class works on paper, or in pairs."""

    question: int
    player: int
    exercise: str


# fmt: off
SHORT = {  # chapter:                           question, player, exercise
    "nudge-and-slope":                      Short(1, 1, "00"),
    "variables-functions-graphs":           Short(1, 1, "01"),
    "inductive-chain-rule":                 Short(1, 2, "02"),
    "order-matters":                        Short(2, 1, "36"),
    "backpropagation-with-a-dictionary":    Short(1, 1, "08"),
    "your-first-value":                     Short(1, 1, "11"),
    "descent":                              Short(1, 1, "13"),

    "from-numbers-to-arrays":               Short(1, 1, "20"),
    "contributions-add":                    Short(1, 1, "21"),
    "broadcasting":                         Short(1, 1, "37"),
    "backward-functions":                   Short(1, 1, "18"),
    "softmax-max-indices":                  Short(1, 1, "23"),
    "the-engine":                           Short(1, 1, "32"),
    "memory":                               Short(1, 1, "31"),

    "other-engines":                        Short(1, 1, "28"),
    "museum-of-broken-engines":             Short(1, 2, "15"),
    "checking-gradients":                   Short(1, 1, "16"),
    "numerics":                             Short(1, 1, "22"),

    "modules-and-optimisers":               Short(1, 1, "26"),
    "convolution":                          Short(1, 1, "44"),
    "normalisation-and-residuals":          Short(1, 1, "45"),
    "resnet-50":                            Short(1, 1, "40"),
    "attention":                            Short(1, 1, "41"),

    "second-derivatives":                   Short(1, 1, "46"),
    "forward-mode":                         Short(1, 1, "42"),
    "many-machines":                        Short(1, 1, "43"),

    "your-own-model":                       Short(1, 1, "33"),
}
# fmt: on


def short_of(name):
    """Return what a class takes of a chapter, for the panel of its page. A chapter without a row gives its first question and player.

    >>> short_of("convolution")
    {'question': 1, 'player': 1, 'exercise': '44'}
    """
    return SHORT.get(name, Short(1, 1, ""))._asdict()
