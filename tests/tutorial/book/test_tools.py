"""Every public name that is not a function of arrays has a page: what it does in each package, and its examples as they run now."""

import scalargrad
import tensorgrad
from scalargrad.options import FUNCTIONS
from tensorgrad.families import PUBLIC
from tests.each import each
from tutorial.book.reference import tools
from tutorial.book.reference.examples import examples, names_for, shown

OBJECTS = [(name, package) for name, having in tools.tools().items() for package in having]
FINDS_ITSELF = {"detect_anomaly"}  # its error names the file of the example


def test_every_public_name_is_a_function_of_arrays_or_has_a_page():
    pages, section = dict(tools.pages()), tools.section()
    for name in {*scalargrad.__all__, *tensorgrad.__all__} - {*PUBLIC, *FUNCTIONS}:
        assert pages[f"functions/tool-{name}.md"].startswith(f"---\norphan: true\n---\n# {name}\n")
        assert f"- [{name}](tool-{name}.md): " in section
    assert len(pages) == len({name.lower() for name in pages})  # as files on any disk


def test_a_name_of_both_packages_has_a_part_for_each_and_a_shared_one_has_one():
    pages = dict(tools.pages())
    grad, no_grad = pages["functions/tool-grad.md"], pages["functions/tool-no_grad.md"]
    numbers, arrays = grad.index("## Of numbers, in `scalargrad`"), grad.index("## Of arrays, in `tensorgrad`")
    assert numbers < grad.index("create_graph=False, unused=None)\n") < arrays < grad.index("retain_graph=None)")
    assert "## " not in no_grad and "It is in `scalargrad` and in `tensorgrad`." in no_grad
    assert "zoom(z, number=float, names=None)" in pages["functions/tool-zoom.md"]


def test_a_class_lists_its_own_methods_and_properties():
    page = dict(tools.pages())["functions/tool-Value.md"]
    assert "- `.backward(upstream=1, create_graph=False)`: Compute dz/dx" in page and "- `.data`: " in page
    assert "`.tanh" not in page and "`.cuda" not in page


@each("name, package", [(name, package) for name, package in OBJECTS if name not in FINDS_ITSELF])
def test_examples_print_what_their_docstrings_say(name, package):
    thing = getattr(package, name)
    session = shown(thing.__doc__, names_for(thing))
    lines = [line for line in session.split("\n") if not line.startswith((">>> ", "... "))]
    expected = "".join(example.want for example in examples(thing.__doc__)).replace("<BLANKLINE>", "").rstrip("\n").split("\n")
    assert lines == expected
