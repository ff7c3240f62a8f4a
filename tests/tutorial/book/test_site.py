"""Building the book says what is missing, and formulas become MathML."""

import sys
from html import unescape

from tutorial.book import site
from tutorial.cli.main import main
from tutorial.text.mathml import mathml


def test_without_its_packages_the_command_says_what_to_install(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(site, "PACKAGES", ("no_such_package",))
    assert main(["build", "-o", str(tmp_path / "site")]) == 2
    assert "the book needs the package no_such_package: run `pip install -e '.[tutorial]'`" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_chain_rule_is_a_formula_without_a_script():
    found = unescape(mathml(r"\frac{dz}{dx} = \sum_{y \in c(x)} \frac{dz}{dy}", "block"))
    assert found.startswith('<math display="block">') and "<mfrac>" in found and "∑" in found and "xmlns" not in found


def test_a_build_whose_kernel_found_its_port_taken_is_tried_again(tmp_path):
    doctrees = tmp_path / "doctrees"
    program = f"""import os, sys
if os.path.exists({str(doctrees)!r}):
    sys.exit("ZMQError: Address already in use")
os.mkdir({str(doctrees)!r})"""
    doctrees.mkdir()
    assert site.run_again_if_a_port_was_taken([sys.executable, "-c", program], doctrees, print) == (0, "")
    assert doctrees.exists()  # the second try made it


def test_a_mistake_in_a_chapter_is_not_tried_again(tmp_path):
    program = f"open({str(tmp_path / 'tries')!r}, 'a').write('x'); raise SystemExit('ZeroDivisionError')"
    code, said = site.run_again_if_a_port_was_taken([sys.executable, "-c", program], tmp_path / "doctrees", print)
    assert (code, said.strip()) == (1, "ZeroDivisionError") and (tmp_path / "tries").read_text() == "x"


def test_a_build_compiles_each_module_once_also_where_python_writes_no_compiled_files(monkeypatch):
    where = lambda: {name: site.told("folder").get(name) for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")}
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert where() == {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": "folder"}
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE")
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    assert where() == dict.fromkeys(where())  # beside the sources
