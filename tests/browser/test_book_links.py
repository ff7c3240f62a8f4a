"""Every link and every anchor of the built site leads somewhere. It needs no browser, but the site, which is built for this folder."""

from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

LARGEST = 100_000  # bytes of the page of a function


class Page(HTMLParser):
    """The links of a page, and the places to which a link can lead."""

    def __init__(self, path):
        super().__init__()
        self.links, self.ids = set(), {""}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.links |= {found[name] for name in ("href", "src") if found.get(name)}
        self.ids |= {found[name] for name in ("id", "name") if found.get(name)}


@pytest.fixture(scope="module")
def pages(site):
    built = [path for path in site.rglob("*.html") if not {"players", "teachers", "_static"} & set(path.relative_to(site).parts)]
    return {path.resolve(): Page(path) for path in built}


def test_links_and_anchors_lead_somewhere(pages):
    lost = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            known = pages.get(target)
            if not target.exists() or (known and not parts.fragment.startswith("svg-") and unquote(parts.fragment) not in known.ids):
                lost.append(f"{path.name}: {link}")
    assert len(pages) > 300 and not lost, lost


def test_pages_of_functions_are_small(site):
    pages = set((site / "functions").glob("*.html")) - {site / "functions" / "index.html"}
    assert max(path.stat().st_size for path in pages) < LARGEST


def test_the_teachers_pages_have_numbers_where_the_chapters_compute_them(site):
    answers, teachers = ((site / name).read_text(encoding="utf-8") for name in ("answers.html", "teachers.html"))
    assert "You followed only the path through" in teachers and "✓ 1.1" not in teachers
    assert teachers.count("The mistake: <em>") == teachers.count("A good answer</summary>") == len(list((site / "chapters").glob("*.html")))
    assert answers.count('<h3><a href="recaps/') == 4
    assert "Factors multiply along a path, and paths add" in answers and "Softmax shares 1 among three cups" in answers
    assert "{eval}" not in answers + teachers and ">3000</span> above their mean" in answers
    for name in ("three-slides", "handout", "handout-solution", "slides-numbers", "slides-matrices", "inventory-form-a", "inventory-key"):
        assert f'href="teachers/{name}.html"' in teachers
        assert (site / "teachers" / f"{name}.html").stat().st_size < 400_000
