"""The numbers in a chapter's sentences, {eval}`x.grad`: computed where they stand, and kept for the chapter's notebook.

The chapter runs once: the notebook has the numbers that the page has.
"""

import ast

KEPT = "evaluated"  # among what Sphinx keeps of a page: {(cells above, expression): text}


def role():
    """Return {eval}`expression`. What it needs is imported here: it takes longer than all else that this module needs."""
    from myst_nb.core.variables import RetrievalError, render_variable_outputs
    from myst_nb.ext.eval import eval_warning, retrieve_eval_data
    from myst_nb.ext.utils import RoleBase

    class Evaluated(RoleBase):
        def run(self):
            try:
                outputs = retrieve_eval_data(self.document, self.text)
            except RetrievalError as wrong:
                return [], [eval_warning(str(wrong), self.document, self.line)]
            for output in outputs:
                output.metadata["strip_text_quotes"] = True
            env = self.document.settings.env
            above = outputs[0].nb_renderer.renderer.nb_client.notebook.cells
            cells = sum(cell.get("execution_count") is not None for cell in above)
            env.metadata[env.docname].setdefault(KEPT, {})[cells, " ".join(self.text.split())] = text_of(outputs[0].data["text/plain"])
            return render_variable_outputs(outputs, self.document, self.line, self.source, inline=True), []

    return Evaluated()


def text_of(shown):
    """Return what a notebook shows of a value as running text: a string without quotes.

    >>> text_of("1/3"), text_of("'a, b'")
    ('1/3', 'a, b')
    """
    return ast.literal_eval(shown) if shown[0] in "'\"" else shown


class Recorded:
    """The numbers of a chapter that has run: it evaluates an expression below as many cells as have been passed to `run`.

    >>> chapter = Recorded({(1, "x"): "3"})
    >>> chapter.run("x = 3")
    >>> chapter.evaluate("x")
    '3'
    """

    def __init__(self, numbers):
        self.numbers, self.cells = numbers, 0

    def run(self, source):
        self.cells += 1

    def evaluate(self, expression):
        return self.numbers[self.cells, expression]


def add(app):
    """Let Sphinx read these numbers. A cell that the page does not show runs as the others do, before the sentence below it."""
    app.add_role("eval", role(), override=True)
    in_place = ":tags: [remove-cell]\n", ":tags: [remove-input, remove-output]\n"  # MyST-NB skips the former until the next cell
    app.connect("source-read", lambda app, page, source: source.__setitem__(0, source[0].replace(*in_place)))
