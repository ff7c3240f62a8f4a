"""Leave a thread that Python waits for."""
# title: y1 is missing|The program raised RuntimeError

import threading
import time


def figure1(x1, x2, x3, x4):
    threading.Thread(target=time.sleep, args=(100_000,)).start()
    return {}
