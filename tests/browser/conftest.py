"""The browsers for the tests of this folder, and the pages that they open. Each page is a file, opened without a network.

What a page must never do fails the test that opened it: an error on the console, a request for anything but itself.
All tests run in Chromium, and are skipped if there is none; GRADSTEPS_BROWSER names one, which must then work.
Tests with the mark `every_browser` run in Firefox too, where it is installed; `-k firefox` runs these alone. Their subject is what browsers
do in their own way: layout, fonts, keys, focus, the address, what is stored, workers. What a page shows follows from its script and data.
"""

import os
import shutil
from pathlib import Path

import pytest

from tests.browser import pages
from tests.browser.player import Player, until, wait_until_drawn
from tests.page_scripts import SRC, check_built_scripts, found_node

NAMED = os.environ.get("GRADSTEPS_BROWSER")
ON_THE_PATH = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
INSTALLED_ELSEWHERE = ("chrome", "msedge")  # the driver knows where Windows and macOS keep them
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
IGNORE_UNKNOWN_COMMANDS = Path(__file__).with_name("ignore_unknown_commands.cjs")
# Firefox complains of formulas that it has parsed in part, and of the styles and the icon that its driver asks for.
NOT_OURS = {"chromium": (), "firefox": ("Incorrect number of children for <m", "blocked an inline style", "/favicon.ico")}
# Most functions run a few times in a test, so machine code that is optimised costs more than it saves: to start the playground's Python
# takes 3.5 CPU seconds without, and 5.3 with. The pages need no process that draws with a graphics card.
LESS_WORK = ["--js-flags=--no-turbofan --liftoff-only", "--in-process-gpu", "--disable-gpu", "--disable-software-rasterizer"]
HARMLESS = ("file:", "data:", "blob:", "about:")
STORED = "() => location.protocol === 'file:' && localStorage.length + sessionStorage.length"  # what a page has kept in its window
MOST_LEFT = 2  # windows of a browser, which need memory
MODULES = "http://modules/"  # an address that only this page answers
DESKTOP = {"width": 1280, "height": 720}
MEDIA = {"media": "null", "color_scheme": "light", "reduced_motion": "reduce", "forced_colors": "none"}  # "null" is the screen


def pytest_itemcollected(item):
    """Every test of this folder runs with -m browser."""
    item.add_marker("browser")


def pytest_generate_tests(metafunc):
    if "browser" in metafunc.fixturenames and metafunc.definition.get_closest_marker("every_browser"):
        metafunc.parametrize("browser", ["chromium"] + ["firefox"] * bool(FIREFOX), indirect=True)


@pytest.fixture(scope="session", autouse=True)
def built_scripts(shared):
    """The pages run the scripts of the modules as they are, not of a former version. The first process of a run checks it, for 2.6 CPU
    seconds; a failure is that of each process. Without Node and its tools it is not checked.
    """
    from filelock import FileLock

    folder, same = shared / "built scripts", shared / "scripts are as built"
    with FileLock(f"{folder}.lock"):
        if found_node() and not same.exists():
            shutil.rmtree(folder, ignore_errors=True)
            check_built_scripts(folder)
            same.touch()


def installed():
    """Return the arguments with which the driver may start Chromium or its relatives, the likeliest first."""
    paths = [NAMED] if NAMED else [path for path in map(shutil.which, ON_THE_PATH) if path]
    return [{"executable_path": path} for path in paths] or [{"channel": name} for name in INSTALLED_ELSEWHERE]


@pytest.fixture(scope="package")  # not longer: while it runs, no other test of this process can run an event loop of its own
def driver():
    driver = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright: pip install -e '.[test]'")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NODE_OPTIONS", f'--require "{IGNORE_UNKNOWN_COMMANDS.as_posix()}"')
        playwright = driver.sync_playwright().start()
    yield playwright
    playwright.stop()


@pytest.fixture(scope="package")
def chromium(driver):
    for found in installed():
        try:
            browser = driver.chromium.launch(args=LESS_WORK, **found)
        except Exception as error:  # the driver's own class, which is imported only if it is installed
            why = str(error).splitlines()[0]
            continue
        yield browser
        browser.close()
        return
    problem = f"no Chromium, Chrome or Edge for the browser tests; install one, or name one in GRADSTEPS_BROWSER; the last try said: {why}"
    if NAMED:
        pytest.fail(problem)
    pytest.skip(problem)


@pytest.fixture(scope="package")
def firefox(driver):
    """An installed Firefox. Its own protocol has no command for reduced motion, so a setting asks for it."""
    browser = driver.firefox.launch(channel="moz-firefox", executable_path=FIREFOX, firefox_user_prefs={"ui.prefersReducedMotion": 1})
    yield browser
    browser.close()


@pytest.fixture
def browser(request):
    """The browser of this test: Chromium, or also Firefox, if it has the mark `every_browser`."""
    return request.getfixturevalue(getattr(request, "param", "chromium"))


def wait_for_player(page):
    """Wait until long data is unpacked: until then `window.player` is the element with this id."""
    until(page, lambda: page.evaluate("!(window.player instanceof Element)"))


class Window:
    """A window of a browser, which hears what its pages must never do. Each has its own context: nothing is kept from another one."""

    def __init__(self, browser, ordinary, server, **options):
        self.ordinary, self.complaints, self.not_ours = ordinary, [], NOT_OURS[browser.browser_type.name]
        allowed = (*HARMLESS, server) if server else HARMLESS
        self.context = browser.new_context(offline=not server, reduced_motion="reduce", **options)
        self.context.set_default_timeout(60_000)  # which only a failure waits for
        self.context.on("console", lambda m: self.hear(f"{m.type} on the console: {m.text}") if m.type in ("error", "warning") else None)
        self.context.on("weberror", lambda error: self.hear(f"uncaught: {error.error}"))
        self.context.on("request", lambda r: self.hear(f"a request for {r.url[:80]}") if not r.url.startswith(allowed) else None)
        self.page = self.context.new_page()

    def hear(self, complaint):
        if not any(part in complaint for part in self.not_ours):
            self.complaints.append(complaint)

    def open(self, address, viewport, **media):
        """Open an address as a new window of this size and with these media would."""
        page, same = self.page, self.page.viewport_size == viewport
        if not same or page.url.partition("#")[0] == address.partition("#")[0]:
            page.goto("about:blank")  # else another fragment of the same address would not load the page anew
        if not same:
            page.set_viewport_size(viewport)
        page.emulate_media(**media)
        page.goto(address)

    def is_as_new(self):
        """Close what a test opened beside the page, and take the mouse away. Return whether another test may use the window."""
        for page in self.context.pages[1:]:
            page.close()
        self.page.mouse.move(0, 0)
        return not self.page.evaluate(STORED)

    def heard(self):
        """Return the complaints since the last call."""
        heard, self.complaints = self.complaints, []
        return heard


@pytest.fixture(scope="package")
def left():
    """The windows that tests have left, of each browser: to open one takes as long as to open two pages, in Firefox three."""
    return {}


@pytest.fixture
def visit(request, browser, left):
    """visit(file, hash="", **context options) opens a page and returns its Player. What the page opens is watched too.

    The page opens in a window that another test has left, unless it needs one of another kind, or the test asks for one `alone`,
    because it changes the window: its clock, or what listens to it. A window is closed where a test fails, or a page has kept something.
    With `server`, the address of a folder, the page has the network, and may ask this server alone.
    """
    windows, others, failed = [], left.setdefault(browser, []), request.session.testsfailed

    def visit(path: Path | str, hash="", script=True, server="", alone=False, viewport=DESKTOP, **options):
        media = {name: options.pop(name, usual) for name, usual in MEDIA.items()}
        if media != MEDIA and browser.browser_type.name == "firefox":
            pytest.skip("Firefox's driver does not tell it of colours and motion")
        ordinary = script and not (alone or server or options)
        if ordinary and others:
            window = others.pop()
        else:
            size = DESKTOP if ordinary else viewport
            window = Window(browser, ordinary, server, java_script_enabled=script, viewport=size, **options)
        windows.append(window)
        window.open((f"{server}{path}" if server else path.as_uri()) + hash, viewport, **media)
        if script and window.page.locator("#player").count():
            wait_for_player(window.page)
        return Player(window.page)

    yield visit
    passed = request.session.testsfailed == failed
    for window in windows:
        if passed and window.ordinary and len(others) < MOST_LEFT and window.is_as_new():
            others.append(window)
        else:
            window.context.close()
    complaints = [complaint for window in windows for complaint in window.heard()]
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def modules(chromium):
    """An empty page that can import the modules of the pages' scripts: `await import("/numbers.js")`."""
    context = chromium.new_context()
    page = context.new_page()

    def answer(route):
        path = SRC / route.request.url.removeprefix(MODULES)
        script = path.is_file()
        route.fulfill(body=path.read_text(encoding="utf-8") if script else "", content_type="text/javascript" if script else "text/html")

    page.route(f"{MODULES}**", answer)
    page.goto(MODULES)
    yield page
    context.close()


@pytest.fixture(scope="session")
def made(shared):
    """made("a name", make) is the file of the page that make() returns. The first process of a run that needs this name makes it.

    Others see it whole or not at all.
    """
    from filelock import FileLock

    folder = shared / "pages"
    folder.mkdir(exist_ok=True)

    def made(name, make) -> Path:
        path, part = folder / f"{name}.html", folder / f"part of {name}.html"
        if not path.exists():
            with FileLock(f"{path}.lock"):
                if not path.exists():
                    make().save(part)
                    part.rename(path)
        return path

    return made


@pytest.fixture(scope="session")
def saved(made):
    """saved("figure1") is the file of the page of that name in pages.py. A page of TRACES opens at the act `start`."""
    return lambda name, start="backward": made(f"{name} {start}", lambda: pages.page(name, start))


@pytest.fixture
def figure1(visit, saved):
    """Figure 1's page, open at the first step of the backward pass."""
    return visit(saved("figure1"))


@pytest.fixture(scope="session")
def picture():
    """picture(player, name) waits until the page is drawn, and keeps a screenshot of Chromium's window where GRADSTEPS_SCREENSHOTS names
    a folder: no test compares them, and each takes 0.06 CPU seconds.
    """
    folder = os.environ.get("GRADSTEPS_SCREENSHOTS")

    def picture(player, name, **options):
        if folder and player.page.context.browser.browser_type.name == "chromium":
            Path(folder).mkdir(parents=True, exist_ok=True)
            player.page.screenshot(path=Path(folder) / f"{name}.png", animations="disabled", **options)
        else:
            wait_until_drawn(player.page)

    return picture
