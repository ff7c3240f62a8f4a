"""Loop, and catch every exception and every signal that can be caught."""
# title: The program takes too long|The program ended before it answered

import signal


def figure1(x1, x2, x3, x4):
    for number in (signal.SIGALRM, signal.SIGXCPU, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
