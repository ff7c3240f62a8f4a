"""Text of static drawings stays in its box with the fonts of this machine, which may be wider than Arial."""

from tests.viz.drawing.test_golden import FOLDER

STICKING = """() => [...document.querySelectorAll('g.node')].flatMap(node => {
    const edges = [...node.querySelectorAll('path, polygon')].map(e => e.getBoundingClientRect());
    const left = Math.min(...edges.map(e => e.left)), right = Math.max(...edges.map(e => e.right));
    return [...node.querySelectorAll('text')].filter(text => text.getBoundingClientRect().left < left - 1 ||
        text.getBoundingClientRect().right > right + 1).map(text => text.textContent);
})"""


def test_no_text_of_a_drawing_sticks_out_of_its_box(visit, tmp_path):
    drawings = [path.read_text(encoding="utf-8").partition("<svg")[2] for path in sorted(FOLDER.glob("*.svg"))]
    file = tmp_path / "drawings.html"
    file.write_text("<!doctype html><html><body>" + "".join(f"<svg{drawing}" for drawing in drawings), encoding="utf-8")
    page = visit(file).page
    assert page.locator("g.node text").count() > 300 and page.evaluate(STICKING) == []
    page.evaluate("document.querySelectorAll('text').forEach(text => text.removeAttribute('textLength'))")
    page.evaluate("document.querySelectorAll('svg').forEach(drawing => drawing.setAttribute('font-family', 'DejaVu Sans Mono, monospace'))")
    assert page.evaluate(STICKING)  # so this test sees it
