"""What axe-core finds in an open page: the serious violations of accessibility."""

from importlib.resources import files

import pytest

SERIOUS = ("serious", "critical")
# `region` looks at all elements for a third of the time, and what it finds is moderate.
OPTIONS = {"preload": False, "resultTypes": ["violations"], "rules": {"region": {"enabled": False}}}
# The theme changes colours alone, so in the dark only what depends on them is looked at.
DARK = OPTIONS | {"runOnly": ["color-contrast"]}
# The first three of all elements of one look: a page has thousands of texts in a few looks, and contrasts take most of the time. Looks
# that are known are passed over; the others are returned.
MARK_LOOKS = """([exclude, ofOtherPages]) => {
    for (const marked of document.querySelectorAll("[data-look]")) marked.removeAttribute("data-look");  // in another theme or step
    const others = new Set(ofOtherPages), seen = new Map(), known = new Map();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const behind = element => {
        if (!element) return "";
        if (!known.has(element)) {
            const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
            const own = [backgroundColor, backgroundImage, opacity].join(" "), isPlain = own === "rgba(0, 0, 0, 0) none 1";
            known.set(element, behind(element.parentElement) + (isPlain ? "" : own));
        }
        return known.get(element);
    };
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        const { width, height } = element.getBoundingClientRect(), isShown = element.checkVisibility() && width > 1 && height > 1;
        const passedOver = ["[hidden]", "[aria-hidden=true]", ":disabled", "[aria-disabled=true]", ...exclude.flat()].join();
        if (!walker.currentNode.data.trim() || !isShown || element.closest(passedOver)) continue;
        const { color, fontSize, fontWeight } = getComputedStyle(element);
        const isLarge = parseFloat(fontSize) >= (fontWeight < 700 ? 24 : 18.66);  // such text may have less contrast
        const look = [color, isLarge, behind(element)].join(" ");
        if (others.has(look)) continue;
        seen.set(look, (seen.get(look) ?? 0) + 1);
        if (seen.get(look) <= 3) element.dataset.look = "";
    }
    return [...seen.keys()];
}"""
known = set()  # looks of other pages whose contrasts were found strong enough: chapters share a style, and pages a script
RUN = """async ([exclude, options, dark]) => {
    axe.configure({ rules: [{ id: "color-contrast", selector: "[data-look]" }] });
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    const { violations } = await axe.run({ exclude }, isDark ? dark : options);
    return violations.map(({ id, impact, nodes }) => ({ id, impact, nodes }));
}"""


def serious_violations(page, exclude=()):
    """Return the rule, the elements and what is wrong with them, but for elements within those that are excluded.

    Contrasts are looked at of three elements of each look, on the first page of this run that has it: they have the colour and backgrounds
    of the others, and are large or not, as they are. Where the reader prefers the dark theme, only contrasts are looked at.
    """
    pytest.importorskip("axe_playwright_python", reason="needs axe-playwright-python: pip install -e '.[test]'")
    if not page.evaluate("'axe' in window"):
        page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    within = [[selector] for selector in exclude]
    marked = page.evaluate(MARK_LOOKS, [within, [*known]])
    found = page.evaluate(RUN, [within, OPTIONS, DARK])
    if not any(v["id"] == "color-contrast" for v in found):
        known.update(marked)
    return [(v["id"], node["target"], node["failureSummary"]) for v in found if v["impact"] in SERIOUS for node in v["nodes"]]
