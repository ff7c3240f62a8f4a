"""What axe-core finds in an open page: the serious violations of accessibility."""

from importlib.resources import files

import pytest

SERIOUS = ("serious", "critical")
# `region` looks at all elements for a third of the time, and what it finds is moderate.
OPTIONS = {"preload": False, "resultTypes": ["violations"], "rules": {"region": {"enabled": False}}}
RUN = """async ([exclude, options]) => {
    const { violations } = await axe.run(exclude.length ? { exclude } : document, options);
    return violations.map(({ id, impact, nodes }) => ({ id, impact, nodes }));
}"""


def serious_violations(page, exclude=()):
    """Return the rule, the elements and what is wrong with them, but for elements within those that are excluded."""
    pytest.importorskip("axe_playwright_python", reason="needs axe-playwright-python: pip install -e '.[test]'")
    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    within = [[selector] for selector in exclude]
    found = page.evaluate(RUN, [within, OPTIONS])
    return [(v["id"], node["target"], node["failureSummary"]) for v in found if v["impact"] in SERIOUS for node in v["nodes"]]
