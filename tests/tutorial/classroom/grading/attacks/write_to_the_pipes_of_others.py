"""Write answers into all descriptors of all processes."""
# title: y1 is missing|The program (raised PermissionError|ended before it answered)
# from: landlock

import os
from contextlib import suppress

RIGHT = b'{"tuple":[{"dict":[["y1",2],["y2",1],["x1",19],["x2",2],["x3",2],["x4",16]]},"",null,"",6]}\n'


def figure1(x1, x2, x3, x4):
    for process in filter(str.isdigit, os.listdir("/proc")):
        if int(process) != os.getpid():
            with suppress(OSError):
                for descriptor in os.listdir(f"/proc/{process}/fd"):
                    with suppress(OSError):
                        os.write(os.open(f"/proc/{process}/fd/{descriptor}", os.O_WRONLY | os.O_NONBLOCK), RIGHT)
    return {}
