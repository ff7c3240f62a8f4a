"""python -m tutorial teach live: ask a class the questions of a chapter, on phones or by raised hands."""

import asyncio
import time
import webbrowser
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from tutorial.cli.shared.browser import at_terminal, has_screen
from tutorial.cli.shared.parser import Mistake, integer, program

ABOUT = "ask a class questions, on phones or by raised hands"
DESCRIPTION = """\
Ask a class the questions of a chapter, such as 3, or of a file of your own.
Students open a page in the network of the room, by a QR code or six letters.
They vote, discuss, and vote again. Then you show both votes and the answer, and
what each wrong answer believes. They can follow your player, too. Without a
network, count raised hands with the keys A to D.
`inventory` is a test on the whole course, to be taken before it, and
`inventory-b` the same with other numbers after it. Each student answers at
their own pace, and you see their progress alone. It is a draft.
No account, no internet. Your window and its controls are on this machine alone.
The votes are in a journal, with ids instead of names. `teach live --resume`
goes on with a class whose program has ended, with the newest journal here or
with one that you name.
--check tries the network before the class, with a phone.
A file of your own is a program (.py) that plays a graph with viz.play(z). Then
you ask for its derivatives, also at any step of the player. Or it is a page
that students follow (.html), such as slides or a chapter of the built book. Or
it has questions in the form of the book (.md). A cell above a question runs,
and its drawing or its program stands beside it. M93 names what a wrong choice
believes; the line may stay out:

  # My lesson
  ```{code-cell}
  import viz
  from scalargrad import Value
  x = Value(3)
  z = x * x
  viz.draw(z)
  ```
  :::{predict} What is the derivative of $x^2$ at 3?
  :right: 2
  :believes: M93 -
  - 3

    The other factor grows, too.
  - 6

    Right: both factors grow.
  :::

`:draw: z` or `:show: y = x**2` below `:right:` shows something else beside it.
It needs the extra `class`: pip install -e ".[class]"
"""
PACKAGES = ("tornado", "segno", "latex2mathml")
PORT, LAST_PORT = 8200, 65534
JOURNAL, JOURNALS = "live-%Y-%m-%d-%H%M.jsonl", "live-*.jsonl"
REPORTED = (ValueError, OSError)


def options(parser):
    parser.add_argument(
        "lesson",
        metavar="CHAPTER",
        nargs="?",
        help="a chapter, such as 3, a file (.md, .py, .html) of your own, inventory or inventory-b; with --resume a journal",
    )
    parser.add_argument("--port", type=integer(1024, LAST_PORT), help=f"port of phones (default: {PORT}); yours is one more")
    parser.add_argument("--host", metavar="ADDRESS", help="address of this machine that the phones open (default: found)")
    parser.add_argument("--names", action="store_true", help="ask students for names; no window shows them, the journal keeps them")
    parser.add_argument("--journal", metavar="FILE", help="where the votes are kept (default: live-DATE-TIME.jsonl)")
    parser.add_argument("--check", action="store_true", help="say whether phones can reach this machine, and what to do if not")
    parser.add_argument("--resume", action="store_true", help="go on with the class of the journal CHAPTER, or of the newest one here")


def run(args):
    """Serve a class until Ctrl-C."""
    if missing := [name for name in PACKAGES if find_spec(name) is None]:
        raise Mistake(f"teach live needs {', '.join(missing)}; install the extra `class`: pip install -e '.[class]'")
    if args.check:
        return checked(args)
    if args.lesson is None and not args.resume:
        raise Mistake("teach live needs a chapter, such as 3, or with --resume a journal")
    from tutorial.reading.chapter import NoChapter

    try:
        desk = resumed(args.lesson or newest()) if args.resume else begun(args)
    except NoChapter as wrong:
        raise Mistake(wrong) from None
    except FileExistsError:
        raise Mistake(f"{args.journal} exists; choose another name, or go on with it: teach live --resume {args.journal}") from None
    try:
        asyncio.run(held(desk, args))
    except KeyboardInterrupt:
        print()
    print(f"The votes are in {desk.path}. A page of them: {program()} teach report {desk.path}")
    return 0


def checked(args):
    """Say what is right and what is wrong with the network. At a terminal, wait for a phone to try it."""
    from tutorial.classroom.live.network import IF_NOT, addresses, found, wait_for_phones

    known, port = [args.host] if args.host else addresses(), args.port or PORT
    said = found(port, known)
    for right, text in said:
        print(f"{'ok' if right else 'no'}  {text}")
    print(f"Try it: open http://{known[0]}:{port}/ on a phone." if all(right for right, _ in said) else "Mend this first.")
    print(IF_NOT, flush=True)
    if at_terminal() and all(right for right, _ in said):
        print("Waiting for the phone (Ctrl-C ends) ...", flush=True)
        with suppress(KeyboardInterrupt):
            asyncio.run(wait_for_phones(port, lambda address: print(f"ok  {address} has opened the page", flush=True)))
    return 0 if all(right for right, _ in said) else 1


def begun(args):
    """Begin a class."""
    from tutorial.classroom.live.open_class import begun
    from tutorial.classroom.live.questions.source import lesson

    print("The programs of the lesson run, for its drawings and players ...", flush=True)
    journal = Path(args.journal or time.strftime(JOURNAL))
    return begun(lesson(args.lesson), args.lesson, journal, args.names, {"host": args.host, "port": args.port})


def newest():
    """Return the journal in this folder that was written last."""
    found = sorted(Path().glob(JOURNALS), key=lambda path: path.stat().st_mtime)
    if not found:
        raise Mistake(f"this folder has no journal ({JOURNALS}); go to its folder, or name it: teach live --resume JOURNAL")
    return found[-1]


def resumed(path):
    """Go on with a class."""
    from tutorial.classroom.live.journal import Journal
    from tutorial.classroom.live.open_class import Desk, about
    from tutorial.classroom.live.questions.source import lesson

    which = about(path)["lesson"]
    return Desk(lesson(which), Journal.resume(path), Path(path))


async def held(desk, args):
    """Serve the class, say where, and open the teacher's window."""
    from tutorial.classroom.live.network import addresses
    from tutorial.classroom.live.serve import many_files, quiet, serve

    many_files()
    quiet()
    host, port = args.host or desk.about.get("host"), args.port or desk.about.get("port") or PORT
    found = [host] if host else addresses()
    try:
        served = await serve(desk, found[0], port)
    except OSError:
        desk.journal.close()
        raise Mistake(f"port {port} or {port + 1} is taken; choose another one with --port") from None
    print(f"Students: {served.students}   code {desk.code}")
    if others := found[1:]:
        print(f"This machine has other addresses, too: {', '.join(others)}. Choose one with --host.")
    print(f"You:      {served.teacher}   (Ctrl-C ends)")
    print(
        "Show your window on the projector. Its private window, for your own screen, lists questions and keys, and shows counts.",
        flush=True,
    )
    if has_screen():
        webbrowser.open(served.teacher)
    try:
        await for_ever()
    finally:
        await served.end()


async def for_ever():
    """Wait until Ctrl-C cancels this."""
    await asyncio.Event().wait()
