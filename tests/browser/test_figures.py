"""The size of the files, the time to open them, and the work of a step."""

import statistics
import time

import pytest

from tests.browser import pages

MOST = {"figure1": 300_000, "two layers": 600_000}  # bytes
DEARER = 20  # times the work in Figure 1, measured in the same minute, so that a busy machine does not matter

WALK = """every => {
    const spent = [];
    player.go(1);
    document.body.offsetHeight;
    for (let n = 2; n <= player.steps; n += every) {
        const start = performance.now();
        player.go(n);
        document.body.offsetHeight;
        spent.push(performance.now() - start);
    }
    return spent}"""


@pytest.mark.parametrize("name", MOST)
def test_the_file_is_small(name, saved):
    assert saved(name).stat().st_size < MOST[name]


def test_no_step_of_a_larger_page_is_much_more_work_than_one_of_figure_1(visit, saved):
    """Every third step of the perceptron with two layers: its script, and the styles and the layout that it asks for.

    All steps three times over, the best of each: the machine may be busy with something else.
    """
    spent = {}
    for name, every in (("figure1", 1), ("two layers", 3)):
        player = visit(saved(name))
        spent[name] = list(map(min, *[player.page.evaluate(WALK, every) for _ in range(3)]))
        assert len(spent[name]) == (len(pages.trace(name)) - 2) // every + 1 and all(spent[name])
        print(f"{name}: a step takes {statistics.median(spent[name]):.1f} ms, the longest {max(spent[name]):.1f} ms")
    assert max(spent["two layers"]) < DEARER * statistics.median(spent["figure1"])


def test_a_thousand_variables_open_without_much_more_work_than_figure_1(visit, saved):
    """From nothing to the second step, in the best of two tries: the machine may be busy with something else."""
    assert len(pages.trace("thousand").graph.variables) >= 1000

    def seconds(name):
        start = time.perf_counter()
        player = visit(saved(name))
        assert player.steps == len(pages.trace(name))
        player.press("ArrowRight")
        assert player.step == 2
        return time.perf_counter() - start

    seconds("figure1"), seconds("thousand")  # the files are made and the browser is warm
    small, large = (min(seconds(name) for _ in range(2)) for name in ("figure1", "thousand"))
    print(f"opened and made one step in {small:.2f} s with 7 variables, in {large:.2f} s with a thousand")
    assert large < DEARER * small
