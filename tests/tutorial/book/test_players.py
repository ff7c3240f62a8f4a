"""Frames of the book's pages get files of their own."""

import viz
from scalargrad import Value
from tutorial.book.players import in_files


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


def test_a_page_without_frames_is_left_alone(tmp_path):
    (tmp_path / "index.html").write_text("<p>no frame</p>", encoding="utf-8")
    in_files(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]
