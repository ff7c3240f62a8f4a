"""Frames of the book's pages get files of their own."""

import re

import viz
from scalargrad import Trace, Value
from tutorial.book.directives.finished_pages import in_files
from tutorial.graphs.matrices import fan_out


def test_a_frame_with_a_page_as_text_shows_a_file_with_this_page(tmp_path):
    (tmp_path / "chapters").mkdir()
    chapter = tmp_path / "chapters" / "one.html"
    chapter.write_text('<p>before</p><iframe srcdoc="&lt;p&gt;a &amp;amp; b&lt;/p&gt;" sandbox="allow-scripts"></iframe>', encoding="utf-8")
    in_files(tmp_path)
    (page,) = (tmp_path / "players").iterdir()
    assert page.read_text(encoding="utf-8") == "<p>a &amp; b</p>"
    shown = f'<iframe loading="lazy" src="../players/{page.name}" sandbox="allow-scripts"></iframe>'
    assert chapter.read_text(encoding="utf-8") == f"<p>before</p>{shown}"


def test_players_share_their_style_and_script(tmp_path):
    players = [viz.play(of(Value(3.0, name="x"))) for of in (lambda x: x * x, lambda x: x + x)]
    (tmp_path / "index.html").write_text("".join(player._repr_html_() for player in players), encoding="utf-8")
    in_files(tmp_path)
    files = sorted((tmp_path / "players").iterdir(), key=lambda path: path.suffix)
    assert [path.suffix for path in files] == [".css", ".html", ".html", ".js"]
    assert max(path.stat().st_size for path in files[1:3]) < 0.2 * len(players[0].html)
    assert "sandbox" not in (tmp_path / "index.html").read_text(encoding="utf-8")  # in such a frame, a page on a disk gets no script


def test_players_of_all_kinds_share_their_scripts(tmp_path):
    x, held = Value(3.0, name="x"), fan_out()
    right = Trace(x * x)
    players = [viz.play(right), viz.play(held["z"]), viz.play(right, beside=right), viz.play(x * x, schedule="tape"), viz.slides(x + x)]
    (tmp_path / "index.html").write_text("".join(player._repr_html_() for player in players), encoding="utf-8")
    in_files(tmp_path)
    scripts = sorted((path.stat().st_size for path in (tmp_path / "players").glob("*.js")), reverse=True)
    assert len(scripts) == 3 and sum(scripts) < 160_000  # of all, of a comparison, of slides
    assert len(list((tmp_path / "players").glob("*.html"))) == len(players)


def test_a_page_without_frames_is_left_alone(tmp_path):
    (tmp_path / "index.html").write_text("<p>no frame</p>", encoding="utf-8")
    in_files(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]


def test_players_of_earlier_builds_are_removed_and_those_of_pages_that_were_not_built_again_stay(tmp_path):
    frame_of = lambda z: viz.play(z)._repr_html_()
    x = Value(3.0, name="x")
    one, two = tmp_path / "chapters" / "one.html", tmp_path / "two.html"
    one.parent.mkdir()
    one.write_text(frame_of(x * x), encoding="utf-8")
    two.write_text(frame_of(x + x) + '<iframe srcdoc="a small page"></iframe>', encoding="utf-8")
    in_files(tmp_path)
    folder = tmp_path / "players"
    before = {path.name for path in folder.iterdir()}
    (folder / "an-old-style.css").write_text("")
    two.write_text(frame_of(x - x), encoding="utf-8")  # this chapter was edited; the other one was not
    in_files(tmp_path)
    after = {path.name for path in folder.iterdir()}
    shown = {name for page in (one, two) for name in re.findall(r'src="(?:\.\./)?players/(.*?)"', page.read_text(encoding="utf-8"))}
    assert len(before) == 5 and len(after) == 4 and len(shown) == 2 and shown < after  # two players, their style and their script
    assert len(before & after) == 3  # the other chapter's player, and what both share
    in_files(tmp_path)
    assert {path.name for path in folder.iterdir()} == after
    for page in (one, two):
        page.write_text("<p>no player</p>", encoding="utf-8")
    in_files(tmp_path)
    assert not list(folder.iterdir())
