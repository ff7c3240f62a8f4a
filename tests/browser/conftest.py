"""The browsers for the tests of this folder, and the pages that they open. Each page is a file, opened without a network.

What a page must never do fails the test that opened it: an error on the console, a request for anything but itself.
All tests run in Chromium, and are skipped if there is none; GRADSTEPS_BROWSER names one, which must then work.
The tests of a file with the mark `every_browser` run in Firefox too, where it is installed; `-k firefox` runs these alone.
"""

import os
import shutil
from pathlib import Path

import pytest

from tests.browser import pages
from tests.browser.player import Player
from tests.page_scripts import SRC, check_built_scripts, found_node

NAMED = os.environ.get("GRADSTEPS_BROWSER")
ON_THE_PATH = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
INSTALLED_ELSEWHERE = ("chrome", "msedge")  # the driver knows where Windows and macOS keep them
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
IGNORE_UNKNOWN_COMMANDS = Path(__file__).with_name("ignore_unknown_commands.cjs")
# Firefox complains of formulas that it has parsed in part, and of the styles and the icon that its driver asks for.
NOT_OURS = {"chromium": (), "firefox": ("Incorrect number of children for <m", "blocked an inline style", "/favicon.ico")}
HARMLESS = ("file:", "data:", "blob:", "about:")
PATIENCE = 3000  # times 20 milliseconds
MODULES = "http://modules/"  # an address that only this page answers
DESKTOP = {"width": 1280, "height": 720}


def pytest_itemcollected(item):
    """Every test of this folder runs with -m browser."""
    item.add_marker("browser")


def pytest_generate_tests(metafunc):
    if "browser" in metafunc.fixturenames and metafunc.definition.get_closest_marker("every_browser"):
        metafunc.parametrize("browser", ["chromium"] + ["firefox"] * bool(FIREFOX), indirect=True)


@pytest.fixture(scope="session", autouse=True)
def built_scripts(tmp_path_factory):
    """The pages run the scripts of the modules as they are, not of a former version. Not checked without Node and its tools."""
    if found_node():
        check_built_scripts(tmp_path_factory.mktemp("built"))


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
            browser = driver.chromium.launch(**found)
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
    """The browser of this test: Chromium, or also Firefox, if the file has the mark `every_browser`."""
    return request.getfixturevalue(getattr(request, "param", "chromium"))


def wait_for_player(page):
    """Wait until long data is unpacked. (The driver's own waiting evaluates text, which the page's policy forbids.)"""
    for _ in range(PATIENCE):
        if page.evaluate("!!window.player"):
            return
        page.wait_for_timeout(20)


@pytest.fixture
def visit(browser):
    """visit(file, hash="", **context options) opens a page in its own context and returns its Player. What the page opens is watched too.

    With `server`, the address of a folder, the page has the network, and may ask this server alone.
    """
    contexts, complaints = [], []

    def visit(path: Path | str, hash="", script=True, server="", **options):
        allowed = (*HARMLESS, server) if server else HARMLESS
        context = browser.new_context(
            **{"viewport": DESKTOP, "reduced_motion": "reduce", "java_script_enabled": script, "offline": not server, **options}
        )
        contexts.append(context)
        context.set_default_timeout(60_000)  # which only a failure waits for
        context.on("console", lambda m: complaints.append(f"{m.type} on the console: {m.text}") if m.type in ("error", "warning") else None)
        context.on("weberror", lambda error: complaints.append(f"uncaught: {error.error}"))
        context.on("request", lambda r: complaints.append(f"a request for {r.url[:80]}") if not r.url.startswith(allowed) else None)
        page = context.new_page()
        page.goto((f"{server}{path}" if server else path.as_uri()) + hash)
        if script and page.locator("#player").count():
            wait_for_player(page)
        return Player(page)

    yield visit
    for context in contexts:
        context.close()
    complaints = [text for text in complaints if not any(part in text for part in NOT_OURS[browser.browser_type.name])]
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
def saved(shared):
    """saved("figure1") is the file of the page of that name in pages.py. The first process that needs it makes it."""
    from filelock import FileLock

    folder = shared / "pages"
    folder.mkdir(exist_ok=True)

    def saved(name) -> Path:
        path = folder / f"{name}.html"
        if not path.exists():
            with FileLock(f"{path}.lock"):
                if not path.exists():
                    pages.page(name).save(path)
        return path

    return saved


@pytest.fixture
def figure1(visit, saved):
    """Figure 1's page, open at the first step of the backward pass."""
    return visit(saved("figure1"))


@pytest.fixture(scope="session")
def picture():
    """picture(player, name) keeps a screenshot of what the window shows, in the folder that GRADSTEPS_SCREENSHOTS names."""
    folder = Path(os.environ.get("GRADSTEPS_SCREENSHOTS") or Path(__file__).parents[2] / "build" / "screenshots")

    def picture(player, name, **options):
        folder.mkdir(parents=True, exist_ok=True)
        return player.page.screenshot(path=folder / f"{name}.png", animations="disabled", **options)

    return picture
