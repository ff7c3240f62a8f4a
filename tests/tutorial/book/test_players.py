"""Frames of the book's pages get files of their own."""

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


def test_a_page_without_frames_is_left_alone(tmp_path):
    (tmp_path / "index.html").write_text("<p>no frame</p>", encoding="utf-8")
    in_files(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]
