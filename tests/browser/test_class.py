"""A class in real browsers: a teacher, a private window and two phones walk every state, in one lesson of chapter 3."""

import asyncio
import socket
import threading
from contextlib import contextmanager, suppress
from functools import cache
from queue import Queue

import pytest

from tests.browser.player import until_true
from tests.browser.test_accessibility import violations
from tutorial.classroom.live.journal import Journal
from tutorial.classroom.live.open_class import Desk, begun
from tutorial.classroom.live.questions.source import lesson
from tutorial.classroom.live.serve import serve
from tutorial.cli.main import main

every_browser = pytest.mark.every_browser  # where a browser's own connection, storage, frames, keys or fonts decide

PHONE, SMALL = {"width": 390, "height": 844}, {"width": 360, "height": 640}
HERE = "127.0.0.1"
WIDER = "() => document.documentElement.scrollWidth > innerWidth"


read = cache(lesson)  # the cells of a chapter run once


@contextmanager
def class_about(which, path, port=0):
    """Serve a class in a thread, which has an event loop of its own. A class whose journal exists goes on."""
    started, end = Queue(), threading.Event()
    about = read(which)

    async def run():
        try:
            desk = Desk(about, Journal.resume(path), path) if path.exists() else begun(about, which, path)
            served = await serve(desk, HERE, port, listen=HERE)
        except Exception as wrong:
            return started.put(wrong)
        started.put(served)
        await asyncio.to_thread(end.wait)
        await served.end()

    thread = threading.Thread(target=asyncio.run, args=[run()])
    thread.start()
    try:
        found = started.get()
        if isinstance(found, Exception):
            raise found
        yield found
    finally:
        end.set()
        thread.join()


def two_free_ports():
    """Return a port that is free, as the next one is: a class that starts again needs both."""
    while True:
        with socket.create_server((HERE, 0)) as first, suppress(OSError):
            port = first.getsockname()[1]
            with socket.create_server((HERE, port + 1)):
                return port


@pytest.fixture  # a test names it before `visit`, so that windows close before the server ends
def served(tmp_path):
    with class_about("3", tmp_path / "class.jsonl") as found:
        yield found


def text(player, selector):
    return player.page.locator(selector).inner_text()


def appears(player, words):
    """Wait until the page shows these words."""
    player.page.get_by_text(words).first.wait_for()


JOINED = "() => JSON.parse(localStorage.getItem('live-class') ?? '{}').sid"


def join(page):
    page.get_by_role("button", name="Join").click()
    until_true(page, JOINED)


def test_a_phone_keeps_trying_to_join_until_the_teachers_computer_answers(served, visit):
    """Its first requests do not arrive, as in a Wi-Fi that everybody enters at once."""
    phone = visit(f"#{served.desk.code}", server=served.students, viewport=PHONE, alone=True)
    script = """
        const ask = window.fetch;
        let left = 2;
        window.fetch = (...given) => (left-- > 0 ? Promise.reject(new DOMException("", "TimeoutError")) : ask(...given));"""
    phone.page.evaluate(f"() => {{ {script} }}")
    phone.page.get_by_role("button", name="Join").click()
    appears(phone, "This page keeps trying.")
    appears(phone, "You are in.")
    assert len(served.desk.room.students) == 1


def test_of_two_taps_in_a_lost_network_the_last_one_counts(served, visit):
    """The first vote is on its way when the second one is tapped, and does not arrive. The second one is kept until it arrives."""
    phone = visit(f"#{served.desk.code}", server=served.students, viewport=PHONE, alone=True)
    join(phone.page)
    served.desk.do({"do": "phase", "phase": "open", "question": 1})
    phone.page.get_by_role("radio").nth(3).wait_for()
    phone.page.evaluate("""() => {
        const ask = window.fetch;
        window.sent = [];
        window.isAway = true;
        window.fetch = (path, given) => {
            if (path !== "vote") return ask(path, given);
            window.sent.push(JSON.parse(given.body).choice);
            if (!window.isAway) return ask(path, given);
            return new Promise((_, fail) => { window.lose = () => fail(new DOMException("", "TimeoutError")); });
        };
    }""")
    for choice in (0, 2):
        phone.page.get_by_role("radio").nth(choice).click()
    assert phone.page.evaluate("window.sent") == [0] and phone.page.get_by_role("radio").nth(2).is_checked()
    phone.page.evaluate("() => { window.lose(); window.isAway = false; }")
    appears(phone, "Your answer is in")
    assert phone.page.evaluate("window.sent") == [0, 2] and served.desk.room.counts(1, 1) == [0, 0, 1, 0]


@every_browser
def test_a_class_walks_from_the_code_to_the_end(served, visit, picture):
    """Votes on phones, hands by keys, the second vote, the reason, the player that phones follow, and the report."""
    address, _, token = served.teacher.partition("#")
    teacher = visit(f"#{token}", server=address.rstrip("/") + "/", alone=True)
    private = visit(f"#{token}&private", server=address)
    phones = [visit(f"#{served.desk.code}", server=served.students, viewport=size) for size in (PHONE, SMALL)]
    press = lambda name: teacher.page.get_by_role("button", name=name).click()

    def looks_right(name):
        for who, player in (("teacher", teacher), ("private", private), ("phone", phones[0]), ("small", phones[1])):
            assert not player.page.evaluate(WIDER), f"{name}: {who} is wider than its window"
            picture(player, f"class-{name}-{who}")

    appears(teacher, served.desk.code)
    for phone in phones:
        join(phone.page)
        appears(phone, "You are in.")
    appears(teacher, "2 students joined")
    looks_right("join")

    press("Questions")
    teacher.page.get_by_role("button", name="grows from 4 to 4.1").click()
    for phone, choice in zip(phones, ("0.8", "2.4")):
        phone.page.get_by_text(choice, exact=True).click()
        appears(phone, "Your answer is in")
    for key in ("d", "1", "2", "d", "Shift+D"):  # one hand, twelve more, one taken back
        teacher.page.keyboard.press(key)
    appears(private, "One path is followed, and the others are left out")
    appears(teacher, "of 14 answered")
    assert "M93" not in text(teacher, "main") and teacher.page.locator(".bar").count() == 0
    looks_right("open")

    teacher.page.keyboard.press("p")
    appears(phones[0], "Paused")
    assert phones[0].page.locator("input:disabled").count() == 4
    teacher.page.keyboard.press("p")
    appears(phones[0], "Your prediction")

    press("Close the vote")
    appears(phones[0], "Look at the screen")
    press("Discuss in pairs")
    appears(phones[0], "Find somebody with another answer.")
    looks_right("discuss")
    press("Vote again")
    for phone in phones:
        phone.page.get_by_text("1.1", exact=True).click()
        appears(phone, "Your answer is in")
    press("Close the second vote")
    teacher.page.locator(".bar").nth(7).wait_for()
    assert "M93" not in text(teacher, "main")
    looks_right("both")
    press("Show the answer")
    appears(phones[0], "Right.")
    appears(teacher, "0 % before and 100 % after the discussion")
    assert "M93" in text(teacher, "main")
    looks_right("reveal")

    press("Follow me")
    frame = teacher.page.frame_locator("iframe")
    frame.locator("#controls button").first.wait_for()
    for _ in range(3):
        frame.locator("body").press("ArrowRight")
    for player in (teacher, *phones):
        wait_for_step(player, "#step=4")
    phones[1].page.locator("#veil").hover()
    phones[1].page.mouse.wheel(0, 90)
    while not phones[1].page.evaluate("() => document.querySelector('iframe').contentWindow.scrollY"):
        phones[1].page.wait_for_timeout(20)
    phones[0].page.get_by_role("button", name="I am lost here").click()
    appears(private, "step 4")
    assert "lost" not in text(teacher, "body").lower()
    looks_right("follow")
    other = visit(f"#{token}", server=address)  # a second projector
    wait_for_step(other, "#step=4")
    other.page.frame_locator("iframe").locator("body").press("ArrowRight")
    wait_for_step(teacher, "#step=5")
    private.page.get_by_role("button", name="step 4").click()
    for player in (teacher, other, *phones):
        wait_for_step(player, "#step=4")
    press("Release the players")
    phones[0].page.locator("#veil").wait_for(state="hidden")
    phones[0].page.frame_locator("iframe").locator("#next").click()
    phones[0].page.get_by_role("button", name="Back to the teacher").click()
    wait_for_step(phones[0], "#step=4")

    press("Ask what comes next")
    for player in (teacher, phones[0]):
        appears(player, "What is dz/dy₂?")
    press("Code")
    appears(phones[0], "You are in.")
    press("Back to the question")
    press("Close the vote")
    press("Open it again")
    appears(phones[0], "This is my answer")
    press("Close the vote")
    press("Show the answer")
    appears(teacher, "Next question")

    press("End")
    appears(phones[0], "Thank you.")
    appears(teacher, "13 → 0")
    looks_right("end")


PAGES = """import viz
from scalargrad import Value
x, w = Value(3), Value(2)
z = x * w + x
viz.slides(z)
viz.explore(z)
"""


def test_slides_and_a_page_to_explore_are_followed(visit, tmp_path, picture):
    (tmp_path / "mine.py").write_text(PAGES, encoding="utf-8")
    with class_about(str(tmp_path / "mine.py"), tmp_path / "class.jsonl") as served:
        address, _, token = served.teacher.partition("#")
        teacher = visit(f"#{token}", server=address)
        phone = visit(f"#{served.desk.code}", server=served.students, viewport=PHONE)
        join(phone.page)
        teacher.page.get_by_role("button", name="Follow me →").click()
        for page, key, shown in ((0, "PageDown", "#slide=2"), (1, "z", "#chosen=3&open=0")):
            teacher.page.get_by_role("combobox", name="the page").select_option(str(page))
            while f"player/{page}" not in phone.page.evaluate("() => document.querySelector('iframe')?.src ?? ''"):
                phone.page.wait_for_timeout(20)
            inside = teacher.page.frame_locator("iframe")
            inside.locator("#view, #presenter").first.wait_for()
            inside.locator("#view" if page else "body").press(key)
            wait_for_step(phone, shown)
            assert not phone.page.evaluate(WIDER)
            picture(phone, f"class-follow-page-{page}")
        phone.page.frame_locator("iframe").locator(".box.chosen").wait_for()
        for window in (teacher, phone):
            window.page.goto("about:blank")


def test_a_number_is_typed_and_its_mistake_is_named(served, visit, picture):
    address, _, token = served.teacher.partition("#")
    teacher = visit(f"#{token}", server=address)
    phone = visit(f"#{served.desk.code}", server=served.students, viewport=SMALL)
    press = lambda name: teacher.page.get_by_role("button", name=name).click()
    join(phone.page)
    press("Questions")
    teacher.page.get_by_role("button", name="What is dz/dx₁?").click()
    number = phone.page.get_by_role("textbox", name="your number")
    for typed, said in (("six", "'six' is not a number; write for example 9, −2.5 or 1/3"), ("6", "Your answer is in")):
        number.fill(typed)
        phone.page.get_by_role("button", name="This is my answer").click()
        appears(phone, said)
    appears(teacher, "Type a number on your phone.")
    picture(phone, "class-number-small")
    press("Close the vote")
    appears(phone, "Look at the screen")
    assert "another number" not in text(teacher, "main") and number.input_value() == "6"
    press("Show the answer")
    appears(phone, "Not yet.")
    appears(phone, "The term dz/dy₁ · ∂y₁/∂x₁ = 3 is missing")
    appears(teacher, "The partial derivative is the total derivative [M02]")
    for player, name in ((teacher, "teacher"), (phone, "phone")):
        assert not player.page.evaluate(WIDER)
        picture(player, f"class-number-{name}")


@every_browser
def test_a_phone_that_loads_its_page_again_is_the_same_student(served, visit):
    phone = visit(f"#{served.desk.code}", server=served.students, viewport=PHONE)
    join(phone.page)
    appears(phone, "You are in.")
    sid = next(iter(served.desk.room.students))
    phone.page.reload()
    appears(phone, "You are in.")
    assert list(served.desk.room.students) == [sid]


@every_browser
def test_a_phone_comes_back_by_itself_after_the_program_ended(browser, tmp_path):
    """It needs a window of its own, since a browser complains of a server that is away."""
    context = browser.new_context(viewport=PHONE)
    page, port = context.new_page(), two_free_ports()
    with class_about("3", tmp_path / "class.jsonl", port) as served:
        page.goto(f"{served.students}#{served.desk.code}")
        join(page)
        served.desk.do({"do": "phase", "phase": "open", "question": 1})
        page.get_by_text("2.4", exact=True).click()
        page.get_by_text("Your answer is in").wait_for()
    page.get_by_text("connecting …").wait_for()
    with class_about("3", tmp_path / "class.jsonl", port) as served:
        page.get_by_text("connected", exact=True).wait_for()
        assert served.desk.room.counts(1, 1) == [0, 0, 1, 0] and len(served.desk.room.students) == 1
        page.get_by_text("0.3", exact=True).click()
        page.get_by_text("Your answer is in").wait_for()
        while served.desk.room.counts(1, 1) != [0, 0, 0, 1]:
            page.wait_for_timeout(20)
        context.close()


def wait_for_step(player, step):
    """Wait until the player in a page shows this step. (The driver's own waiting evaluates text, which the page's policy forbids.)"""
    while player.page.evaluate("() => document.querySelector('iframe')?.contentWindow.location.hash") != step:
        player.page.wait_for_timeout(20)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_a_class(served, visit, theme):
    address, _, token = served.teacher.partition("#")
    teacher = visit(f"#{token}&private", server=address, color_scheme=theme)
    phone = visit(f"#{served.desk.code}", server=served.students, viewport=PHONE, color_scheme=theme)
    assert not violations(phone)
    join(phone.page)
    teacher.page.get_by_role("button", name="Ask the first question").click()
    phone.page.get_by_role("radio").first.click()
    appears(phone, "Your answer is in")
    teacher.page.locator(".bar").first.wait_for()
    assert not violations(teacher) and not violations(phone)


@every_browser
def test_students_take_a_test_at_their_own_pace_and_an_answer_is_kept_until_the_server_is_there(tmp_path, browser):
    path, port, context = tmp_path / "class.jsonl", two_free_ports(), browser.new_context(viewport=SMALL)
    phone, teacher = context.new_page(), context.new_page()
    sees = lambda page, words: page.get_by_text(words).first.wait_for()
    with class_about("inventory", path, port) as served:
        teacher.goto(served.teacher)
        phone.goto(f"{served.students}#{served.desk.code}")
        phone.get_by_label("A mark by which").fill("ET17")
        join(phone)
        teacher.get_by_role("button", name="Begin the test").click()
        sees(phone, "Question 1 of 20")
        phone.get_by_text("0.4", exact=True).click()
        sees(phone, "Your answer is in")
        phone.get_by_role("button", name="question 5", exact=True).click()
        phone.get_by_text("Both z, m, h, a").click()
        sees(phone, "Your answer is in")
        phone.reload()
        sees(phone, "Question 2 of 20")  # the first one without an answer
        sees(teacher, "of 1 student has answered all 20 questions")
        assert "Both" not in teacher.locator("main").inner_text() and not phone.evaluate(WIDER)
    phone.get_by_role("radio", name="13", exact=True).click()
    sees(phone, "Your answer is kept on this phone.")
    with class_about("inventory", path, port) as again:
        sees(phone, "Your answer is in")
        room = again.desk.room
        ((sid, mark),) = room.students.items()
        assert mark == "ET17" and {question: votes[sid] for (question, _), votes in room.votes.items()} == {0: 1, 4: 2, 1: 2}
        context.close()


@every_browser
def test_a_chapter_of_the_book_is_followed_by_sections_by_slides_and_by_links_and_no_link_leads_out(site, visit, tmp_path, picture):
    """A phone divides a chapter into other slides, so it shows the block that the teacher's slide shows. Released, it may read on."""
    chapter = site / "chapters" / "order-matters.html"
    with class_about(str(chapter), tmp_path / "class.jsonl") as served:
        address, _, token = served.teacher.partition("#")
        teacher = visit(f"#{token}", server=address)
        phone = visit(f"#{served.desk.code}", server=served.students, viewport=PHONE)
        join(phone.page)
        teacher.page.get_by_role("button", name="Follow me →").click()
        inside, on_phone = teacher.page.frame_locator("iframe"), phone.page.frame_locator("iframe")
        inside.locator("button.start-slides").wait_for()
        within = "const {{ document: page, location: place }} = document.querySelector('iframe').contentWindow; return {};".format
        shows = lambda player, script: player.page.evaluate(f"() => {{ {within(script)} }}")

        def wait_until(player, script, expected):
            until_true(player.page, f"expected => {{ {within(f'({script}) === expected')} }}", expected)

        shows(teacher, "(page.querySelector('#children-first').scrollIntoView(), 0)")
        wait_until(phone, "place.hash", "#children-first")
        assert shows(phone, "page.querySelectorAll('.covered').length") > 20  # what answers the open question

        inside.locator("body").press("s")
        for _ in range(3):
            inside.locator("body").press("PageUp")
        blocks = "[...page.querySelectorAll('section > *')]"
        wait_until(teacher, "page.querySelector('.on-slide:not(h1, h2, h3)') !== null", True)
        block = f"{blocks}.indexOf(page.querySelector('.on-slide:not(h1, h2, h3)').closest('section > *'))"
        near = f"Math.abs({blocks}[{{}}].getBoundingClientRect().top) < innerHeight"  # pictures may still grow
        assert any(shows(phone, near.format(shows(teacher, block))) or phone.page.wait_for_timeout(20) for _ in range(3000))
        picture(phone, "class-follow-chapter")
        assert phone.page.locator("#veil").is_hidden()  # what does not fit is read by scrolling

        outside = "(page.body.insertAdjacentHTML('afterbegin', '<a href=\"https://example.org/\" target=_top>out</a>'), 0)"
        of_chapter = "link.pathname.includes('/chapters/') && link.pathname !== place.pathname"
        follow = f"[...page.querySelectorAll('article a[href]')].find(link => {of_chapter})"
        path = shows(phone, "place.pathname")
        shows(phone, outside)
        on_phone.get_by_role("link", name="out", exact=True).click()
        shows(phone, f"({follow}.click(), 0)")
        phone.page.wait_for_timeout(200)
        assert shows(phone, "place.pathname") == path and phone.page.url.startswith(served.students)
        teacher.page.get_by_role("button", name="Release the players").click()
        phone.page.get_by_role("button", name="Back to the teacher").wait_for()
        on_phone.get_by_role("link", name="out", exact=True).click()
        shows(phone, f"({follow}.click(), 0)")
        wait_until(phone, f"place.pathname !== '{path}' && page.readyState === 'complete'", True)
        phone.page.get_by_role("button", name="Back to the teacher").click()
        wait_until(phone, "place.pathname", path)
        teacher.page.get_by_role("button", name="Everybody follows me").click()
        inside.locator("body").press("Escape")
        target = shows(teacher, f"{follow}.pathname")
        shows(teacher, f"({follow}.click(), 0)")
        wait_until(phone, "place.pathname", target)
        for window in (teacher, phone):
            window.page.goto("about:blank")


OWN = """# My lesson

```{code-cell}
import viz
from scalargrad import Value

x = Value(3)
h = x * x
z = h + 4 * x
viz.draw(z, gradients={}, theme="auto")
```

:::{predict} What is $\\frac{dz}{dx}$ at {eval}`x.data`?
:right: 2
:believes: M93 - M30

- 6

  This is the path over $h$ alone.
- 10, since two paths lead from $x$ to $z$, and the effects of both add, each with the product of its factors

  Right: $6 + 4$.
- 24

  Effects add.
:::

```{code-cell}
viz.play(z)
```
"""


def test_a_file_of_a_teachers_own_is_taught_from_the_code_to_the_report(visit, tmp_path, monkeypatch, picture):
    """Its cells run, its drawing stands beside its question, its player is followed, and the report names what was believed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.md").write_text(OWN, encoding="utf-8")
    with class_about("mine.md", tmp_path / "class.jsonl") as served:
        address, _, token = served.teacher.partition("#")
        teacher = visit(f"#{token}", server=address)
        phones = [visit(f"#{served.desk.code}", server=served.students, viewport=size) for size in (PHONE, SMALL)]
        press = lambda name: teacher.page.get_by_role("button", name=name).click()

        def vote(*choices):
            for phone, choice in zip(phones, choices):
                phone.page.get_by_role("radio").nth(choice).click()
                appears(phone, "Your answer is in")

        for phone in phones:
            join(phone.page)
        press("Ask the first question")
        appears(phones[0], "at 3?")
        vote(0, 2)
        for player in (teacher, *phones):
            assert "x = 3" in player.page.locator(".beside img").get_attribute("alt") and not player.page.evaluate(WIDER)
            assert player.page.evaluate("() => document.querySelector('.beside img').naturalWidth") > 100
        picture(teacher, "class-own-teacher")
        picture(phones[1], "class-own-phone")
        for name in ("Close the vote", "Discuss in pairs", "Vote again"):
            press(name)
        vote(1, 1)
        press("Close the second vote")
        press("Show the answer")
        appears(phones[1], "Right.")
        appears(teacher, "One path is followed")
        press("Follow me")
        teacher.page.frame_locator("iframe").locator("#controls button").first.wait_for()
        teacher.page.frame_locator("iframe").locator("body").press("ArrowRight")
        wait_for_step(phones[0], "#step=2")
        press("End: what the class believes")
        appears(phones[0], "Thank you.")
        for window in (teacher, *phones):
            window.page.goto("about:blank")
    assert main(["teach", "report", "class.jsonl", "-o", "class.html"]) == 0
    report = visit(tmp_path / "class.html").page.locator("body").inner_text()
    assert "My lesson" in report and "One path is followed" in report and "M93" in report


CHOICE = "The total derivative of a variable is a sum over all its children, of their total derivatives times partial derivatives, so "
LONG = f"""# A lesson of long choices

```{{code-cell}}
import viz
from scalargrad import Value

def f(a, b):
    c = a * b + a
    d = c.tanh() * b
    return c * d - a

a, b = Value(3), Value(-2)
z = f(a, b)
viz.draw(z, gradients={{}}, theme="auto")
```

:::{{predict}} Backpropagation has visited $z$ and wants to go on. Which variable may be visited next, and what has to be true of it before?
:right: 1
:show: z = f(a, b)
:draw: z

- {CHOICE} each of these must be complete before it becomes a factor of the sum. No order is right that visits a child later.

  Right.
- {CHOICE} it does not matter which of them is visited first: a sum has the same value in each order of its terms.

  Their values must be there.
- {CHOICE} the inputs come first, since a partial derivative is known only when both factors of a product are known.

  These are values, not derivatives.
- {CHOICE} each variable is visited once for each path that leads from it to the result, and the results are added at the end.

  Once is enough.
:::
"""
MEASURED = """() => {
    const main = document.querySelector("main"), all = selector => [...main.querySelectorAll(selector)];
    const image = main.querySelector(".picture img"), shown = { width: image.clientWidth, height: image.clientHeight };
    return {
        hidden: main.scrollHeight - main.clientHeight,
        cut: Math.max(...all(".option, .beside > *").map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)),
        picture: 11 * Math.min(...["width", "height"].map(side => shown[side] / image.getAttribute(side))),
        letters: Math.min(...all(".option > span").map(span => parseFloat(getComputedStyle(span).fontSize))),
    };
}"""


@every_browser
def test_four_long_choices_a_picture_and_a_program_are_in_view_and_as_large_as_they_fit(visit, tmp_path, picture):
    """Each letter of a choice is 2.4 % of the projector's height or more in a vote, and 1.9 % when answers and replies are there."""
    (tmp_path / "long.md").write_text(LONG, encoding="utf-8")
    with class_about(str(tmp_path / "long.md"), tmp_path / "class.jsonl") as served:
        address, _, token = served.teacher.partition("#")
        projector = visit(f"#{token}", server=address, viewport={"width": 1280, "height": 720})
        for phase, shown, least in (
            ("open", "9 of 9 answered", 17),
            ("closed", "The vote is closed", 17),
            ("discuss", "Discuss in pairs:", 17),
            ("second", "9 of 9 answered", 17),
            ("both", "Both votes", 15),
            ("reveal", "What the answers show", 14),
        ):
            served.desk.do({"do": "phase", "phase": phase, **({"question": 0} if phase == "open" else {})})
            if phase in ("open", "second"):
                served.desk.do({"do": "hand", "question": 0, "round": 1 + (phase == "second"), "choice": 1, "count": 9})
            appears(projector, shown)
            found = projector.page.evaluate(MEASURED)
            assert found["hidden"] <= 0 and found["cut"] <= 0, f"{phase}: {found}"
            assert found["letters"] > least - 0.2 and found["picture"] >= 0.5 * found["letters"], f"{phase}: {found}"
        picture(projector, "class-long-reveal")
        projector.page.goto("about:blank")


WATCHED = """
    const Source = window.EventSource, ask = window.fetch;
    window.answers = 0;
    window.EventSource = class extends Source {
        constructor(path) {
            super(path);
            window.source = this;
            this.addEventListener("message", ({ data }) => (window.newest = JSON.parse(data)));
        }
    };
    const counted = answer => ({ ok: answer.ok, status: answer.status, json: async () => {
        setTimeout(() => (window.answers += 1)); // after what waits for the answer
        return answer.json();
    } });
    window.fetch = (...given) => ask(...given).then(answer => (given[0] === "lead" ? counted(answer) : answer));"""


def test_a_state_that_is_older_than_a_windows_own_step_does_not_bring_it_back(served, visit):
    """It was sent before the step, and comes after the step's answer. A newer one, of another window, brings it there."""
    address, _, token = served.teacher.partition("#")
    teacher = visit(f"#{token}", server=address, alone=True)
    teacher.page.add_init_script(WATCHED)
    teacher.page.reload()
    teacher.page.get_by_role("button", name="Follow me").click()
    inside, room = teacher.page.frame_locator("iframe"), served.desk.room
    inside.locator("#controls button").first.wait_for()
    for step in (2, 3):
        inside.locator("body").press("ArrowRight")
        wait_for_step(teacher, f"#step={step}")
    while room.step != "#step=3" or teacher.page.evaluate("() => answers") != room.steps + 1:  # one answer is of the phase
        teacher.page.wait_for_timeout(20)
    comes = """steps => {
        source.onmessage({ data: JSON.stringify({ ...newest, step: "#step=2", steps }) });
        return document.querySelector("iframe").contentWindow.location.hash;
    }"""
    assert teacher.page.evaluate(comes, room.steps - 1) == "#step=3"
    assert teacher.page.evaluate(comes, room.steps + 1) == "#step=2"
    teacher.page.goto("about:blank")
