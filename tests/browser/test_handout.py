"""The handout on a phone and on paper: nothing is cut off, the blanks have room to write, the solution has its own pages."""

from io import BytesIO

import pytest

from tests.browser import pages
from tests.viz.graphs import figure1_trace
from viz import handout

pypdf = pytest.importorskip("pypdf", reason="the browser tests need pypdf: pip install -e '.[test]'")

TRACES = {"figure1": figure1_trace, "matrices": pages.matrices, "two layers": pages.two_layers}
MILLIMETRE = 96 / 25.4  # CSS pixels
CUT = """() => [...document.querySelectorAll('p, ol, li, svg, math')].filter(e =>
    e.getBoundingClientRect().right > innerWidth + 1 || (!e.closest('svg, math') && e.scrollWidth > e.clientWidth + 1)).length"""
BLANKS = (
    "() => [...document.querySelectorAll('.blank, mtable.grid')].map(e => e.getBoundingClientRect()).map(box => [box.width, box.height])"
)


@pytest.fixture
def sheet(made):
    return lambda name: made(f"handout {name}", lambda: handout(TRACES[name]()))


def _saved(made, path):
    made.save(path)
    return path


@pytest.mark.parametrize("name", TRACES)
def test_nothing_is_cut_off_on_a_phone(visit, sheet, picture, name):
    player = visit(sheet(name), viewport={"width": 390, "height": 844})
    picture(player, f"handout-{name}-390".replace(" ", "-"))
    assert player.page.evaluate("document.documentElement.scrollWidth") == 390
    assert player.page.evaluate(CUT) == 0


@pytest.mark.parametrize("name, paper, width", [("figure1", "A4", 180), ("matrices", "Letter", 186)])
def test_on_paper_the_blanks_have_room_to_write_and_the_solution_has_its_own_pages(visit, sheet, picture, name, paper, width):
    player = visit(sheet(name), viewport={"width": round(width * MILLIMETRE), "height": 900})
    player.page.emulate_media(media="print")
    picture(player, f"handout-{name}-{paper}", full_page=True)
    assert player.page.evaluate(CUT) == 0
    blanks = player.page.evaluate(BLANKS)
    assert len(blanks) >= 4  # two grids of four entries, and a line for the calculation of each
    assert min(width for width, _ in blanks) >= 12 * MILLIMETRE
    grids = [height for _, height in blanks if height > 30]
    assert not grids or min(grids) >= 2 * 6 * MILLIMETRE  # two rows
    printed = [page.extract_text() for page in pypdf.PdfReader(BytesIO(player.page.pdf(format=paper))).pages]
    first = next(k for k, text in enumerate(printed) if "solution" in text)
    assert printed[first].strip().startswith("Backpropagation by hand: solution")
    assert 0 < first <= 2 and len(printed) <= 2 * 2 and len("".join(printed[:first]).split()) > 100


def test_a_sheet_with_twelve_blanks_is_one_page_of_a4_for_each_learner(visit, tmp_path):
    player = visit(_saved(handout(figure1_trace(), seed=range(1, 4)), tmp_path / "class.html"))
    printed = [page.extract_text() for page in pypdf.PdfReader(BytesIO(player.page.pdf(format="A4"))).pages]
    titles = [f"variant {k}{solution}" for solution in ("", ": solution") for k in (1, 2, 3)]
    assert [text.split("\n")[0].strip() for text in printed] == [f"Backpropagation by hand, {title}" for title in titles]
