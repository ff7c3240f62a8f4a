"""A question that the reader answers before the next cell shows what it printed. Each wrong choice is a known mistake.

Each wrong choice has the number of its misconception in :believes:, in which - stands for the right one. A page of recaps shows it.
Where a question is asked without the page, as on a phone, the last drawing, program or formula above it in its section stands beside it.
It names another one with :draw:, a variable, a picture, or the graph of a few lines: `:draw: x = Value(3); z = x * x`. With :show: it names
a function of the chapter, a few lines of a program, or a formula: `:show: $y = x^2$`. `:show: nothing` says that its words are enough.
With :recall: and the name of a chapter, it asks what the reader remembers of that chapter, and nothing waits for the answer. At the start
of a chapter such a question is folded; on a page of recaps all are open. An exercise may ask for a number in the same form, before its
check runs.

:::{predict} About how much does $z$ rise?
:right: 2
:believes: M93 -

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
from sphinx.addnodes import pending_xref
from sphinx.util.docutils import SphinxDirective

from tutorial.misconceptions import MISCONCEPTIONS, misconception
from tutorial.reading.chapter import BOOK, NoChapter, find
from tutorial.reading.question_mistakes import NOTHING, mistake_in_beliefs

CHAPTERS = "chapters/"  # the folder of their pages


class Prediction(nodes.General, nodes.Element):
    """The whole question; `right` is the number of the right choice."""


class Recall(nodes.General, nodes.Element):
    """A question about an earlier chapter; `opened` and `closed` stand around it where it is folded."""


class NumberAsked(nodes.General, nodes.Element):
    """A question whose answer is a number, in the exercise with the number `exercise`."""


class Ask(nodes.General, nodes.Element):
    """The question; `tag` stands above it."""


class NumberField(nodes.General, nodes.Element):
    """Where the number is typed."""


class Choice(nodes.General, nodes.Element):
    """A choice; `number` counts from 1."""


class Reply(nodes.General, nodes.Element):
    """What a choice says about the reader's thoughts; `state` is a class, of which a script adds that of a choice."""


class Predict(SphinxDirective):
    """:::{predict} question, with a list of choices and replies."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = {
        "right": directives.positive_int,
        "recall": directives.unchanged_required,
        "believes": directives.unchanged_required,
        "draw": directives.unchanged_required,
        "show": directives.unchanged_required,
    }

    def run(self):
        asked, _ = self.parse_inline(self.arguments[0])
        choices = next((node for node in self.parse_content_to_nodes() if isinstance(node, nodes.bullet_list)), None)
        if choices is None or not all(len(item) >= 2 for item in choices) or self.options.get("right", 0) not in range(1, len(choices) + 1):
            raise self.error("predict needs :right: and a list whose items are a choice and, in a paragraph of its own, a reply")
        right, chapter = self.options["right"], self.recalled()
        believed = self.believed(right, len(choices))
        found = Recall(right=right, **folding(chapter, self.env.docname)) if chapter else Prediction(right=right)
        found += Ask("", *asked, tag=f"From chapter {chapter.number}" if chapter else "Predict before you read on")
        for number, ((choice, *reply), id) in enumerate(zip(choices, believed), 1):
            if id in MISCONCEPTIONS and not self.env.docname.startswith(CHAPTERS):
                reply[-1] += nodes.Text(f" {misconception(id)}")
            found += [Choice("", *choice.children, number=number, spoken=spoken(choice)), Reply("", *reply, number=number, state="")]
        if chapter:
            found += again(chapter)
        return [found]

    def believed(self, right, choices):
        """Return what each choice believes; nothing is known of a question without :believes:."""
        if "believes" not in self.options:
            return [NOTHING] * choices
        if wrong := mistake_in_beliefs(self.options["believes"], right, choices):
            raise self.error(wrong)
        return self.options["believes"].split()

    def recalled(self):
        """Return the chapter that the question is about, or None if it is about what follows."""
        if "recall" not in self.options:
            return None
        self.env.note_dependency(str(BOOK / "index.md"))  # which has the numbers of the chapters
        try:
            return find(self.options["recall"])
        except NoChapter as wrong:
            raise self.error(f"recall: {wrong}") from None


def folding(chapter, page):
    """Return what stands around a question about an earlier chapter: in a chapter it is folded."""
    summary = f"Do you remember? One question from chapter {chapter.number}, 15 seconds"
    around = (f'<details class="recalls"><summary>{summary}</summary>', "</details>\n") if page.startswith(CHAPTERS) else ("", "")
    return dict(zip(("opened", "closed"), around))


def again(chapter):
    """Return the paragraph that leads back to a chapter; a page shows it after a wrong answer."""
    title = nodes.inline("", f"chapter {chapter.number}, {chapter.title}")
    link = pending_xref("", title, refdomain="std", reftype="doc", reftarget=f"/chapters/{chapter.name}", refexplicit=True, refwarn=True)
    return nodes.paragraph("", "", nodes.Text("Read it again: "), link, nodes.Text("."), classes=["again"])


def number_asked(predicted, exercise):
    """Return the node that asks for the number of a Prediction in an exercise."""
    found = NumberAsked(exercise=exercise)
    found += [Ask("", nodes.Text(predicted.question), tag="Predict before you write"), NumberField(), *replies(predicted)]
    return found


def replies(predicted):
    """Return what is said of the right number, of each wrong one of which the thought is known, and of another one."""
    said = {predicted.right: f"Yes, it is {predicted.right:g}."} | predicted.wrong | {"another": "It is another number."}
    for choice, text in said.items():
        again = "" if choice == predicted.right else " Predict again, or write the program."
        yield Reply("", nodes.paragraph("", text + again), number=choice, state=" wrong" if again else " right")


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
    Recall: (
        '{opened}<form class="recall" data-right="{right}"><fieldset>',
        "</fieldset><button disabled>This is my answer</button></form>\n{closed}",
    ),
    Ask: ('<legend><span class="tag">{tag}</span> ', "</legend>"),
    NumberAsked: (
        '<form class="predict number" data-exercise="{exercise}"><fieldset>',
        "</fieldset><button disabled>This is my prediction</button></form>\n",
    ),
    NumberField: (
        '<label>A number, such as 9, -2.5 or 1/3: <input name="number" size="8" autocomplete="off">',
        "</label>",
    ),
    Choice: ('<label><input type="radio" name="choice" value="{number}" aria-label="{spoken}"> ', "</label>"),
    Reply: ('<details class="reply{state}" data-choice="{number}"><summary>the reply</summary>', "</details>"),
}
