"""What a cell prints is one text on the page, whatever pieces it came in."""

from docutils import nodes

from tutorial.book.directives.printed import merge


def test_a_bar_of_progress_is_one_line_of_the_page():
    pieces = ["start\n\r10 %", "\r100 %\n", "done"]
    cell = nodes.container(
        "", *(nodes.literal_block(text, text, classes=["output", "stream"]) for text in pieces), nb_element="cell_code_output"
    )
    merge(nodes.container("", cell))
    assert [block.astext() for block in cell.children] == ["start\n100 %\ndone"]
