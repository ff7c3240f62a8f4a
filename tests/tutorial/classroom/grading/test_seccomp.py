"""System calls that reach other processes are refused: the filter for each machine is run here, and the one of this machine is tried."""

import errno
import os
import re
import struct
import subprocess
from pathlib import Path

import pytest

from tests.each import each
from tutorial.classroom.grading.fork_client import Server
from tutorial.classroom.grading.isolation import confine, seccomp
from tutorial.classroom.grading.isolation.tiers import tier
from tutorial.classroom.grading.processes import Bounds
from tutorial.classroom.grading.runner import Runner
from tutorial.classroom.grading.working_tiers import why_not, works

OWN, OTHER = 77, 78
HEADERS = ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm-generic/unistd.h")  # by column
TABLES = seccomp.REFUSED | seccomp.NO_CHILDREN | seccomp.MISSING | seccomp.OWN_ALONE
OTHERS = {"prlimit64": "PRLIMIT", "clone": "CLONE", "fcntl": "FCNTL", "openat": "OPENAT", "seccomp": "SECCOMP"}
BY_ARGUMENT = {  # a call and its arguments: what it ends in
    ("prlimit64", 0): 0,
    ("prlimit64", OTHER): errno.EPERM,
    ("kill", OWN): 0,
    ("kill", 0): errno.EPERM,
    ("kill", 2**32 - OWN): errno.EPERM,
    ("tgkill", OWN, OWN): 0,
    ("tkill", OTHER): errno.EPERM,
    ("clone", 0x3D0F00): 0,  # a thread
    ("clone", 0x1200011): errno.EAGAIN,  # fork
    ("fcntl", 0, 3): 0,
    ("fcntl", 0, 8): errno.EPERM,
    ("fcntl", 0, 15): errno.EPERM,
    ("openat", 0, 0, 0): 0,
    ("openat", 0, 0, 0o1101): errno.EACCES,
}


def run(program, machine, number, *arguments):
    """The error number that the kernel gives after a program; None if it ends the process."""
    seen = struct.pack("=IIQ6Q", number, machine, 0, *arguments, *[0] * (6 - len(arguments)))
    place, held = 0, 0
    while True:
        code, true, false, value = struct.unpack("HBBI", program[place])
        place += 1
        if code == seccomp.LOAD:
            (held,) = struct.unpack_from("=I", seen, value)
        elif code == seccomp.RETURN:
            return {seccomp.ALLOW: 0, seccomp.KILL: None}.get(value, value & 0xFFFF)
        else:
            holds = {seccomp.EQUAL: held == value, seccomp.AT_LEAST: held >= value, seccomp.HAS: bool(held & value)}[code]
            place += true if holds else false


def numbers_in(header) -> dict:
    found = re.findall(r"^#define __NR(?:3264)?_(\w+)\s+(\d+)$", Path(header).read_text(), re.M)
    return {name: int(number) for name, number in found}


@each("name", seccomp.MACHINES)
def test_each_call_ends_as_its_table_says(name):
    machine, column = seccomp.MACHINES[name]
    program = seccomp.program(machine, column, OWN, truncating=False)
    for calls, number in ((seccomp.REFUSED, errno.EPERM), (seccomp.NO_CHILDREN, errno.EAGAIN), (seccomp.MISSING, errno.ENOSYS)):
        for call, numbers in calls.items():
            assert numbers[column] is None or run(program, machine, numbers[column]) == number, call
    for (call, *arguments), number in BY_ARGUMENT.items():
        numbers = TABLES.get(call) or getattr(seccomp, OTHERS[call])
        assert run(program, machine, numbers[column], *arguments) == number, (call, arguments)
    assert run(program, machine, seccomp.LAST + 2) == errno.ENOSYS
    assert run(program, 0x40000003, 11) is None  # the call of a program of 32 bits
    assert run(program, machine, {0: 0, 1: 63}[column]) == 0  # read
    assert run(seccomp.program(machine, column, OWN, truncating=True), machine, seccomp.OPENAT[column], 0, 0, 0o1101) == 0
    assert len(program) < 4096


def test_calls_of_the_second_set_of_numbers_end_the_process():
    machine, column = seccomp.MACHINES["x86_64"]
    assert run(seccomp.program(machine, column, OWN, truncating=True), machine, seccomp.OF_32_BITS + 1) is None


@each("column", (0, 1))
def test_the_numbers_are_those_of_the_kernel(column):
    if not Path(HEADERS[column]).exists():
        pytest.skip(f"there is no {HEADERS[column]}")
    known = numbers_in(HEADERS[column])
    for name, numbers in (TABLES | {name: getattr(seccomp, table) for name, table in OTHERS.items()}).items():
        assert numbers[column] == known.get(name), name


CALLS = """
import ctypes, os, resource, socket
libc = ctypes.CDLL(None, use_errno=True)

def call(name, *arguments):
    if getattr(libc, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), name)

TRIED = {
    "UDP": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
    "abstract": lambda: socket.socket(socket.AF_UNIX).bind("\\0gradsteps-attack"),
    "netlink": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
    "memory": lambda: call("shmget", 0x5EED, 4096, 0o1666),
    "semaphores": lambda: call("semget", 0x5EED, 1, 0o1666),
    "messages": lambda: call("msgget", 0x5EED, 0o1666),
    "keyring": lambda: call("syscall", {"x86_64": 250, "aarch64": 219}[os.uname().machine], 0, -4, 1),
    "priority": lambda: os.setpriority(os.PRIO_PROCESS, 0, 3),
    "place": lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)),
    "limits": lambda: resource.prlimit(os.getpid(), resource.RLIMIT_CPU),
    "debugger": lambda: call("ptrace", 0, 0, 0, 0),
    "namespace": lambda: call("unshare", 0x10000000),
    "signal": lambda: os.kill(os.getppid(), 0),
    "group": lambda: os.killpg(os.getpgrp(), 0),
}

def reached(*names):
    found = []
    for name in names or TRIED:
        try:
            TRIED[name]()
            found.append(name)
        except PermissionError:
            pass
        except OSError as wrong:
            found.append(f"{name}: {wrong}")
    return found
"""


@pytest.mark.parametrize("name", ["landlock", "bwrap"])
def test_a_confined_program_reaches_none_of_what_is_refused(name):
    if not works(name) or seccomp.missing():
        pytest.skip(why_not(name) or seccomp.missing())
    server = Server(tier(name), Bounds())
    for made in (None, server):
        with Runner(tier(name), Bounds(), made) as ask:
            (answer,) = ask(CALLS, "reached", [()], [10_000])
        assert answer.value == []
    server.close()


def test_the_weak_tier_shows_that_these_calls_are_real_ones():
    if not works("process") or seccomp.missing():
        pytest.skip(why_not("process") or seccomp.missing())
    with Runner(tier("process")) as ask:
        (answer,) = ask(CALLS, "reached", [("UDP", "limits", "group")], [10_000])
    assert answer.value == ["UDP", "limits", "group"]


def test_a_filtered_program_computes():
    program = """
import numpy as np, random, tempfile, threading, fractions, collections, warnings
def f(n):
    lines = []
    try:
        threading.Thread(target=lines.append, args=(1,)).start()
    except RuntimeError:
        pass
    return float((np.ones((n, n)) @ np.ones((n, n))).sum() + np.linalg.inv(np.eye(n)).sum())
"""
    for name in ("landlock", "bwrap"):
        if works(name):
            with Runner(tier(name)) as ask:
                assert ask(program, "f", [(64,)], [100_000])[0].value == 64**3 + 64


TOUCHES = """
import fcntl, os, resource, signal

def send_by_a_pipe(pid):
    there, here = os.pipe()
    fcntl.fcntl(there, 10, signal.SIGKILL)  # F_SETSIG
    fcntl.fcntl(there, fcntl.F_SETOWN, pid)
    fcntl.fcntl(there, fcntl.F_SETFL, fcntl.fcntl(there, fcntl.F_GETFL) | os.O_ASYNC)
    os.write(here, b"x")

WAYS = (
    lambda pid: resource.prlimit(pid, resource.RLIMIT_CPU, (1, 1)),
    lambda pid: resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, 3)),
    lambda pid: os.setpriority(os.PRIO_PROCESS, pid, 19),
    lambda pid: os.sched_setaffinity(pid, {min(os.sched_getaffinity(0))}),
    lambda pid: os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0)),
    lambda pid: signal.pidfd_send_signal(os.pidfd_open(pid), signal.SIGKILL),
    send_by_a_pipe,
)

def touched(pid):
    found = []
    for k, way in enumerate(WAYS):
        try:
            way(pid)
            found.append(k)
        except OSError:
            pass
    return found
"""


def about(pid):
    """What others can change of a process: its limits, its priority, its place."""
    return (
        Path(f"/proc/{pid}/limits").read_text(),
        os.getpriority(os.PRIO_PROCESS, pid),
        os.sched_getaffinity(pid),
        os.sched_getscheduler(pid),
    )


def test_a_program_changes_nothing_of_another_process_of_its_user():
    if not works("landlock") or seccomp.missing():
        pytest.skip(why_not("landlock") or seccomp.missing())
    owner = {"user": confine.NOBODY, "group": confine.NOBODY} if os.geteuid() == 0 else {}  # as whom programs run
    neighbour = subprocess.Popen(["sleep", "600"], cwd="/", **owner)
    try:
        before = about(neighbour.pid)
        for name, touched in (("landlock", []), ("process", [0, 1, 2, 3, 4, 5, 6])):
            with Runner(tier(name)) as ask:
                (answer,) = ask(TOUCHES, "touched", [(neighbour.pid,)], [10_000])
            assert answer.value == touched, name  # the weak tier shows that these are real ways
            if name == "landlock":
                assert about(neighbour.pid) == before and neighbour.poll() is None
    finally:
        neighbour.kill()
        neighbour.wait()
