"""The first use of a public name leads to its page, in the text and in a cell, where a reader sees it."""

import pytest

pytest.importorskip("sphinx")

from docutils import nodes

from tutorial.book.directives.linked_names import address, in_cells, link
from tutorial.book.directives.predict import Prediction


def names(*blocks):
    """Return the (text, address) of each link that a chapter of these blocks gets."""
    page = nodes.container("", *blocks)
    link(page, address("chapters/convolution"))
    return [(found.astext(), found["refuri"]) for found in page.findall(nodes.reference) if found.get("internal")]


def text(*written):
    return nodes.paragraph("", "", *(nodes.literal("", name) for name in written))


def test_the_first_use_of_each_name_in_the_text_is_a_link():
    assert names(text("conv2d", "nn.Conv2d", "Tensor"), text("nn.Conv2d", "conv2d()")) == [
        ("conv2d", "../functions/conv2d.html"),
        ("nn.Conv2d", "../functions/nn-convolution.html#name-nn-conv2d"),
        ("Tensor", "../functions/tool-Tensor.html"),
    ]


def test_other_words_of_code_and_hidden_text_have_no_link():
    heading = nodes.title("", "", nodes.literal("", "nn.Conv2d"))
    folded = nodes.container("", text("nn.Conv2d"), design_component="dropdown")
    in_a_link = nodes.paragraph("", "", nodes.reference("", "", nodes.literal("", "nn.Conv2d"), refuri="a.html"))
    assert names(heading, folded, in_a_link, Prediction("", text("nn.Conv2d"), right=1), text("x.relu", "grad", "torch.nn.Conv2d")) == []


def code(*words):
    return '<span class="o">.</span>'.join(f'<span class="n">{word}</span>' for word in words)


def test_the_first_use_of_a_name_in_a_cell_is_a_link():
    context = {
        "body": f"{code('nn', 'Conv2d')}({code('nn', 'Conv2d')}, {code('x', 'data', 'moons')}, {code('tg', 'relu')}, {code('np', 'exp')})"
    }
    in_cells("chapters/convolution", context)
    link = '<a class="name" href="../functions/nn-convolution.html#name-nn-conv2d">' + code("nn", "Conv2d") + "</a>"
    assert context["body"].startswith(f"{link}({code('nn', 'Conv2d')}, {code('x', 'data', 'moons')}, ")
    assert 'href="../functions/relu.html">' in context["body"] and context["body"].count("<a ") == 2
