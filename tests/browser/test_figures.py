"""The size of the files, the time to open them, and the work of a step."""

import statistics
from itertools import pairwise

import pytest

from tests.browser import pages
from tests.browser.conftest import wait_for_player
from tests.browser.player import thread_time

MOST = {"figure1": 300_000, "two layers": 600_000}  # bytes
DEARER = 20  # times the work in Figure 1, measured in the same minute, so that a busy machine does not matter

WALK = "n => { player.go(n); document.body.offsetHeight; }"  # the script of a step, and the styles and the layout that it asks for


@pytest.mark.parametrize("name", MOST)
def test_the_file_is_small(name, saved):
    assert saved(name).stat().st_size < MOST[name]


def test_no_step_of_a_larger_page_is_much_more_work_than_one_of_figure_1(visit, saved):
    """Every third step of the perceptron with two layers. Only the work of the page's thread is counted, the best of three walks."""

    def walk(player, spent, steps):
        player.page.evaluate(WALK, 1)
        at = [spent()]
        for n in steps:
            player.page.evaluate(WALK, n)
            at.append(spent())
        return [after - before for before, after in pairwise(at)]

    spent = {}
    for name, every in (("figure1", 1), ("two layers", 3)):
        player = visit(saved(name))
        steps = range(2, len(pages.trace(name)) + 1, every)
        clock = thread_time(player.page)
        spent[name] = list(map(min, *[walk(player, clock, steps) for _ in range(3)]))
        assert all(spent[name])
        print(f"{name}: a step takes {statistics.median(spent[name]):.1f} ms, the longest {max(spent[name]):.1f} ms")
    assert max(spent["two layers"]) < DEARER * statistics.median(spent["figure1"])


def test_a_thousand_variables_open_without_much_more_work_than_figure_1(visit, saved):
    """The page's thread works this long from nothing to the second step. Only its work is counted, so a busy machine changes nothing."""
    assert len(pages.trace("thousand").graph.variables) >= 1000

    def work(name):
        player = visit(saved(name))
        spent = thread_time(player.page)
        start = spent()
        player.page.reload()
        wait_for_player(player.page)
        assert player.steps == len(pages.trace(name))
        player.press("ArrowRight")
        assert player.step == 2
        return spent() - start

    small, large = work("figure1"), work("thousand")
    print(f"opened and made one step in {small:.0f} ms of the thread with 7 variables, in {large:.0f} ms with a thousand")
    assert large < DEARER * small
