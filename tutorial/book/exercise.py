"""An exercise in a chapter: a program to repair. The answer is folded below it. Where the site has a playground, the page checks it.

:::{exercise} 08
:::
"""

import json

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from tutorial.exercises.authored import exercises
from tutorial.exercises.checks import checks
from tutorial.exercises.markdown import TAGS, markdown


class Repair(nodes.General, nodes.Element):
    """The whole exercise: its title, and what makes an engine of the learner's program."""


class Exercise(SphinxDirective):
    """:::{exercise} number."""

    required_arguments = 1

    def run(self):
        found = {exercise.number: exercise for exercise in exercises()}.get(self.arguments[0])
        if found is None:
            raise self.error(f"there is no exercise {self.arguments[0]}; its file would be tutorial/exercises/e{self.arguments[0]}_….py")
        self.env.note_dependency(found.path)
        made = Repair(title=found.title, frame=found.frame, tag=TAGS[found.kind], engine=checks(found).probes is None)
        made += self.parse_text_to_nodes(markdown(found))
        return [made]


def add(app):
    """Let Sphinx read and write exercises."""
    app.add_directive("exercise", Exercise)
    app.add_node(Repair, html=(begin, end))


def begin(self, node):
    checked = " repair" if self.config.playground and node["engine"] else ""
    self.body.append(f'<section class="exercise{checked}"><p class="exercise-title"><span class="tag">{node["tag"]}</span> ')
    self.body.append(f"{self.encode(node['title'])}</p>\n")
    if checked:
        data = json.dumps({"frame": node["frame"]}).replace("<", "\\u003c")
        self.body.append(f'<script type="application/json">{data}</script>\n')


def end(self, node):
    self.body.append("</section>\n")
