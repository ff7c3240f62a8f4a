"""Read from an open page what it shows. Knows nothing of what it should show."""

import inspect

import pytest

PATIENCE = 3000  # times 20 milliseconds

FRAME = """() => {
    const seen = selector => [...document.querySelectorAll(selector)].filter(e => e.checkVisibility({visibilityProperty: true}));
    const numbers = selector => seen(selector).map(e => +e.id.split('-').at(-1)).sort((a, b) => a - b);
    const cells = e => e.querySelectorAll('mtd').length ? [...e.querySelectorAll('mtd')].map(c => c.textContent) : [e.textContent];
    return {
        lines: seen('#code .now').map(e => +e.dataset.line),
        computed: seen('#computed [data-variable]').map(e => [+e.dataset.variable, ...cells(e.querySelector('.value'))]),
        got: seen('#computed .get').map(e => +e.dataset.variable),
        put: seen('#computed .new').map(e => +e.dataset.variable),
        current: numbers('#graph .node.current'),
        children: numbers('#graph .node.child'),
        active: numbers('#graph .node.active'),
        done: numbers('#graph .node.done'),
        edges: numbers('#graph .edge.child'),
        edge: numbers('#graph .edge.active'),
        terms: seen('#equation .numbers .term').length,
        holes: seen('#equation .numbers .hole').length,
        narration: document.querySelector('#narration').textContent,
        slider: +document.querySelector('#slider').value,
        hash: location.hash,
    }
}"""


# Press a key some times, and return the frame before each.
WALK = f"""([key, times]) => [...Array(times)].map(() => {{
    const frame = ({FRAME})();
    document.body.dispatchEvent(new KeyboardEvent('keydown', {{key, bubbles: true}}));
    return frame}})"""


# Enter steps of an act, and return what a function gives at each. The first one is painted: panels have their sizes then.
WITHIN = """async ([act, steps, given]) => {{
    const seen = [], painted = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    for (const k of steps ?? Array(player.acts[act].length).keys()) {{
        player.enter(act, k);
        if (!seen.length) await painted();
        seen.push(({script})(given));
    }}
    return seen;
}}"""


class Player:
    """A page that is open in a browser."""

    def __init__(self, page):
        self.page = page

    # Doing

    def resize(self, width, height):
        """Give the window another size, and wait until the page has drawn itself anew."""
        self.page.set_viewport_size({"width": width, "height": height})
        wait_until_drawn(self.page)

    def press(self, *keys):
        """Press keys one after the other. A browser closes a dialog some time after Escape; until then keys belong to the dialog."""
        for key in keys:
            self.page.keyboard.press(key)
            if key == "Escape":
                self.page.locator("dialog[open]").first.wait_for(state="hidden")

    def click(self, button):
        """Click a button; for one in the list of keys, open this list first."""
        if self.count(f"#keys #{button}") and not self.visible("#keys"):
            self.click("help")
        self.page.locator(f"#{button}").click()

    def go(self, step):
        self.page.evaluate("n => player.go(n)", step)

    def guided(self, act, label):
        """Go to the step of an act with this label in the progress bar. Return the player."""
        self.page.evaluate("act => player.enter(act, 0)", act)
        part = self.page.locator("#bar > *").all_text_contents().index(label)
        self.page.evaluate("([act, part]) => player.enter(act, player.acts[act].parts[part].from)", [act, part])
        return self

    # Reading

    def frame(self):
        """Return everything that the page shows of the step."""
        return self.page.evaluate(FRAME)

    def walk(self, key, times):
        """Return what the page shows of each step before the key is pressed there, and press it as often as `times` says.

        The page itself presses it: the driver needs longer for a key than the page for a step.
        """
        return self.page.evaluate(WALK, [key, times])

    def at(self, steps, script, given=None):
        """Go to each of these steps, and return what a JavaScript function gives there. Nothing is painted on the way."""
        return self.page.evaluate(f"([steps, given]) => steps.map(n => {{ player.go(n); return ({script})(given) }})", [[*steps], given])

    def within(self, act, script, steps=None, given=None):
        """Return what a JavaScript function gives at these steps of an act, from 0 on, or at all of them. Only the first one is painted."""
        return self.page.evaluate(WITHIN.format(script=script), [act, None if steps is None else [*steps], given])

    @property
    def act(self):
        return self.page.locator("body").get_attribute("data-act")

    @property
    def step(self):
        """The number of the step from 1, as the page shows it: step 28 / 46."""
        return int(self.text("#step").split()[1])

    @property
    def steps(self):
        return int(self.text("#step").split()[3])

    def text(self, selector):
        return self.page.locator(selector).inner_text()

    def content(self, selector):
        """Return the text of an element, whether it is visible or not."""
        return self.page.locator(selector).first.text_content()

    def texts(self, selector):
        return self.page.locator(selector).all_inner_texts()

    def count(self, selector):
        return self.page.locator(selector).count()

    def pressed(self, button):
        return self.page.locator(f"#{button}").get_attribute("aria-pressed") == "true"

    def visible(self, selector):
        return self.page.locator(selector).first.is_visible()


def until(page, holds, what=""):
    """Wait until `holds()`. (The driver's own waiting evaluates text, which the policy of our pages forbids.)"""
    for _ in range(PATIENCE):
        if holds():
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"it never came to this: {what or inspect.getsource(holds).strip()}")


def until_true(page, script, argument=None):
    """Wait until this script is true in the page."""
    until(page, lambda: page.evaluate(script, argument), script)


REACHED = """e => {
    const isHit = () => {
        const {left, top, width, height} = e.getClientRects()[0] ?? new DOMRect();
        return e.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    };
    if (!isHit()) e.scrollIntoView({block: 'center', behavior: 'instant'});
    return !e.disabled && isHit();
}"""


def push(control):
    """Press a button or a link by its key, once a mouse would reach it. A click can miss it: what stands above it may just have grown."""
    until(control.page, lambda: control.evaluate(REACHED), f"a mouse reaches {control}")
    control.press("Enter")


def wait_until_drawn(page):
    """Wait until the page is drawn: only then it knows the sizes of its panels, and has drawn again what follows from them."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def chromium_only(page, why):
    """Skip the rest of the test in another browser."""
    name = page.context.browser.browser_type.name
    if name != "chromium":
        pytest.skip(f"{name} {why}")


def devtools(page):
    """Return a session of Chromium's own protocol with this page. Other browsers skip the test."""
    chromium_only(page, "does not have Chromium's protocol")
    return page.context.new_cdp_session(page)


def thread_time(page):
    """Return a function that gives the milliseconds which the page's thread has computed. They do not grow on a busy machine."""
    thread = devtools(page)
    thread.send("Performance.enable", {"timeDomain": "threadTicks"})
    return lambda: 1000 * next(m["value"] for m in thread.send("Performance.getMetrics")["metrics"] if m["name"] == "TaskDuration")
