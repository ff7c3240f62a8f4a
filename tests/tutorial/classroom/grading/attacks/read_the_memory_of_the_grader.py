"""Read the memory of the process that compares."""
# title: The program raised (PermissionError|FileNotFoundError|OSError|ProcessLookupError)|y1 is missing
# bwrap: The keys are other ones|The program raised PermissionError
# from: landlock

import os


def figure1(x1, x2, x3, x4):
    with open(f"/proc/{os.getppid()}/maps") as maps, open(f"/proc/{os.getppid()}/mem", "rb") as memory:
        for line in maps:
            if "[heap]" in line:
                memory.seek(int(line.partition("-")[0], 16))
                return {"heap": len(memory.read(4096))}
    return {}
