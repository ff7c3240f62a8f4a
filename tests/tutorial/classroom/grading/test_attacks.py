"""The attack corpus: each program of attacks/ gets no score at each tier that works here, and ends in one clear line.

The lines below the docstring of an attack say what must happen:
    # title: the title of the verdict, as a regular expression
    # exercise: its number, if it is not 02
    # from: the weakest tier that withstands it
    # wait: seconds until it is stopped, for one that takes no time of the processor
    # bwrap: the title there without a server, where the parent is the first process of bubblewrap, which holds nothing
    # needs: signals, if the tier must keep it from sending signals to other processes

The processes are forked by one server for all attacks of a tier, or started anew.
"""

import os
import re
import socket
from pathlib import Path

import pytest

from tutorial.classroom.grading.fork_client import Server
from tutorial.classroom.grading.isolation.landlock import NETWORK_ABI, abi
from tutorial.classroom.grading.isolation.tiers import CHOSEN_BY_NAME, CONFINED, TIERS, keeps_signals, tier
from tutorial.classroom.grading.processes import Bounds
from tutorial.classroom.grading.runner import Runner
from tutorial.classroom.grading.working_tiers import why_not, works
from tutorial.exercises.authored import find
from tutorial.exercises.checking.check import check
from tutorial.exercises.checking.verdict import RIGHT

FOLDER = Path(__file__).parent / "attacks"
ATTACKS = sorted(FOLDER.glob("*.py"))
TRIED = ("process", *CONFINED)
TRACE = Path("/tmp/gradsteps-attack")
BOUNDS = Bounds(seconds=1, wait=120, memory=1 << 30)
LEFT = "import os\ndef left(): return [name for folder in ('.', '..', '/', '/dev', '/tmp') for name in os.listdir(folder)]"

pytestmark = [pytest.mark.processes, pytest.mark.skipif(os.name != "posix", reason="only POSIX limits a process")]


def facts_of(text):
    return dict(re.findall(r"^# (title|bwrap|exercise|from|wait|needs): (.*)$", text, re.M))


def here(name, server=False):
    """A tier that works on this machine."""
    if not works(name):
        pytest.skip(f"tier {name} does not work here: {why_not(name)}")
    if server and not Server.works_here():
        pytest.skip("there is no server here")
    return tier(name)


def why_skipped(at, facts):
    """Return why an attack is not tried at this tier, or ""."""
    if TIERS.index(at.name) < TIERS.index(facts.get("from", "process")):
        return f"this needs tier {facts['from']}"
    if facts.get("needs") == "signals" and not keeps_signals(at.name) and os.geteuid() != 0:
        return "this kernel lets the process signal others of the same user"
    return ""


def bounds_of(facts):
    return BOUNDS._replace(wait=float(facts.get("wait", BOUNDS.wait)))


def withstands(ask, program, facts):
    """Assert that an attack ends as its facts say."""
    verdict = check(find(facts.get("exercise", "02")), program, ask=ask)
    assert verdict.state != RIGHT
    assert re.fullmatch(facts["title"], verdict.title), verdict
    assert verdict.title.isprintable() and verdict.said.isprintable()


@pytest.fixture(autouse=True)
def no_trace():
    TRACE.unlink(missing_ok=True)
    yield
    assert not TRACE.exists()


@pytest.mark.parametrize("path", ATTACKS, ids=lambda path: path.stem)
@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name != "process")) for name in TRIED])
def test_an_attack_gets_no_score_and_ends_in_one_line(path, name):
    at, program = here(name), path.read_text(encoding="utf-8")
    facts = facts_of(program)
    if why := why_skipped(at, facts):
        pytest.skip(why)
    with Runner(at, bounds_of(facts)) as ask:
        withstands(ask, program, facts | {"title": facts.get(name, facts["title"])})


@pytest.fixture(scope="module")
def servers():
    """One server for each tier and each bounds, for all attacks."""
    made: dict = {}
    yield lambda at, bounds: made.setdefault((at.name, bounds), Server(at, bounds))
    for server in made.values():
        server.close()


@pytest.mark.parametrize("path", ATTACKS, ids=lambda path: path.stem)
@pytest.mark.parametrize("name", [pytest.param("process", marks=pytest.mark.slow), "landlock", "bwrap"])
def test_an_attack_reaches_neither_the_server_nor_the_next_student(path, name, servers):
    at, program = here(name, server=True), path.read_text(encoding="utf-8")
    facts = facts_of(program)
    if why := why_skipped(at, facts):
        pytest.skip(why)
    server = servers(at, bounds_of(facts))
    with Runner(at, server.bounds, server) as ask:
        withstands(ask, program, facts)
    exercise = find("02")
    for next_program, right in ((exercise.solution, True), (exercise.wrong["only-y2"].program, False)):
        with Runner(at, server.bounds, server) as ask:
            assert (check(exercise, next_program, ask=ask).state == RIGHT) == right
    with Runner(at, server.bounds, server) as ask:
        (answer,) = ask(LEFT, "left", [()], [10_000])
    assert answer.error.startswith("PermissionError") or not [name for name in answer.value if name.startswith("left-")]
    assert not list(server_children(server))


def server_children(server):
    """Yield the processes whose parent is the server, on this side of its namespaces."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = path.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):  # it has ended since
            continue
        if server.started and int(words[1]) == server.started.process.pid and not server.tier.wrapped:
            yield path


@pytest.mark.parametrize("name", TRIED[:3])
def test_the_next_student_is_right_after_all_attacks(name):
    at = here(name)
    for number in ("02", "08"):
        with Runner(at) as ask:
            assert check(find(number), find(number).solution, ask=ask).state == RIGHT


@pytest.mark.parametrize("name", CHOSEN_BY_NAME)
def test_a_tier_that_is_chosen_by_name_keeps_the_solutions_and_the_grader(name):
    at = here(name)
    for attack in ("read_the_solution", "kill_the_grader"):
        program = (FOLDER / f"{attack}.py").read_text(encoding="utf-8")
        with Runner(at, bounds_of(facts_of(program))) as ask:
            withstands(ask, program, facts_of(program))


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in CHOSEN_BY_NAME)) for name in TRIED])
def test_no_connection_leaves_a_confined_program(name):
    at = here(name)
    if name in CONFINED and at.readable and abi() < NETWORK_ABI:
        pytest.skip("this kernel's Landlock does not know the network")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        program = (FOLDER / "open_a_connection.py").read_text(encoding="utf-8").replace("PORT = 9", f"PORT = {listener.getsockname()[1]}")
        with Runner(at, bounds_of({})) as ask:
            assert check(find("02"), program, ask=ask).state != RIGHT
        try:
            listener.accept()[0].close()
            arrived = True
        except BlockingIOError:
            arrived = False
    assert arrived == (name not in CONFINED)  # the weak tier shows that the attack is a real one
