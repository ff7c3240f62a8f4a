"""Write into the memory of the parent, which starts the processes of the next students."""
# title: The program raised (PermissionError|FileNotFoundError|OSError|ProcessLookupError)|y1 is missing
# from: landlock

import os


def figure1(x1, x2, x3, x4):
    with open(f"/proc/{os.getppid()}/maps") as maps, open(f"/proc/{os.getppid()}/mem", "r+b") as memory:
        for line in maps:
            if "[heap]" in line:
                memory.seek(int(line.partition("-")[0], 16))
                memory.write(bytes(4096))
    return {}
