"""The tiers: one list says their order, and from where on a program can read no solution."""

from tutorial.classroom.grading import working_tiers
from tutorial.classroom.grading.isolation import seccomp, tiers
from tutorial.classroom.grading.isolation.tiers import CHOSEN_BY_NAME, CONFINED, TIERS, keeps_signals, tier
from tutorial.classroom.grading.working_tiers import strongest, table, why_not


def test_the_order_of_the_tiers_says_which_are_confined():
    assert ("practice", "process", *CONFINED) == TIERS and set(CHOSEN_BY_NAME) < set(CONFINED)
    assert [name for name, text in table()] == list(TIERS)
    assert strongest() not in CHOSEN_BY_NAME


def test_a_tier_keeps_signals_if_its_processes_are_apart_or_landlock_or_seccomp_can(monkeypatch):
    for version, missing, kept in ((3, "no seccomp", {"bwrap"}), (3, "", set(CONFINED)), (6, "no seccomp", set(CONFINED))):
        monkeypatch.setattr(tiers, "abi", lambda version=version: version)
        monkeypatch.setattr(seccomp, "missing", lambda missing=missing: missing)
        assert {name for name in TIERS if keeps_signals(name)} == kept


def test_a_tier_says_what_it_does_not_keep(monkeypatch):
    monkeypatch.setattr(seccomp, "missing", lambda: "")
    assert "it does not reach other processes (signals, limits, priorities)" in tier("landlock").guarantees
    monkeypatch.setattr(seccomp, "missing", lambda: "this kernel has no seccomp")
    assert "but it reaches other processes" in tier("landlock").guarantees and tier("landlock").guarantees.endswith("no seccomp")


def test_a_program_that_is_not_installed_is_named_with_its_package(monkeypatch):
    monkeypatch.setattr(working_tiers, "which", lambda name: None)
    assert why_not.__wrapped__("bwrap") == "the program bwrap is not installed; on Debian and Ubuntu: apt install bubblewrap"
