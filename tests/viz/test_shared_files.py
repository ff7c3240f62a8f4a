"""A page's style and script may stand in files beside it, and come back: its policy then allows these, and nothing else."""

import re

import pytest

import viz
from scalargrad import Value
from tests.each import each
from tutorial.graphs.matrices import fan_out
from viz.shared_files import apart, together

x = Value(3.0, name="x")


@pytest.fixture(scope="module")
def pages():
    return {make.__name__: make(x * x).html for make in (viz.play, viz.explore, viz.slides)}


@each("name", ["play", "explore", "slides"])
def test_a_page_comes_back_as_it_was(pages, name):
    page = pages[name]
    without, files = apart(page)
    assert len(without) < 0.2 * len(page) and sorted(name.partition(".")[2] for name in files) == ["css", "js"] + ["js"] * (
        name == "slides"
    )
    assert together(without, files.__getitem__) == page


def test_the_policy_allows_the_files_beside_the_page_and_still_the_programs_of_its_graph(pages):
    without, _ = apart(pages["play"])
    (policy,) = re.findall('Content-Security-Policy" content="(.*?)"', without)
    assert re.search(r"default-src 'none'; script-src 'sha256-[^' ]+' 'self'; style-src 'self'; font-src data:;", policy)


def test_graphs_whose_pages_show_the_same_panels_share_both_files(pages):
    assert apart(pages["play"])[1] == apart(viz.play(x + x).html)[1]


def test_all_players_share_their_script(pages):
    """What slides need more is a small file of its own."""
    matrices = fan_out()  # keeps their arrays alive
    plays = [pages["play"], viz.play(matrices["z"]).html, pages["slides"]]
    first, second, of_slides = [{name: len(text) for name, text in apart(page)[1].items() if name.endswith(".js")} for page in plays]
    assert first == second and len(first) == 1 and first.items() < of_slides.items()
    (name,) = of_slides.keys() - first.keys()
    assert of_slides[name] < 10_000


def test_a_page_without_a_script_stays_as_it_is():
    sheet = viz.handout(x * x).html
    assert apart(sheet) == (sheet, {}) and together(sheet, pytest.fail) == sheet
