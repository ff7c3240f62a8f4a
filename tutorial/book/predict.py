"""A question that the reader answers before the next cell shows what it printed. Each wrong choice is a known mistake.

An exercise may ask for a number in the same form, before its check runs.

:::{predict} About how much does $z$ rise?
:right: 2

- 0.8

  You followed only the path over $y_2$.
- 1.1

  Both paths arrive at once, so the effects add.
:::
"""

import re
from html import escape

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective


class Prediction(nodes.General, nodes.Element):
    """The whole question; `right` is the number of the right choice."""


class NumberAsked(nodes.General, nodes.Element):
    """A question whose answer is the number `right`, in the exercise with the number `exercise`."""


class Ask(nodes.General, nodes.Element):
    """The question; `tag` stands above it."""


class NumberField(nodes.General, nodes.Element):
    """Where the number is typed."""


class Choice(nodes.General, nodes.Element):
    """A choice; `number` counts from 1."""


class Reply(nodes.General, nodes.Element):
    """What a choice says about the reader's thoughts."""


class Predict(SphinxDirective):
    """:::{predict} question, with a list of choices and replies."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = {"right": directives.positive_int}

    def run(self):
        asked, _ = self.parse_inline(self.arguments[0])
        choices = next((node for node in self.parse_content_to_nodes() if isinstance(node, nodes.bullet_list)), None)
        if choices is None or not all(len(item) >= 2 for item in choices) or self.options.get("right", 0) not in range(1, len(choices) + 1):
            raise self.error("predict needs :right: and a list whose items are a choice and, in a paragraph of its own, a reply")
        found = Prediction(right=self.options["right"])
        found += Ask("", *asked, tag="Predict before you run")
        for number, (choice, *reply) in enumerate(choices, 1):
            found += [Choice("", *choice.children, number=number, spoken=spoken(choice)), Reply("", *reply, number=number)]
        return [found]


def number_asked(question, right, exercise):
    """Return the node that asks for a number in an exercise."""
    found = NumberAsked(right=float(right), exercise=exercise)
    found += [Ask("", nodes.Text(question), tag="Predict before you write"), NumberField(), *replies(f"{right:g}")]
    return found


def replies(right):
    """Return what is said of the right number, and of another one."""
    for choice, text in (
        ("right", f"Yes, it is {right}."),
        ("wrong", "It is another number. Predict again, or write the program."),
    ):
        yield Reply("", nodes.paragraph("", text), number=choice)


def spoken(choice):
    """Return the text of a choice for screen readers, some of which skip formulas."""
    return escape(re.sub(r"[{}\\$]", "", choice.astext()), quote=True)


def add(app):
    """Let Sphinx read and write these questions."""
    app.add_directive("predict", Predict)
    for node, (begin, end) in HTML.items():
        app.add_node(node, html=(writer(begin), writer(end)))


def writer(text):
    return lambda self, node: self.body.append(text.format(**node.attributes))


HTML = {  # node: its begin and its end. Without scripts the replies can be opened, one below each choice.
    Prediction: (
        '<form class="predict" data-right="{right}"><fieldset>',
        "</fieldset><button disabled>This is my prediction</button></form>\n",
    ),
    Ask: ('<legend><span class="tag">{tag}</span> ', "</legend>"),
    NumberAsked: (
        '<form class="predict number" data-right="right" data-number="{right}" data-exercise="{exercise}"><fieldset>',
        "</fieldset><button disabled>This is my prediction</button></form>\n",
    ),
    NumberField: (
        '<label>A number, such as 9, -2.5 or 1/3: <input name="number" size="8" autocomplete="off">',
        "</label>",
    ),
    Choice: ('<label><input type="radio" name="choice" value="{number}" aria-label="{spoken}"> ', "</label>"),
    Reply: ('<details class="reply" data-choice="{number}"><summary>the reply</summary>', "</details>"),
}
