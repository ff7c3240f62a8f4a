"""The attack corpus: each program of attacks/ gets no score at each tier that works here, and ends in one clear line.

The lines below the docstring of an attack say what must happen:
    # title: the title of the verdict, as a regular expression
    # exercise: its number, if it is not 02
    # from: the weakest tier that withstands it
    # wait: seconds until it is stopped, for one that takes no time of the processor
    # needs: signals, if the tier must keep it from sending signals to other processes
"""

import os
import re
import socket
from pathlib import Path

import pytest

from tutorial.exercises.authored import find
from tutorial.exercises.check import check
from tutorial.exercises.verdict import RIGHT
from tutorial.grading.landlock import NETWORK_ABI, abi
from tutorial.grading.probing import why_not, works
from tutorial.grading.runner import Bounds, Runner
from tutorial.grading.tiers import CHOSEN_BY_NAME, CONFINED, TIERS, keeps_signals, tier

FOLDER = Path(__file__).parent / "attacks"
ATTACKS = sorted(FOLDER.glob("*.py"))
TRIED = ("process", *CONFINED)
TRACE = Path("/tmp/gradsteps-attack")
BOUNDS = Bounds(seconds=1, wait=120, memory=1 << 30)
SECONDS = {"gvisor": 4}  # there, each file that is imported takes time of the processor

pytestmark = pytest.mark.skipif(os.name != "posix", reason="only POSIX limits a process")


def facts_of(text):
    return dict(re.findall(r"^# (title|exercise|from|wait|needs): (.*)$", text, re.M))


@pytest.fixture(params=[pytest.param(name, marks=[pytest.mark.slow] * (name in CHOSEN_BY_NAME)) for name in TRIED])
def here(request):
    """A tier that works on this machine."""
    if not works(request.param):
        pytest.skip(f"tier {request.param} does not work here")
    return tier(request.param)


@pytest.fixture(autouse=True)
def no_trace():
    TRACE.unlink(missing_ok=True)
    yield
    TRACE.unlink(missing_ok=True)


def withstands(here, program, facts):
    """Assert that an attack at this tier ends as its facts say."""
    bounds = BOUNDS._replace(wait=float(facts.get("wait", BOUNDS.wait)), seconds=SECONDS.get(here.name, BOUNDS.seconds))
    with Runner(here, bounds) as ask:
        verdict = check(find(facts.get("exercise", "02")), program, ask=ask)
    assert verdict.state != RIGHT
    assert re.fullmatch(facts["title"], verdict.title), verdict
    assert verdict.title.isprintable() and verdict.said.isprintable()
    assert not TRACE.exists()


@pytest.mark.parametrize("path", ATTACKS, ids=lambda path: path.stem)
def test_an_attack_gets_no_score_and_ends_in_one_line(path, here):
    program = path.read_text(encoding="utf-8")
    facts = facts_of(program)
    if TIERS.index(here.name) < TIERS.index(facts.get("from", "process")):
        pytest.skip(f"this needs tier {facts['from']}")
    if facts.get("needs") == "signals" and not keeps_signals(here.name) and os.geteuid() != 0:
        pytest.skip("this kernel lets the process signal others of the same user")
    withstands(here, program, facts)


def test_the_next_student_is_right_after_all_attacks(here):
    for number in ("02", "08"):
        with Runner(here) as ask:
            assert check(find(number), find(number).solution, ask=ask).state == RIGHT


@pytest.mark.parametrize("name", CHOSEN_BY_NAME)
def test_a_tier_that_is_chosen_by_name_keeps_the_solutions_and_the_grader(name):
    if not works(name):
        pytest.skip(f"tier {name} does not work here: {why_not(name)}")
    for attack in ("read_the_solution", "kill_the_grader"):
        program = (FOLDER / f"{attack}.py").read_text(encoding="utf-8")
        withstands(tier(name), program, facts_of(program))


def test_no_connection_leaves_a_confined_program(here):
    if here.name in CONFINED and here.readable and abi() < NETWORK_ABI:
        pytest.skip("this kernel's Landlock does not know the network")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        program = (FOLDER / "open_a_connection.py").read_text(encoding="utf-8").replace("PORT = 9", f"PORT = {listener.getsockname()[1]}")
        with Runner(here, BOUNDS._replace(seconds=SECONDS.get(here.name, BOUNDS.seconds))) as ask:
            assert check(find("02"), program, ask=ask).state != RIGHT
        try:
            listener.accept()[0].close()
            arrived = True
        except BlockingIOError:
            arrived = False
    assert arrived == (here.name not in CONFINED)  # the weak tier shows that the attack is a real one
