"""WebKit opens the pages too, by its own driver: ten checks of what a browser may do in its own way.

    xvfb-run python -m pytest -m browser tests/browser/test_webkit.py

WebKitGTK needs a screen. Without one, or without its driver (Debian's package webkit2gtk-driver), the checks are skipped.
"""

import os
import shutil
from pathlib import Path

import pytest

from tests.viz.graphs import figure1_trace
from viz import explore, slides

DRIVER = shutil.which("WebKitWebDriver")
WINDOW = 1280, 760
WITHIN_A_MINUTE = 60

pytestmark = [
    pytest.mark.skipif(not DRIVER or not os.environ.get("DISPLAY"), reason="WebKitWebDriver and a screen (xvfb-run) are not both here"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:selenium"),  # of how it calls itself
]


@pytest.fixture(scope="module")
def webkit():
    webdriver = pytest.importorskip("selenium.webdriver")
    from selenium.webdriver.webkitgtk.service import Service

    driver = webdriver.WebKitGTK(service=Service(DRIVER))
    driver.set_window_size(*WINDOW)
    driver.set_script_timeout(WITHIN_A_MINUTE)
    yield driver
    driver.quit()


@pytest.fixture
def opened(webkit, saved):
    """opened(name or file, hash="") is the driver with that page, in which no script may fail.

    An element whose id is `ready` stands for it until the page's script has run.
    """

    def opened(page, hash="", ready="player"):
        from selenium.webdriver.support.ui import WebDriverWait

        webkit.get("about:blank")
        webkit.get((saved(page) if isinstance(page, str) else page).as_uri() + hash)
        WebDriverWait(webkit, WITHIN_A_MINUTE).until(
            lambda driver: driver.execute_script(f"return !!window.{ready} && !window.{ready}.nodeType")
        )
        webkit.execute_script("window.wrong = []; addEventListener('error', e => wrong.push(e.message))")
        return webkit

    yield opened
    assert webkit.execute_script("return window.wrong") == []


def press(driver, *keys):
    from selenium.webdriver.common.action_chains import ActionChains

    for key in keys:
        ActionChains(driver).send_keys(key).perform()


def heights(driver, selector):
    visible = f"[...document.querySelectorAll('{selector}')].filter(e => e.checkVisibility())"
    return driver.execute_script(f"return {visible}.map(e => e.getBoundingClientRect().height)")


def test_keys_step_through_the_acts(opened):
    from selenium.webdriver.common.keys import Keys

    page = opened("figure1", "#step=45")
    press(page, Keys.ARROW_RIGHT)
    assert page.execute_script("return [document.body.dataset.act, player.step]") == ["backward", 46]
    press(page, Keys.ARROW_RIGHT)
    assert page.execute_script("return document.body.dataset.act") == "use"


def test_the_graph_the_code_and_the_dictionary_show_a_step(opened):
    page = opened("figure1", "#step=28")
    shown = "return [document.querySelector('#code .now').dataset.line, document.querySelectorAll('#computed .get').length]"
    assert page.execute_script(shown) == ["14", 1]
    assert page.execute_script("return document.querySelector('#graph .current').id") == "node-0"


def test_a_fraction_within_a_line_is_smaller_than_the_line(opened):
    page = opened("figure1", "#step=28")
    size = "e => parseFloat(getComputedStyle(e).fontSize)"
    line, top = page.execute_script(
        f"const m = document.querySelector('#narration mfrac'); return [m, m.firstElementChild].map({size})",
    )
    assert top == pytest.approx(0.71 * line, rel=0.02)


def test_a_word_that_explains_itself_has_a_dotted_line(opened):
    page = opened("figure1", "#step=28")
    line = "const s = getComputedStyle(document.querySelector('button.word')); return [s.textDecorationLine, s.textDecorationStyle]"
    assert page.execute_script(line) == ["underline", "dotted"]


def test_sentences_have_no_stray_lines_beside_them(opened):
    page = opened("figure1", "#step=28")
    assert page.execute_script("return getComputedStyle(document.querySelector('.sentences')).backgroundImage") == "none"


def test_the_chain_rule_stands_in_one_line(opened):
    page = opened("ten children", "#step=66")
    assert max(heights(page, ".rule > math")) < 2.2 * max(heights(page, ".rule > math mfrac"))


def test_no_term_of_a_long_sum_is_cut(opened):
    page = opened("ten children", "#step=66")
    assert page.execute_script("const e = document.querySelector('.rows:not(.behind)'); return e.scrollWidth - e.clientWidth") == 0


def test_the_lines_of_the_algorithm_are_whole(opened):
    """None is broken into two, and the last one is in view."""
    page = opened("figure1", "#step=28")
    lines = heights(page, "#code li")
    assert max(lines) < 1.5 * min(lines)
    assert page.execute_script("const e = document.querySelector('#code'); return e.scrollHeight - e.clientHeight") == 0


def test_slides_turn(opened, tmp_path):
    from selenium.webdriver.common.keys import Keys

    page = opened(Path(slides(figure1_trace()).save(tmp_path / "lesson.html")))
    first = page.execute_script("return document.querySelector('#number').textContent")
    press(page, Keys.ARROW_RIGHT)
    assert page.execute_script("return document.querySelector('#number').textContent") != first


def test_a_graph_is_explored(opened, tmp_path):
    page = opened(Path(explore(figure1_trace().graph.z).save(tmp_path / "graph.html")), ready="explorer")
    assert len(page.execute_script("return [...document.querySelectorAll('#world .box')].map(e => e.textContent)")) == 7
