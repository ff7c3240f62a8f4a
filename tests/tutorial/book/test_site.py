"""Building the book says what is missing, and formulas become MathML."""

from html import unescape

from tutorial.book import formulas, site
from tutorial.cli.main import main


def test_without_its_packages_the_command_says_what_to_install(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(site, "PACKAGES", ("no_such_package",))
    assert main(["build", "-o", str(tmp_path / "site")]) == 2
    assert "the book needs the package no_such_package: run `pip install -e '.[tutorial]'`" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_chain_rule_is_a_formula_without_a_script():
    found = unescape(formulas.mathml(r"\frac{dz}{dx} = \sum_{y \in c(x)} \frac{dz}{dy}", "block"))
    assert found.startswith('<math display="block">') and "<mfrac>" in found and "∑" in found and "xmlns" not in found
