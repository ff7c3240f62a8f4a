"""An exercise in a chapter: a program to repair or to write. Its hints and the answer are folded below it.

Where the site has a playground, the page checks it; else the page names the command that does.

:::{exercise} 08
:::
"""

import json
import re
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from tutorial.book.directives.predict import number_asked
from tutorial.exercises.authored import BREAK, IMPOSTOR, REPAIR, WRITE, files, find
from tutorial.exercises.check_part import checks
from tutorial.exercises.checking.check import known
from tutorial.exercises.checking.markdown import heading, markdown

ASKED = re.compile(r"^[`:]{3,}\{exercise\} (\d+)", re.M)
EDIT = {WRITE: "write it", REPAIR: "repair it", BREAK: "break it", IMPOSTOR: "catch them"}  # what the button says


class Practice(nodes.General, nodes.Element):
    """The whole exercise: its number, its title, what the reader does, and the playgrounds that can check it."""


class Exercise(SphinxDirective):
    """:::{exercise} number."""

    required_arguments = 1

    def run(self):
        number = self.arguments[0]
        if number not in files():
            raise self.error(f"there is no exercise {number}; its file would be tutorial/exercises/e{number}_….py")
        found = find(number)
        self.env.note_dependency(found.path)
        made = Practice(
            title=found.title,
            heading=heading(found),
            number=number,
            kind=found.kind,
            recorded=found.recorded,
            needs="numpy" * found.needs_numpy,
        )
        made["ids"].append(f"exercise-{number}")
        self.env.domaindata["std"]["anonlabels"][f"exercise-{number}"] = self.env.docname, made["ids"][0]
        made += self.parse_text_to_nodes(markdown(found))
        if predicted := checks(found).predict:
            program = next(k for k, node in enumerate(made.children) if isinstance(node, nodes.literal_block))
            made.insert(program, number_asked(predicted, number))
        return [made]


def add(app):
    """Let Sphinx read and write exercises."""
    app.connect("env-before-read-docs", check_wrong_answers)
    app.add_directive("exercise", Exercise)
    app.add_node(Practice, html=(begin, end))


def check_wrong_answers(app, env, pages):
    """Check the wrong answers of all exercises on the pages that will be read: once, before Sphinx forks processes that show them."""
    for number in ASKED.findall("\n".join(Path(env.doc2path(page)).read_text(encoding="utf-8") for page in pages)):
        if number in files() and not (found := find(number)).recorded:
            known(found)


def is_checked(node, playground):
    """Return whether the page can check an exercise, in a site with a playground or without. It cannot without the solution."""
    return playground and not node["recorded"]


def begin(self, node):
    checked = is_checked(node, self.config.playground)
    self.body.append(f'<section class="exercise{" repair" * checked}" id="{node["ids"][0]}"><p class="exercise-title">')
    self.body.append(f'<span class="tag">{node["heading"]}</span> {self.encode(node["title"])}</p>\n')
    if checked:
        data = json.dumps({"exercise": node["number"], "edit": EDIT[node["kind"]], "needs": node["needs"]})
        self.body.append(f'<script type="application/json">{data}</script>\n')


def end(self, node):
    if not is_checked(node, self.config.playground):
        init, check = (f"<code>python -m tutorial exercises {what}</code>" for what in ("init DIR", f"check {node['number']}"))
        self.body.append(f'<p class="exercise-check">Write it in your own editor: {init} makes a folder, in which {check} checks it.</p>\n')
    self.body.append("</section>\n")
