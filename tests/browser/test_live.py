"""Live cells of the book in a browser: the reader changes and runs the programs of a chapter in the playground's Python beside it."""

import functools
import http.server
import json
import threading
import zipfile
from hashlib import sha256
from io import BytesIO

import pytest

from tests.browser.player import push, until_true
from tests.each import swept
from tutorial.reading.chapter import BOOK

LIVE = [path.stem for path in sorted((BOOK / "chapters").glob("*.md")) if "\nnumbers: true\n" in path.read_text(encoding="utf-8")[:200]]
LIVE += ["../functions/hypot"]  # and one function of numbers, whose example is a cell
# An arm that never comes to rest shows the last digit of a cosine, which is another in the page; an error names its cell.
DIFFER = "exhibits = overwriting", "from scalargrad import AnomalyError"
START = """async () => {
  live.start(live.cells.find(cell => cell.element));
  await live.python.ready;
}"""
FORGET = """() => new Promise(done => {
  const ended = ({ text, error }) => done(text ?? error?.text);
  live.python.heard = { ended, failed: ended, died: ended };
  const text = "import importlib, tutorial.playground.cells\\nimportlib.reload(tutorial.playground.cells)";
  live.python.run({ kind: "run", text });
})"""
RUN_ALL = """async () => {
  const shown = nodes => {
    const box = document.createElement("div");
    box.append(...nodes.map(node => node.cloneNode(true)));
    const text = [...box.querySelectorAll("pre")].map(pre => pre.textContent).join("");
    return { text, pictures: box.querySelectorAll("iframe, img, svg[role=img]").length };
  };
  const found = [];
  live.python = opener.live.python; // one for all chapters
  live.python.heard = live.heard;
  for (const cell of live.cells.filter(cell => cell.element)) {
    await cell.open(false);
    await live.run(cell);
    found.push([cell.source, shown(cell.recorded), shown([...cell.output.childNodes])]);
  }
  return found;
}"""


@pytest.fixture(scope="module", autouse=True)
def has_playground(site):
    if not (site / "playground" / "index.html").exists():
        pytest.skip("the parts of the playground cannot be had here")


@pytest.fixture
def server(site):
    """The address of a server of the book."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server that writes no log."""

    def log_message(self, format, *args):
        pass


@pytest.fixture
def python(visit, server):
    """A page of the book in which Python has started, for the chapters that it opens."""
    page = visit(f"/chapters/{LIVE[0]}.html", server=server).page
    page.evaluate(START)
    with_one_python(page)
    return page


@swept("chapter", LIVE, every=3, mark=pytest.mark.slow)
def test_every_cell_gives_what_the_book_has_recorded(python, chapter):
    assert not python.evaluate(FORGET)
    with python.expect_popup() as opened:
        python.evaluate("name => { open(`${name}.html`); }", chapter)
    page = opened.value
    page.wait_for_load_state()
    ran = page.evaluate(RUN_ALL)
    assert ran
    for source, recorded, lives in ran:
        assert lives == recorded or source.startswith(DIFFER), source
    page.close()


def cell_of(page, k):
    return page.locator(".cell:has(> .live-bar)").nth(k)


def typed(page, k, text):
    """Open the editor of a cell if it is closed, and type a text into it."""
    cell = cell_of(page, k)
    if (edit := cell.get_by_role("button", name="edit and run")).is_visible():
        push(edit)
    cell.locator(".live-editor").wait_for()
    cell.locator(".CodeMirror").evaluate("({ CodeMirror }, text) => (CodeMirror.setValue(text), CodeMirror.focus())", text)
    return cell


def with_one_python(page, name="live"):
    """Keep the page from warming another Python, which only a stop would use: it takes as long as the first one."""
    page.evaluate(f"{name}.python.spare ??= {{ end() {{}} }}")


def says(cell, text):
    cell.locator(".live-state", has_text=text).wait_for()


def result(cell):
    return cell.locator(".cell_output").inner_text()


@pytest.mark.every_browser
def test_a_reader_changes_runs_stops_and_resets_cells_and_finds_the_text_again(site, visit, picture):
    file = site / "chapters" / "variables-functions-graphs.html"
    page = visit(file, viewport={"width": 390, "height": 844}).page
    second, recorded = cell_of(page, 1), cell_of(page, 0).locator(".cell_output").inner_text()
    push(second.get_by_role("button", name="edit and run"))
    second.locator(".CodeMirror").evaluate("({ CodeMirror }) => CodeMirror.focus()")
    page.keyboard.press("Control+Enter")  # the cell before it has not run
    says(second, "ran in")
    second.locator(".cell_output svg[aria-label=drawing]").wait_for()
    first = typed(page, 0, cell_of(page, 0).locator("pre").first.inner_text() + "\nprint('mine')\nviz.play(z)")
    push(first.get_by_role("button", name="run"))
    says(first, "ran in")
    assert "NameError" not in result(first) and first.frame_locator("iframe").locator("#step").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    typed(page, 0, "x = 1\n\ny = x / 0")
    page.keyboard.press("Control+Enter")
    first.locator(".output.error", has_text='File "cell 1", line 3').wait_for()
    assert page.evaluate("live.cells.find(cell => cell.element).editor.lineInfo(2).bgClass") == "wrong-line"
    typed(page, 1, "while True: pass")
    push(second.get_by_role("button", name="run"))
    says(second, "The program runs")
    push(second.get_by_role("button", name="stop"))
    assert "stopped" in result(second)
    typed(page, 1, "print('again')")
    says(second, "Python is ready")
    push(second.get_by_role("button", name="run"))
    says(second, "Cell 1 raised an error, so this one did not run")
    push(second.get_by_role("button", name="run"))
    says(second, "ran in")
    assert result(second).strip() == "again"
    page.reload()
    says(cell_of(page, 1), "This is your text. The result is the book's until you run it.")
    assert "print('again')" in cell_of(page, 1).locator(".live-editor").inner_text()
    push(cell_of(page, 0).get_by_role("button", name="reset"))
    assert cell_of(page, 0).locator(".cell_output").inner_text() == recorded
    with page.expect_popup() as opened:
        push(cell_of(page, 1).get_by_role("link", name="open in playground"))
    opened.value.locator(".CodeMirror-line", has_text="print('again')").wait_for()
    program = opened.value.evaluate("playground.editor.getValue()")
    assert program.startswith('# From "Variables, functions, graphs"') and "h = a + b" in program


def test_results_below_a_changed_cell_are_marked_and_run_on_request(site, visit):
    page = visit(site / "chapters" / "nudge-and-slope.html").page
    cells, stale = page.locator(".cell:has(> .live-bar)"), page.locator(".cell.stale")
    changed = typed(page, 0, "def miss(angle):\n    return 5 * angle\n\nmiss(2)")
    with_one_python(page)
    assert changed.locator(".stale-note").inner_text().strip() == "This result is older than this program."
    count = stale.count()
    assert count == cells.count()  # all later ones use it, as far as the page knows
    push(changed.get_by_role("button", name="▶ run"))
    says(changed, "ran in")
    says(changed, f"older results below: {count - 1}")
    second = cells.nth(1)
    assert second.locator(".stale-note").text_content() == "This result is older than a program above it. run it again"
    before = second.locator(".cell_output").inner_text()
    push(changed.get_by_role("button", name="update the results below"))
    until_true(page, "!document.querySelector('.cell.stale')")
    assert second.locator(".cell_output").inner_text() != before
    assert page.locator(".live-bar .live-state:visible", has_text="older results below").count() == 0
    push(changed.get_by_role("button", name="reset"))
    assert stale.count() == count - 1


def test_a_cell_after_a_question_is_run_when_the_reader_has_predicted(site, visit):
    page = visit(site / "chapters" / "inductive-chain-rule.html").page
    locked = page.locator(".cell.locked.live").first
    assert not locked.get_by_role("button", name="edit and run").is_visible()
    page.locator("form.predict label input").first.press("Space")
    push(page.locator("form.predict button").first)
    cell = page.locator(".cell.live").first
    push(cell.get_by_role("button", name="edit and run"))
    page.evaluate("document.addEventListener('done', event => { document.body.dataset.told = JSON.stringify(event.detail); })")
    cell.locator(".CodeMirror").wait_for()
    with_one_python(page)
    push(cell.get_by_role("button", name="run"))  # after hidden cells
    says(cell, "ran in")
    assert json.loads(page.locator("body").get_attribute("data-told")) == {"kind": "run", "number": 0}


def test_chapters_and_playground_work_from_a_server_too_and_two_at_once(server, visit):
    chapter = visit("/chapters/descent.html", server=server).page
    playground = chapter.context.new_page()
    playground.goto(f"{server}/index.html")
    push(playground.get_by_role("link", name="Playground"))
    playground.wait_for_url("**/playground/*")
    with_one_python(playground, "playground")
    cell = typed(chapter, 0, "print(6 * 7)")
    with_one_python(chapter)
    push(cell.get_by_role("button", name="run"))
    playground.locator("#checked", has_text="all 21 derivatives agree").wait_for()
    says(cell, "ran in")
    assert result(cell).strip() == "42"


def test_an_example_with_arrays_on_the_page_of_a_function_runs_when_the_reader_has_let_numpy_be_fetched(visit, server):
    """A wheel of this test stands in for the real one: no package index gives it, so what tensorgrad computes is not seen here."""
    page = visit("/functions/softmax.html", server=server).page
    content, fetched = BytesIO(), []
    with zipfile.ZipFile(content, "w") as wheel:
        wheel.writestr("numpy/__init__.py", "__version__ = 'stand-in'")
        wheel.writestr("numpy-2.dist-info/METADATA", "Metadata-Version: 2.1\nName: numpy\nVersion: 2\n")
        wheel.writestr("numpy-2.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
        wheel.writestr("numpy-2.dist-info/RECORD", "")
    here = f"{server}/numpy.whl"
    page.route(here, lambda route: (fetched.append(here), route.fulfill(body=content.getvalue())))
    offers = "async offer => { Object.assign(await live.python.numpyOffered(), offer); }"
    cell = typed(page, 0, "import numpy\nprint(numpy.__version__)")
    with_one_python(page)
    push(cell.get_by_role("button", name="▶ run"))
    asks = cell.locator(".live-asked")
    asks.locator("button", has_text="fetch NumPy from cdn.jsdelivr.net").wait_for()
    assert asks.inner_text().startswith("This program needs NumPy, which is not beside this book.") and not fetched
    assert not cell.locator(".live-state:visible").count()  # nothing of the start
    push(cell.get_by_role("button", name="reset"))
    assert not asks.inner_text()
    typed(page, 0, "import numpy\nprint(numpy.__version__)")
    push(cell.get_by_role("button", name="▶ run"))
    page.evaluate(offers, {"address": here})
    push(asks.locator("button"))
    cell.locator(".live-asked", has_text="its digest differs. Nothing was kept.").wait_for()
    page.evaluate(offers, {"sha256": sha256(content.getvalue()).hexdigest()})
    push(asks.locator("button"))
    says(cell, "ran in")
    assert result(cell).strip() == "stand-in" and len(fetched) == 2
