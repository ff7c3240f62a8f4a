"""Send something to another machine."""
# title: The program raised \w+Error
# from: landlock

import socket

PORT = 9  # another test writes the port of its listener here


def figure1(x1, x2, x3, x4):
    with socket.create_connection(("127.0.0.1", PORT), timeout=2) as there:
        there.sendall(b"what I have read")
    return {}
