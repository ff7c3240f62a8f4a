"""The height of all visible texts of a page, in pixels, apart from indices and powers."""

SMALLER = """least => {
    const scale = e => e.closest('svg') && e.getScreenCTM ? Math.hypot(e.getScreenCTM().a, e.getScreenCTM().b) : 1;
    const around = e => e.closest('math') && e.tagName !== 'math' ? [e, ...around(e.parentElement)] : [e];
    const isIndex = e => e.matches('.small, sub, sup')
        || around(e).some(part => part.previousElementSibling && /^msu(b|p|bsup)$/.test(part.parentElement.tagName));
    const found = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
    while (texts.nextNode()) {
        const text = texts.currentNode, e = text.parentElement;
        if (!text.data.trim() || e.closest('script, style') || !e.checkVisibility({visibilityProperty: true}) || isIndex(e)) continue;
        range.selectNode(text);
        const {width, top, bottom} = range.getBoundingClientRect(), size = parseFloat(getComputedStyle(e).fontSize) * scale(e);
        if (width && bottom > 0 && top < innerHeight && size < least - 0.05) found.push(`${text.data.trim()}: ${size.toFixed(1)} px`);
    }
    return found;
}"""


def smaller(page, least):
    """Return the texts in the window that are less high."""
    return page.evaluate(SMALLER, least)
