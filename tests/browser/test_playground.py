"""The playground in a browser, from a file, without a network: programs run, errors are shown, nothing that was typed is lost.

Python takes some seconds to start, so the tests share one page and leave it ready.
"""

import hashlib
import http.server
import threading
import zipfile

import pytest

from tests.browser.conftest import DESKTOP, HARMLESS
from tutorial.playground import build
from tutorial.playground.build import playground, playground_files
from tutorial.playground.numpy_wheel import offer
from tutorial.playground.parts import NoParts, fetched

PATIENCE = 1200  # times 100 milliseconds: a busy machine starts Python slowly
STARTED = "playground.state === 'ready' && !playground.running"
CHAIN = "from scalargrad import Value\nx = Value(1.0)\nfor _ in range(%d): x = x * 1.0001\nx.data > 1"

RECURSIVE = {  # the first calls itself through Python alone, the others through functions in C
    "function": "def f(): return f()\nf()",
    "repr": "class A:\n    def __repr__(self): return repr(self)\nA()",
    "sorted": "def f(x): return sorted([x, x], key=f)\nf(1)",
    "getattr": "class A:\n    def __getattr__(self, name): return getattr(self, name + 'x')\nA().y",
    "cache": "from functools import cache\n@cache\ndef f(n): return f(n + 1)\nf(0)",
    "equal": "class A:\n    def __eq__(self, other): return [self] == [other]\nA() == A()",
    "print": "class A:\n    def __str__(self): return ''.join(map(str, [self]))\nprint(A())",
    "caught": "def f(): return max([1], key=lambda _: f())\ntry: f()\nexcept RecursionError as wrong: print(repr(wrong))",
}


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("playground") / "play.html"
    try:
        path.write_text(playground(), encoding="utf-8")
    except NoParts as missing:
        pytest.skip(str(missing))
    return path


class Playground:
    """A page with the playground. It warms another Python only for a test that stops one: that takes as long as the first one."""

    def __init__(self, context, address, stops=False):
        self.complaints, self.page = [], context.new_page()
        self.page.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))
        self.page.on("console", lambda m: self.complaints.append(m.text) if m.type in ("error", "warning") else None)
        self.page.on("request", lambda r: self.complaints.append(r.url) if not r.url.startswith(HARMLESS) else None)
        self.page.goto(address)
        if not stops:
            self.page.evaluate("playground.python.spare ??= { end() {} }")
        self.until(STARTED)

    def until(self, condition):
        for _ in range(PATIENCE):
            if self.page.evaluate(condition):
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(f"it never came to {condition}: {self.text('#state')} {self.text('#output')}")

    def text(self, selector):
        return self.page.inner_text(selector)

    def type(self, program):
        self.page.evaluate("text => playground.editor.setValue(text)", program)

    def run(self, program):
        """Run a program to its end and return what stands in its output."""
        self.type(program)
        self.page.click("#run")
        self.until(STARTED)
        return self.text("#output")

    def cell(self, program):
        """Run a program as a cell of a chapter, and return what the page's Python sends at its end."""
        return self.page.evaluate(
            """text => new Promise((ended, died) => {
              const { python } = playground, { heard } = python;
              const after = done => message => { python.heard = heard; done(message); };
              python.heard = { ended: after(ended), died: after(died), failed: after(died) };
              python.run({ kind: "cell", text, name: "cell 1", shows: true });
            })""",
            program,
        )


@pytest.fixture(scope="module")
def opened(chromium, file):
    context = chromium.new_context(viewport=DESKTOP, offline=True, reduced_motion="reduce")
    yield Playground(context, file.as_uri(), stops=True)
    context.close()


@pytest.fixture
def here(opened):
    yield opened
    assert not opened.complaints, "\n".join(opened.complaints)


def test_the_file_has_less_than_10_mb(file):
    assert file.stat().st_size < 10e6


def test_it_opens_with_figure_1_run_checked_and_played(here, picture):
    here.until("playground.shown === 'z'")
    assert here.text("#output") == "dz/dx1 = 9\ndz/dx4 = 11\nValue(34, grad=1, name='z')\n"
    assert here.text("#checked") == "all 21 derivatives agree, and so do the gradients in .grad"
    player = here.page.frame_locator("#player")
    player.locator("#step", has_text="step 1").wait_for()
    player.locator("#next").click()
    player.locator("#step", has_text="step 2").wait_for()
    picture(here, "playground")


def test_a_drawing_on_the_last_line_is_shown_beside_the_graph_and_help_is_printed(here):
    page, drawing = here.page, here.page.locator("#picture svg[aria-label=drawing]")
    here.run("import viz\nfrom scalargrad import Value\nx = Value(3)\nz = x * x\nviz.draw(z)")
    drawing.wait_for()
    assert drawing.bounding_box()["width"] > 100 and not page.locator("#player").is_visible()
    page.get_by_role("button", name="z", exact=True).click()
    page.frame_locator("#player").locator("#step", has_text="step 1").wait_for()
    assert not drawing.is_visible()
    assert "∂y/∂x = y" in here.run("from scalargrad import exp\nhelp(exp)")  # the page's Python has what pydoc needs


def test_an_error_marks_the_learners_line_and_leaves_the_text(here):
    program = "from scalargrad import Value\nz = Value(2)\nprint(zz)"
    assert "NameError: name 'zz' is not defined. Did you mean: 'z'?" in here.run(program)
    assert here.page.evaluate("playground.editor.lineInfo(2).bgClass") == "wrong-line"
    assert here.page.evaluate("playground.editor.getValue()") == program
    assert "'(' was never closed" in here.run("x = (")


def test_deep_chains_many_prints_and_huge_numbers_do_not_stop_python(here):
    assert here.run(CHAIN % 50_000) == "True\n"
    assert here.run(CHAIN % 10) == "True\n"  # after the long chain was released
    assert "98,980 lines are left out" in here.run("for k in range(100_000): print(k)")
    assert here.run("from scalargrad import Value\nx = Value(10**300)\n(x * x).data == 10**600") == "True\n"


@pytest.mark.every_browser
def test_recursion_without_end_is_an_error_each_time_and_a_dropped_chain_ends_nothing(browser, file, request):
    if browser.browser_type.name == "chromium":
        here = request.getfixturevalue("here")
    else:
        context = browser.new_context(offline=True)
        request.addfinalizer(context.close)
        here = Playground(context, file.as_uri())
    for name, program in RECURSIVE.items():
        for time in range(2):
            assert "RecursionError" in here.run(program), (name, time)
    assert here.run(CHAIN % 10) == "True\n"
    for text in [*RECURSIVE.values(), CHAIN % 10_000] * 2:
        error = here.cell(text)["error"]
        assert (text.startswith("from scalargrad") or "except" in text) == (error is None), text
        assert error is None or "RecursionError" in error["text"]


def test_an_endless_loop_is_stopped_and_the_next_program_runs(here):
    here.type("while True: pass")
    here.page.click("#run")
    here.until("playground.state === 'runs'")
    here.page.click("#stop")
    here.until(STARTED)
    assert here.page.evaluate("playground.editor.getValue()") == "while True: pass"
    assert here.run("1 + 1") == "2\n"


def test_an_engine_is_compared_until_the_first_difference_which_has_a_name(here, picture):
    from tutorial.playground.build import examples

    page, texts = here.page, {example["title"]: example["text"] for example in examples()}

    def compare(program):
        here.type(program)
        page.click("#compare")
        here.until(STARTED)

    compare(texts["A class with a sort from a textbook"])
    player = page.frame_locator("#player")
    player.locator("h1", has_text="The sort asks whether the current node was visited, not its input").wait_for()
    assert player.locator("svg").text_content().count("got") == 1 and "[M04]" in here.text("#output")
    picture(here, "engine-difference")
    page.click("text=step through both")
    player.locator("#difference").click()
    player.locator("#beside-first", has_text="They differ here.").wait_for()
    compare(texts["A class with backward(): all is well"])
    player.locator("h1", has_text="No difference was found").wait_for()
    compare("def backprop(order, children, partial):\n    return missing")
    assert "NameError" in here.text("#output") and page.evaluate("playground.editor.lineInfo(1).bgClass") == "wrong-line"
    here.type("def backprop(order, children, partial):\n    while True: pass")
    page.click("#compare")
    here.until("playground.trying")
    page.click("#stop")
    assert "stopped while the engine ran this program:\nz = Value(3)\nz.backward()" in here.text("#output")
    here.until(STARTED)


def test_what_was_typed_survives_a_reload_and_a_link_holds_it(here, chromium, file):
    here.type("z = 'typed by me'\nz")
    here.page.click("#share")
    here.until("location.hash.startsWith('#program=')")
    link = here.page.url
    here.page.evaluate("history.replaceState(null, '', location.pathname)")
    here.page.reload()
    here.until("window.playground?.editor?.getValue() === \"z = 'typed by me'\\nz\"")
    here.until(STARTED)
    context = chromium.new_context(viewport={"width": 390, "height": 844}, offline=True)
    phone = Playground(context, link)  # a second page, at the width of a phone
    assert phone.page.evaluate("playground.editor.getValue()") == "z = 'typed by me'\nz"
    assert phone.page.evaluate("document.documentElement.scrollWidth") == 390
    phone.page.click("#run")
    phone.until(STARTED)
    assert phone.text("#output") == "'typed by me'\n"
    assert not phone.complaints
    context.close()


@pytest.fixture(scope="module")
def wheel(file, tmp_path_factory):
    """A wheel with the name of the real one, which no package index gives, and a module that says who it is."""
    path = tmp_path_factory.mktemp("wheel") / offer(fetched()["lock.json"].read_text(encoding="utf-8"))["file"]
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("numpy/__init__.py", f"__version__ = {VERSION!r}")
        made.writestr(f"numpy-{VERSION}.dist-info/METADATA", f"Metadata-Version: 2.1\nName: numpy\nVersion: {VERSION}\n")
        made.writestr(f"numpy-{VERSION}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
        made.writestr(f"numpy-{VERSION}.dist-info/RECORD", "")
    return path


VERSION = "2.0.stand.in"
WHO = "import numpy, importlib.util\nprint(numpy.__version__, importlib.util.find_spec('tensorgrad').name)"


def test_a_page_that_was_built_with_a_wheel_of_numpy_imports_it(chromium, wheel, tmp_path):
    context = chromium.new_context(viewport=DESKTOP, offline=True)
    here = Playground(context, playground_files(tmp_path / "files", numpy=wheel).as_uri())
    assert f"{VERSION} tensorgrad" in here.run(WHO) and not here.page.is_visible("#numpy")
    assert not here.complaints
    context.close()


def test_a_page_without_numpy_fetches_it_on_a_click_checks_it_and_keeps_it(chromium, wheel, tmp_path, monkeypatch):
    """A server of this test stands in for the one that Pyodide's documentation names."""
    answers = [b"no wheel", wheel.read_bytes()]

    class Server(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            content = answers.pop(0)
            self.send_response(200)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/{wheel.name}"
    offered = {"address": address, "file": wheel.name, "sha256": hashlib.sha256(answers[1]).hexdigest()}
    monkeypatch.setattr(build, "offer", lambda lock: offered)
    context = chromium.new_context(viewport=DESKTOP)
    here = Playground(context, playground_files(tmp_path / "files").as_uri())
    assert "press “fetch NumPy”" in here.run(WHO) and len(answers) == 2 and not here.complaints  # nothing is fetched without the click
    here.page.click("#numpy")
    here.until("playground.state === 'ready' && document.querySelector('#state').textContent.includes('digest differs')")
    here.page.click("#numpy")
    here.until("document.querySelector('#numpy').hidden")
    assert here.run(WHO) == f"{VERSION} tensorgrad\n" and not answers
    again = Playground(context, here.page.url)
    assert again.run(WHO) == f"{VERSION} tensorgrad\n" and not again.complaints
    context.close()
    server.shutdown()
    server.server_close()
