"""What a cell prints is one text, as a terminal shows it, however many pieces the kernel sent it in.

A kernel sends what has been printed at every flush, and some time after it began to wait. MyST-NB's own merge begins a new line
between two pieces, and cuts the spaces at their ends.
"""

from itertools import groupby

from docutils import nodes

from tutorial.text.encodable import overprinted

LEXER = "myst-ansi"  # of what cells print
AS_PRINTED = {LEXER: {"stripnl": False}}  # or else Pygments cuts empty lines at the ends


def add(app):
    """Let Sphinx merge the pieces when it has read a page."""
    app.connect("doctree-read", lambda app, page: merge(page))


def merge(page):
    """Make one block of the blocks of text that follow each other in a cell's output. A picture between two texts stays between them."""
    for cell in page.findall(lambda node: isinstance(node, nodes.container) and node.get("nb_element") == "cell_code_output"):
        kept = []
        for printed, blocks in groupby(cell.children, is_printed):
            them = list(blocks)
            kept += map(merged, in_order(them)) if printed else them
        cell.children = kept


def is_printed(node):
    return isinstance(node, nodes.literal_block) and bool({"stream", "stderr"} & set(node["classes"]))


def in_order(blocks):
    """Return lists of the blocks of each stream, standard output first: the two arrive in an order of their own."""
    errors = [block for block in blocks if "stderr" in block["classes"]]
    return [them for them in ([block for block in blocks if block not in errors], errors) if them]


def merged(blocks):
    """Return the first block with the text of all."""
    first, text = blocks[0], overprinted("".join(block.astext() for block in blocks))
    first.rawsource, first.children = text, [nodes.Text(text)]
    first.setup_child(first.children[0])
    return first
