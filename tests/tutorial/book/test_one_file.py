"""A chapter as one file has all that its page took from other files, and no link that leads nowhere."""

from base64 import b64encode
from html import escape

import pytest

import viz
from scalargrad import Value
from tutorial.book.figures.figure import scripts
from tutorial.book.one_file import one_file
from tutorial.cli.commands.reading import slides
from tutorial.cli.main import main
from viz.shared_files import apart

PAGE = """<!doctype html><html><head><title>Order matters</title><link rel="next" href="b.html">
<link rel="stylesheet" type="text/css" href="../_static/book.css?v=1" /><style>b { color: red }</style></head>
<body><nav>the sidebar</nav><article role="main"><h1>Order <a href="#order">#</a></h1>
<p class="ways"><button class="start-slides">Slides</button> <a href="../notebooks/order-matters.ipynb" download title="n">Notebook</a></p>
<p><a class="reference internal" href="descent.html">next</a> <a href="https://example.org">elsewhere</a></p>
<img alt="graph" src="../_images/graph.svg" /><iframe loading="lazy" src="../players/1.html" title="a player"></iframe>
<script type="application/json" id="cells">[]</script></article></body></html>"""


@pytest.fixture
def page(tmp_path):
    """A chapter of a small site."""
    page = tmp_path / "site" / "chapters" / "order-matters.html"
    files = {
        page: PAGE,
        tmp_path / "site" / "_static" / "book.css": "@import url(more.css);\n@font-face { src: url(math.woff2) }",
        tmp_path / "site" / "_static" / "more.css": "i { color: blue }",
        tmp_path / "site" / "_static" / "math.woff2": "the font",
        tmp_path / "site" / "_static" / "one_file.js": "const slides = 1;",
        tmp_path / "site" / "_images" / "graph.svg": "<svg/>",
        tmp_path / "site" / "players" / "1.html": '<p class="player">',
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return page


def test_styles_fonts_pictures_players_and_scripts_stand_in_the_file(page):
    text = one_file(page)
    coded = lambda kind, what: f"data:{kind};base64,{b64encode(what).decode()}"
    for part in ("<title>Order matters</title>", "i { color: blue }", "b { color: red }", "const slides = 1;"):
        assert text.count(part) == 1
    assert f"url({coded('font/woff2', b'the font')})" in text and f'src="{coded("image/svg+xml", b"<svg/>")}"' in text
    assert '<iframe loading="lazy" srcdoc="&lt;p class=&quot;player&quot;&gt;" title="a player">' in text


def test_the_scripts_of_its_figures_are_in_the_file_of_a_chapter(page):
    static = page.parents[1] / "_static"
    for name in ("figures", "figure_tangent", "figure_tree"):
        (static / f"{name}.js").write_text(f"const {name} = 1;")
    assert "figure" not in one_file(page)
    tags = [f'<script src="../_static/{name}?v=1"></script>' for name in scripts(["tangent"])]
    page.write_text(PAGE.replace("</body>", "".join(tags) + "</body>"))
    shown = one_file(page)
    assert "const slides = 1;const figures = 1;const figure_tangent = 1;" in shown and "figure_tree" not in shown


def test_a_player_of_several_files_is_one_again(page):
    player = viz.play(Value(3.0, name="x") ** 2)
    text, files = apart(player.html)
    for name, content in {"1.html": text, **files}.items():
        (page.parents[1] / "players" / name).write_text(content, encoding="utf-8")
    assert f'srcdoc="{escape(player.html)}"' in one_file(page)


def test_what_belongs_to_the_site_is_left_out(page):
    text = one_file(page)
    assert "<a>next</a>" in text and '<a href="#order">' in text and '<a href="https://example.org">' in text
    assert not [part for part in ("sidebar", "Notebook", "application/json", "../", "rel=") if part in text]


def test_the_command_builds_what_is_missing_and_writes_the_file(page, tmp_path, monkeypatch, capsys):
    built = []
    monkeypatch.setattr(slides, "SITE", page.parents[1])
    monkeypatch.setattr(slides, "built", lambda folder: built.append(folder) or folder)
    assert main(["slides", "4", "-o", str(tmp_path / "order.html")]) == 0
    assert built == [page.parents[1]] and (tmp_path / "order.html").read_text() == one_file(page)
    assert capsys.readouterr().out == f"wrote {tmp_path / 'order.html'}; open it in a browser\n"


@pytest.mark.parametrize(
    "name, said", [("order.pdf", "slides need the extension .html or .htm, got 'order.pdf'"), ("no/a.html", "a.html cannot be written: ")]
)
def test_a_file_that_cannot_be_written_is_one_line_before_the_book_is_built(name, said, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(slides, "built", None)
    assert main(["slides", "4", "-o", str(tmp_path / name)]) == 2
    err = capsys.readouterr().err
    assert said in err and err.count("\n") == 1
