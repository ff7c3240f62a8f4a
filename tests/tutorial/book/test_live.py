"""A site without a playground has no live cells, and the command says why in one line."""

from tutorial.book.directives.live import cells_of
from tutorial.cli.main import main
from tutorial.reading.chapter import BOOK


def test_without_the_parts_the_book_is_built_and_one_line_says_so(tmp_path, monkeypatch, capsys):
    from tutorial.book import site

    built = []
    monkeypatch.setattr(site, "site", lambda folder, progress, playground, **papers: built.append(playground()) or folder / "index.html")
    (tmp_path / "playground").mkdir()
    assert main(["build", "-o", str(tmp_path), "--parts", str(tmp_path / "nowhere")]) == 0
    assert built == [False] and not (tmp_path / "playground").exists()
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert said.startswith("The book has no playground, so its cells show recorded results: the playground's part")


def test_the_cells_of_a_chapter_include_those_that_are_not_shown():
    found = cells_of(BOOK / "chapters" / "order-matters.md")
    assert not found[0]["shown"] and "figure1" in found[0]["source"]
    assert [cell["shown"] for cell in found].count(True) >= 6


def test_a_readers_program_need_not_be_what_the_book_asserts_of_its_own():
    """A claim of the book must not stop the cells below a program that the reader has changed."""
    found = [cell for name in ("nudge-and-slope", "inductive-chain-rule", "descent") for cell in cells_of(BOOK / "chapters" / f"{name}.md")]
    assert not [cell for cell in found if not cell["shown"] and "\nassert " in "\n" + cell["source"]]
    assert [cell for cell in found if cell["source"] == ""] and any("two_moons" in cell["source"] for cell in found if not cell["shown"])
