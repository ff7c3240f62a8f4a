"""WebKit opens the pages too, by its own driver: eleven checks of what a browser may do in its own way, and a class in three engines.

    xvfb-run python -m pytest -m browser tests/browser/test_webkit.py

WebKitGTK needs a screen. Without one, or without its driver (Debian's package webkit2gtk-driver), the checks are skipped.
"""

import base64
import os
import shutil
import socket
from contextlib import suppress
from pathlib import Path

import pytest

from tests.browser.conftest import FIREFOX
from tests.browser.test_class import class_about
from tests.viz.graphs import figure1_trace
from tutorial.book.directives.finished_pages import with_drawings_inside
from viz import draw, explore, slides

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
    page = opened("figure1", "#step=28")  # where a sum is crowded, it takes the place of the rule
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


def test_a_drawing_inside_a_page_is_dark_with_it_and_light_with_it(webkit, tmp_path):
    svg = base64.b64encode(draw(figure1_trace().graph.z, theme="auto").svg.encode()).decode()
    (tmp_path / "page.html").write_text(f'<body><img alt="a graph" src="data:image/svg+xml;base64,{svg}"></body>', encoding="utf-8")
    with_drawings_inside(tmp_path)
    webkit.get((tmp_path / "page.html").as_uri())
    fill = "document.body.dataset.theme = '{}'; return getComputedStyle(document.querySelector('svg.auto polygon')).fill"
    assert [webkit.execute_script(fill.format(theme)) for theme in ("dark", "light")] == ["rgb(24, 30, 39)", "rgb(255, 255, 255)"]


def test_slides_turn(opened, tmp_path):
    from selenium.webdriver.common.keys import Keys

    page = opened(Path(slides(figure1_trace()).save(tmp_path / "lesson.html")))
    first = page.execute_script("return document.querySelector('#number').textContent")
    press(page, Keys.ARROW_RIGHT)
    assert page.execute_script("return document.querySelector('#number').textContent") != first


def test_a_graph_is_explored(opened, tmp_path):
    page = opened(Path(explore(figure1_trace().graph.z).save(tmp_path / "graph.html")), ready="explorer")
    assert len(page.execute_script("return [...document.querySelectorAll('#world .box')].map(e => e.textContent)")) == 7


class Phone:
    """A phone of a class in a browser that Playwright drives."""

    def __init__(self, browser, address, size=(390, 844)):
        self.page = browser.new_context(viewport=dict(zip(("width", "height"), size))).new_page()
        self.page.context.set_default_timeout(60_000)
        self.page.goto(address)

    def sees(self, words):
        self.page.get_by_text(words).first.wait_for()

    def press(self, name):
        self.page.get_by_role("button", name=name).click()

    def choose(self, k):
        self.page.locator("label").nth(k).click()

    def enter(self, code):
        self.page.locator("input").first.fill(code)

    def evaluate(self, expression):
        return self.page.evaluate(expression)

    def leave(self):
        self.page.context.close()


class WebKitPhone:
    """A phone of a class in WebKit."""

    def __init__(self, driver, address):
        self.driver = driver
        driver.get(address)

    def until(self, is_true):
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.driver, WITHIN_A_MINUTE).until(is_true)

    def sees(self, words):
        self.until(lambda driver: words in driver.execute_script("return document.body.innerText"))

    def press(self, name):
        self.until(lambda driver: driver.find_elements("xpath", f"//button[contains(., '{name}')]"))[0].click()

    def choose(self, k):
        self.until(lambda driver: driver.find_elements("css selector", "label"))[k].click()

    def evaluate(self, expression):
        return self.driver.execute_script(f"return {expression}")

    def leave(self):
        self.driver.get("about:blank")


def free_pair():
    """Return a free port below another free one: a class that goes on has the ports of before."""
    while True:
        with socket.create_server(("127.0.0.1", 0)) as first:
            port = first.getsockname()[1]
            with suppress(OSError), socket.create_server(("127.0.0.1", port + 1)):
                return port


STEP = "document.querySelector('iframe')?.contentWindow.location.hash"
WIDER = "document.documentElement.scrollWidth > innerWidth"


def test_six_phones_of_three_engines_walk_every_state_of_a_class(webkit, chromium, request, tmp_path):
    """One teacher. One phone comes late, one answers by hand, one loses its way, and the program ends in between and goes on."""
    others = [request.getfixturevalue("firefox") if FIREFOX else chromium] * 2
    journal, phones = tmp_path / "class.jsonl", []

    def all_see(words, among=None):
        for phone in among or phones:
            phone.sees(words)
            assert not phone.evaluate(WIDER), words

    port = free_pair()
    with class_about("3", journal, port) as served:
        token, code = served.teacher, served.desk.code
        teacher = Phone(chromium, token, (1280, 720))
        phones += [Phone(browser, f"{served.students}#{code}") for browser in (chromium, *others)]
        phones += [Phone(chromium, served.students, (360, 640)), WebKitPhone(webkit, f"{served.students}#{code}")]
        phones[3].enter(f"{code[:3].upper()} {code[3:]}")
        for phone in phones:
            phone.press("Join")
        all_see("You are in.")

        teacher.press("Ask the first question")
        phones.append(Phone(chromium, f"{served.students}#{code}"))  # who comes late
        phones[-1].press("Join")
        all_see("Your prediction")
        for k, phone in enumerate(phones[:-1]):
            phone.choose(k % 3)
        all_see("Your answer is in", phones[:-1])
        teacher.page.keyboard.press("c")
        teacher.sees("of 7 answered")
        for name, said in (("Pause", "Paused"), ("Go on", "Your prediction"), ("Close the vote", "Look at the screen")):
            teacher.press(name)
            all_see(said)
        for name, said in (("Code", "You are in."), ("Back to the question", "Look at the screen"), ("Discuss in pairs", "Find somebody")):
            teacher.press(name)
            all_see(said)
    all_see("connecting …")

    with class_about("3", journal, port) as served:
        all_see("Find somebody")
        all_see("connected")
        teacher.press("Vote again")
        all_see("Second vote")
        for phone in phones:
            phone.choose(1)
        all_see("Your answer is in")
        assert [served.desk.room.counts(0, vote) for vote in (1, 2)] == [[2, 2, 2], [0, 6, 0]]
        for name, said in (("Close the second vote", "Look at the screen"), ("Show the answer", "Right.")):
            teacher.press(name)
            all_see(said)

        def all_at(step, among):
            for phone in among:
                while phone.evaluate(STEP) != step:
                    teacher.page.wait_for_timeout(20)

        teacher.press("Follow me")
        all_see("I am lost here")
        all_at("#step=1", (teacher, *phones))
        teacher.page.frame_locator("iframe").locator("body").press("ArrowRight")
        all_at("#step=2", (teacher, *phones))
        phones[4].press("I am lost here")
        all_see("marked: lost here", [phones[4]])
        assert served.desk.room.lost_at() == {"#step=2": 1}
        teacher.press("Release the players")
        phones[0].page.locator("#veil").wait_for(state="hidden")
        phones[0].page.frame_locator("iframe").locator("#next").click()
        all_see("Back to the teacher", [phones[0]])
        teacher.press("Everybody follows me")
        all_at("#step=2", phones)

        teacher.press("Lock")
        stranger = Phone(chromium, f"{served.students}#{code}")
        stranger.press("Join")
        stranger.sees("The class is locked. Ask your teacher to unlock it.")
        teacher.press("End")
        all_see("Thank you.")
        for phone in (teacher, stranger, *phones):
            phone.leave()
