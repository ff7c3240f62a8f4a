"""The tiers: one list says their order, and from where on a program can read no solution."""

import json
import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tutorial.grading import gvisor, probing, seccomp, tiers
from tutorial.grading.probing import strongest, table, why_not, works
from tutorial.grading.runner import Runner
from tutorial.grading.tiers import CHOSEN_BY_NAME, CONFINED, TIERS, keeps_signals, tier
from tutorial.grading.visible import visible


def test_the_order_of_the_tiers_says_which_are_confined():
    assert ("practice", "process", *CONFINED) == TIERS and set(CHOSEN_BY_NAME) < set(CONFINED)
    assert [name for name, text in table()] == list(TIERS)
    assert strongest() not in CHOSEN_BY_NAME


def test_a_tier_keeps_signals_if_its_processes_are_apart_or_landlock_or_seccomp_can(monkeypatch):
    for version, missing, kept in ((3, "no seccomp", {"bwrap", "gvisor"}), (3, "", set(CONFINED)), (6, "no seccomp", set(CONFINED))):
        monkeypatch.setattr(tiers, "abi", lambda version=version: version)
        monkeypatch.setattr(seccomp, "missing", lambda missing=missing: missing)
        assert {name for name in TIERS if keeps_signals(name)} == kept


def test_a_tier_says_what_it_does_not_keep(monkeypatch):
    monkeypatch.setattr(seccomp, "missing", lambda: "")
    assert "it does not reach other processes (signals, limits, priorities)" in tier("landlock").guarantees
    monkeypatch.setattr(seccomp, "missing", lambda: "this kernel has no seccomp")
    assert "but it reaches other processes" in tier("landlock").guarantees and tier("landlock").guarantees.endswith("no seccomp")


def test_a_program_that_is_not_installed_is_named_with_its_package(monkeypatch):
    monkeypatch.setattr(probing, "which", lambda name: None)
    assert why_not.__wrapped__("gvisor") == "the program runsc is not installed; on Debian and Ubuntu: apt install runsc"
    assert why_not.__wrapped__("bwrap") == "the program bwrap is not installed; on Debian and Ubuntu: apt install bubblewrap"


def test_the_bundle_has_no_network_no_rights_and_nothing_to_write_but_its_folder():
    files = visible()
    made = gvisor.bundle(["python"], gvisor.mounts(*json.loads(json.dumps(files))))
    assert {"type": "network"} in made["linux"]["namespaces"] and made["process"]["capabilities"] == {} and made["root"]["readonly"]
    writable = {mount["destination"] for mount in made["mounts"] if "ro" not in mount.get("options", ())}
    assert writable == {"/proc", gvisor.ROOM}
    assert {mount["destination"] for mount in made["mounts"] if mount["type"] == "bind"} == {*files.shown, *files.after}


def below(pid):
    """Return the processes that a process has started, and those that they have."""
    with suppress(OSError):
        children = [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        return [*children, *(found for child in children for found in below(child))]
    return []


def runs(pid):
    """Return whether a process has not ended, even if its parent has not read its exit code yet."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def test_gvisor_leaves_no_process_and_no_file_behind():
    if not works("gvisor"):
        pytest.skip(f"gVisor does not work here: {why_not('gvisor')}")
    with tempfile.NamedTemporaryFile(dir="/tmp") as other, Runner(tier("gvisor")) as ask:
        (answer,) = ask("import os\ndef seen(): return os.listdir('/tmp'), os.getuid()", "seen", [()], [100])
        folder, processes = ask.worker.process.folder, below(ask.worker.process.process.pid)
        seen, user = answer.value
        assert os.path.basename(other.name) not in seen and user == gvisor.NOBODY and processes
    for _ in range(600):
        if not any(map(runs, processes)):
            break
        time.sleep(0.1)
    assert not any(map(runs, processes)) and not os.path.exists(folder)
