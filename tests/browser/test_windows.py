"""Tests open pages in the windows of tests before them, and find no trace of these."""

import pytest

from tests.browser.conftest import DESKTOP, MEDIA, Window, wait_for_player
from tests.browser.player import Player, chromium_only

pytestmark = pytest.mark.every_browser

PHONE = {"width": 390, "height": 844}
SIZE = "[innerWidth, innerHeight]"
DARK = "matchMedia('(prefers-color-scheme: dark)').matches"
EXPLAINED = "[...document.querySelectorAll('#explain, #meaning')].filter(e => e.checkVisibility()).length"


@pytest.fixture
def window(browser):
    """A window that another test may use."""
    window = Window(browser, True, "", viewport=DESKTOP)
    yield window
    window.context.close()


def opened(window, path, hash="", viewport=DESKTOP, **media):
    window.open(path.as_uri() + hash, viewport, **MEDIA | media)
    wait_for_player(window.page)
    return Player(window.page)


def test_a_page_is_opened_anew_at_its_own_size_and_step(window, saved):
    player = opened(window, saved("figure1"), "#step=28")
    language = player.text("#lang")
    player.press("c", "t", "q")
    assert player.text("#lang") != language
    player = opened(window, saved("figure1"), "#step=29")
    assert player.step == 29 and player.text("#lang") == language
    assert not player.pressed("predict") and player.page.locator("body").get_attribute("data-theme") == "auto"
    player.resize(700, 900)
    assert opened(window, saved("figure1"), "#step=29", PHONE).page.evaluate(SIZE) == [390, 844]
    assert opened(window, saved("figure1")).page.evaluate(SIZE) == [1280, 720] and player.step == 1


def test_colours_are_those_that_the_test_asks_for(window, saved):
    chromium_only(window.page, "is not told of colours by its driver")
    assert opened(window, saved("square"), color_scheme="dark").page.evaluate(DARK)
    window.page.emulate_media(media="print")
    player = opened(window, saved("square"))
    assert not player.page.evaluate(DARK) and player.visible("#next")


def test_what_a_test_leaves_is_gone_and_a_window_that_has_kept_something_is_not_used_again(window, saved):
    page = opened(window, saved("figure1"), "#step=29").page
    page.locator(".word[data-word=child]").hover()
    page.context.new_page()
    page.evaluate("console.error('wrong')")
    assert page.evaluate(EXPLAINED) == 1
    assert window.is_as_new() and window.context.pages == [page] and not page.locator(".word:hover").count()
    assert window.heard() == ["error on the console: wrong"] and window.heard() == []
    page.evaluate("localStorage.setItem('kept', 1)")
    assert not window.is_as_new()
