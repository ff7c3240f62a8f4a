"""One browser for all tests of this folder, and the pages that they open. Each page is a file, opened without a network.

What a page must never do fails the test that opened it: an error on the console, a request for anything but itself.
The tests are skipped where there is no Chromium; GRADSTEPS_BROWSER names another browser, which must then work. It may be a Firefox:
tests that need what its driver cannot do are skipped then.
"""

import os
import shutil
from pathlib import Path

import pytest

from tests.browser import pages
from tests.browser.player import Player

NAMED = os.environ.get("GRADSTEPS_BROWSER")
FIREFOX = bool(NAMED) and "firefox" in Path(NAMED).name
FIREFOX_SETTINGS = {"ui.prefersReducedMotion": 1}
IGNORE_UNKNOWN_COMMANDS = Path(__file__).with_name("ignore_unknown_commands.cjs")
ON_THE_PATH = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
INSTALLED_ELSEWHERE = ("chrome", "msedge")  # the driver knows where Windows and macOS keep them
# Firefox complains of formulas that it has parsed in part, and of the styles and the icon that its driver asks for.
NOT_OURS = ("Incorrect number of children for <m", "blocked an inline style", "/favicon.ico") if FIREFOX else ()
HARMLESS = ("file:", "data:", "blob:", "about:")
PATIENCE = 3000  # times 20 milliseconds
DESKTOP = {"width": 1280, "height": 720}


def pytest_itemcollected(item):
    """Every test of this folder runs with -m browser."""
    item.add_marker("browser")


def installed():
    """Return the arguments with which the driver may start a browser, the likeliest first."""
    if FIREFOX:
        return [{"executable_path": NAMED, "channel": "moz-firefox", "firefox_user_prefs": FIREFOX_SETTINGS}]
    paths = [NAMED] if NAMED else [path for path in map(shutil.which, ON_THE_PATH) if path]
    return [{"executable_path": path} for path in paths] or [{"channel": name} for name in INSTALLED_ELSEWHERE]


@pytest.fixture(scope="package")  # not longer: while it runs, no other test of this process can run an event loop of its own
def browser():
    driver = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright: pip install -e '.[test]'")
    if FIREFOX:
        os.environ["NODE_OPTIONS"] = f"--require {IGNORE_UNKNOWN_COMMANDS}"
    with driver.sync_playwright() as playwright:
        engine = playwright.firefox if FIREFOX else playwright.chromium
        for found in installed():
            try:
                browser = engine.launch(**found)
            except driver.Error as error:
                why = error.message.splitlines()[0]
                continue
            yield browser
            browser.close()
            return
    problem = f"no Chromium, Chrome or Edge for the browser tests; install one, or name one in GRADSTEPS_BROWSER; the last try said: {why}"
    if NAMED:
        pytest.fail(problem)
    pytest.skip(problem)


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
    complaints = [text for text in complaints if not any(part in text for part in NOT_OURS)]
    assert not complaints, "\n".join(complaints)


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
