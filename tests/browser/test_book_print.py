"""A chapter on paper: its text, all answers, and a sentence in place of each player."""

from io import BytesIO

import pytest


def test_a_printed_chapter_has_its_results_its_answers_and_no_player(site, visit):
    pypdf = pytest.importorskip("pypdf")
    page = visit(site / "chapters" / "inductive-chain-rule.html").page
    hidden = page.locator("article details.sd-dropdown:not([open])").count()
    pages = pypdf.PdfReader(BytesIO(page.pdf(format="A4"))).pages
    text = " ".join(" ".join(sheet.extract_text().split()) for sheet in pages)
    assert hidden and 3 <= len(pages) <= 27
    for said in (
        "The inductive chain rule",
        "All the ways from the child to",
        "You followed only the path through",
        "Here the site has a player",
    ):
        assert said in text
    for control in ("This is my prediction", "This is my answer", "Forget my progress", "The result appears when you have predicted it"):
        assert control not in text


def test_no_line_of_a_program_leaves_the_paper(site, visit):
    page = visit(site / "chapters" / "memory.html", media="print").page
    page.set_viewport_size({"width": 700, "height": 1000})  # A4, less its margins
    wider = "lines => lines.filter(line => line.scrollWidth > line.clientWidth + 1).map(line => line.innerText)"
    assert page.locator("article pre").evaluate_all(wider) == []
