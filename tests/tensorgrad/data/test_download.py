"""Downloads from a server on this machine: whole, in parts, from the second mirror, wrong, interrupted. No test leaves the machine."""

import hashlib
import http.server
import re
import threading

import numpy as np
import pytest

from tensorgrad.data import mnist
from tensorgrad.data.download import PublishedFile, fetch
from tests.tensorgrad.data.made_files import mnist_files

CONTENT = np.random.default_rng(0).bytes(700_000)  # some pieces
CHECKSUM = hashlib.sha256(CONTENT).hexdigest()


class Server:
    """A server of files; it can break connections, ignore ranges, or send other bytes."""

    def __init__(self):
        self.files, self.asked, self.breaks_after, self.ranges = {}, [], [], True
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                server.answer(self)

            def log_message(self, *args):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.http.server_address[1]}/"

    def answer(self, handler):
        content = self.files.get(handler.path.strip("/"))
        wanted = handler.headers.get("Range")
        self.asked.append(wanted)
        if content is None:
            return handler.send_error(404)
        start = int(re.match(r"bytes=(\d+)-", wanted)[1]) if wanted and self.ranges else 0
        handler.send_response(206 if start else 200)
        handler.send_header("Content-Length", len(content) - start)
        if start:
            handler.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        handler.end_headers()
        end = start + self.breaks_after.pop(0) if self.breaks_after else None
        handler.wfile.write(content[start:end])
        handler.close_connection = True


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    made = Server()
    thread = threading.Thread(target=made.http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    made.files["a.bin"] = CONTENT
    yield made
    made.http.shutdown()
    made.http.server_close()
    thread.join()


def published(server, *names, checksum=CHECKSUM):
    return PublishedFile("a.bin", len(CONTENT), checksum, tuple(server.address + name for name in names or ["a.bin"]))


def test_a_file_arrives_whole_and_progress_counts_up_to_its_size(server, tmp_path):
    seen = []
    path = fetch(published(server), tmp_path / "new", lambda *progress: seen.append(progress))
    assert path.read_bytes() == CONTENT and [p.name for p in path.parent.iterdir()] == ["a.bin"]
    counts = [done for _, done, _ in seen]
    assert counts == sorted(counts) and seen[-1] == ("a.bin", len(CONTENT), len(CONTENT)) and len(seen) > 1


def test_a_file_that_is_there_is_checked_and_not_fetched_again(server, tmp_path):
    (tmp_path / "a.bin").write_bytes(CONTENT)
    fetch(published(server), tmp_path)
    assert not server.asked
    (tmp_path / "a.bin").write_bytes(CONTENT[:-1])
    with pytest.raises(ValueError, match=r"a.bin: its sha256 is \w+, the published file has \w+; delete it and fetch it again"):
        fetch(published(server), tmp_path)


def test_a_connection_that_breaks_is_continued_where_it_broke(server, tmp_path):
    server.breaks_after = [300_000]
    assert fetch(published(server), tmp_path).read_bytes() == CONTENT
    assert server.asked == [None, "bytes=300000-"]


def test_a_later_call_continues_a_partial_file(server, tmp_path):
    server.breaks_after = [200_000, 100_000]
    with pytest.raises(OSError, match=r"a.bin was not downloaded \(.*the connection ended after 300000 of 700000 bytes\); call again to"):
        fetch(published(server), tmp_path)
    assert [(p.name, p.stat().st_size) for p in tmp_path.iterdir()] == [("a.bin.part", 300_000)]
    assert fetch(published(server), tmp_path).read_bytes() == CONTENT and server.asked[-1] == "bytes=300000-"


def test_an_interruption_keeps_what_has_arrived(server, tmp_path):
    def interrupt(name, done, size):
        if done > 250_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(published(server), tmp_path, interrupt)
    kept = (tmp_path / "a.bin.part").read_bytes()
    assert 250_000 < len(kept) < len(CONTENT) and kept == CONTENT[: len(kept)]
    assert fetch(published(server), tmp_path).read_bytes() == CONTENT


def test_a_server_without_ranges_sends_all_again(server, tmp_path):
    server.ranges = False
    (tmp_path / "a.bin.part").write_bytes(b"x" * 1000)
    assert fetch(published(server), tmp_path).read_bytes() == CONTENT and server.asked == ["bytes=1000-"]


def test_the_second_mirror_is_asked_if_the_first_has_no_file_or_a_wrong_one(server, tmp_path):
    server.files["wrong"] = bytes(len(CONTENT))
    server.files["short"] = CONTENT[:50]
    assert fetch(published(server, "none", "short", "wrong", "a.bin"), tmp_path).read_bytes() == CONTENT


def test_a_partial_file_of_wrong_bytes_is_fetched_anew(server, tmp_path):
    (tmp_path / "a.bin.part").write_bytes(b"x" * 1000)
    assert fetch(published(server), tmp_path).read_bytes() == CONTENT
    assert server.asked == ["bytes=1000-", None]


def test_wrong_files_everywhere_leave_nothing_and_each_mirror_has_its_reason(server, tmp_path):
    server.files["wrong"], server.files["short"] = bytes(len(CONTENT)), CONTENT[:50]
    with pytest.raises(OSError) as caught:
        fetch(published(server, "none", "wrong", "short"), tmp_path)
    message = str(caught.value)
    for part in (
        "none: HTTP Error 404",
        "wrong: ",
        "its sha256 is",
        "short: it has a file of 50 bytes, not of 700000",
        "put the file into",
    ):
        assert part in message
    assert "\n" not in message and not (tmp_path / "a.bin").exists() and not (tmp_path / "a.bin.part").exists()


def test_no_server_gives_one_error(tmp_path, monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    with pytest.raises(OSError, match="a.bin was not downloaded .*refused"):
        fetch(PublishedFile("a.bin", 1, CHECKSUM, ("http://127.0.0.1:9/a.bin",)), tmp_path)


def test_mnist_fetches_what_is_missing(server, tmp_path, monkeypatch):
    made = mnist_files(tmp_path / "there")
    for path in (tmp_path / "there").iterdir():
        server.files[path.name] = path.read_bytes()
    ours = {
        name: (PublishedFile(f"{name}.gz", len(content), hashlib.sha256(content).hexdigest(), (f"{server.address}{name}.gz",)), "")
        for name in ("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")
        for content in [server.files[f"{name}.gz"]]
    }
    monkeypatch.setitem(mnist.__globals__, "MNIST", ours)
    images, labels = mnist(tmp_path / "here", train=False, download=True).arrays
    assert (images[:, 0] == made["t10k"][0]).all() and len(server.asked) == 2
    mnist(tmp_path / "here", train=False, download=True)
    assert len(server.asked) == 2
