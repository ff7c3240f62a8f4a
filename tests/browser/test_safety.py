"""The page never uses the network, and names are always text. (Every test of this folder checks the first.)"""

import re

from tests.browser import pages
from tests.browser.player import until


def test_a_request_to_the_network_is_detected(chromium):
    """Test the check itself: the page's policy forbids the request, which is an error on the console."""
    page = chromium.new_context(offline=True).new_page()
    seen = []
    page.on("console", lambda message: seen.append(message.text))
    page.set_content(pages.page("square").html)
    page.evaluate("document.body.append(Object.assign(new Image(), {src: 'https://example.org/x.png'}))")
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.intruder = 1'}))")
    page.evaluate("fetch('https://example.org/').catch(() => 0)")
    refused = lambda kind: any(kind in text for text in seen if "Content Security Policy" in text)
    until(page, lambda: all(map(refused, ("img-src", "script-src", "connect-src"))))
    assert page.evaluate("window.intruder") is None
    page.context.close()


def test_nothing_in_the_file_points_outside():
    html = re.sub(r"<script\b.*?</script>", "", pages.page("figure1").html, flags=re.DOTALL)
    allowed = {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1998/Math/MathML",
        "http://www.w3.org/1999/xhtml",
        "http://www.w3.org/1999/xlink",
    }
    assert set(re.findall(r"https?://[^\s\"'<>)]+", html)) <= allowed
    assert not re.search(r"(src|href|srcset|action|poster)\s*=\s*[\"']?(?!data:|#)[^\"'\s>]", html)


def test_names_are_only_ever_text(visit, saved):
    """In every step and both renderings no dialog opens, no element or attribute is added, and the page shows the name."""
    for script in (True, False):
        player = visit(saved("hostile"), script=script, alone=True)
        dialogs = []
        player.page.on("dialog", lambda dialog, seen=dialogs: (seen.append(dialog.message), dialog.dismiss()))
        for _ in range(len(pages.trace("hostile")) if script else 1):
            assert player.page.evaluate("document.querySelectorAll('img, [onerror], [onmouseover]').length") == 0
            assert (
                player.page.evaluate(
                    "[...document.scripts].filter(s => s.text.includes('alert(2)') && s.type !== 'application/json').length"
                )
                == 0
            )
            player.press("ArrowRight")
        assert not dialogs
        assert "onerror=alert(1)" in player.page.evaluate("document.body.textContent")


def test_without_scripts_the_picture_is_shown_and_with_scripts_every_id_is_unique(visit, saved, chromium):
    """The policy of a host page applies to the frame too; this differs from a browser without scripts.

    The browser reports each script that the policy stops, so the page is not watched by `visit`.
    """
    page = chromium.new_page()
    page.set_content("<meta http-equiv='Content-Security-Policy' content=\"script-src 'none'\">" + pages.page("figure1")._repr_html_())
    frame = page.frame_locator("iframe")
    assert frame.locator("#picture svg").is_visible() and not frame.locator("#controls").is_visible()
    page.close()
    ids = visit(saved("figure1")).page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(set(ids)) == len(ids)
