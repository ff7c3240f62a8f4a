"""A question about an earlier chapter: folded in a chapter, open on a page of recaps. A wrong answer leads back, and stays."""

from tests.browser.player import push


def test_a_wrong_answer_on_a_recap_page_has_a_reply_leads_to_its_chapter_and_stays(site, visit):
    page = visit(site / "recaps" / "numbers.html").page
    form = page.locator("form.recall").nth(2)
    assert page.locator("form.recall:visible").count() == 5 and not page.locator(".cover-note, .again:visible, .reply:visible").count()
    form.locator("label input").nth(1).press("Space")
    push(form.locator("button"))
    assert form.locator(".reply.wrong:visible").inner_text().endswith("[M30]") and form.locator(".reply:visible").count() == 1
    assert form.locator(".again a:visible").get_attribute("href") == "../chapters/inductive-chain-rule.html"
    page.reload()
    assert form.locator(".reply.wrong:visible").count() == 1 and page.locator(".again:visible").count() == 1
    form.locator("label input").nth(0).press("Space")
    push(form.locator("button"))
    assert form.locator(".reply.right:visible").count() == 1 and not page.locator(".again:visible").count()


def test_in_a_chapter_it_is_folded_and_nothing_waits_for_it(site, visit):
    page = visit(site / "chapters" / "descent.html").page
    form, covered = page.locator("form.recall"), page.locator(".covered").count()
    assert not form.is_visible()
    page.locator("details.recalls > summary").press("Enter")
    form.locator("label input").nth(1).press("Space")
    form.locator("button").press("Enter")
    assert form.locator(".reply.right:visible").count() == 1 and page.locator(".covered").count() == covered
    assert page.locator("form.predict:not(.number):visible").count() == 1  # the one whose answer is covered
