"""Serve the site to the browser of this machine, and to no other machine."""

import os
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

HOST = "127.0.0.1"
PORT = 8123  # the same each time, because a browser keeps the reader's place for each port


class Handler(SimpleHTTPRequestHandler):
    """Serves files. The browser asks each time whether a file has changed."""

    def end_headers(self):
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *message):
        """Say nothing: each request would be a line in the terminal."""


class Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = os.name != "nt"  # Windows would share the port with another program


@contextmanager
def served(folder, port=PORT):
    """Serve a folder inside the `with`, and return the address of its root. If the port is taken, another one is chosen.

    >>> import tempfile
    >>> with served(tempfile.mkdtemp(), 0) as address: address.startswith("http://127.0.0.1:")
    True
    """
    handler = partial(Handler, directory=os.fspath(folder))
    try:
        server = Server((HOST, port), handler)
    except OSError:
        server = Server((HOST, 0), handler)
    with server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://{HOST}:{server.server_port}/"
        finally:
            server.shutdown()
