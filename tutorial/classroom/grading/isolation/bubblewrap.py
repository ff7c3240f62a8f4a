"""Start a program in bubblewrap: namespaces of its own, a file system of read-only folders, no network, no rights."""

from tutorial.classroom.grading.isolation.visible import visible

HOME = "/tmp"
NOBODY = "65534"
SIZE = str(64 << 20)  # bytes of its folder for temporary files


def bubblewrap() -> tuple[str, ...]:
    """Return the words before the command that is to be started."""
    files = visible()
    command = ["bwrap", "--unshare-all", "--unshare-user", "--uid", NOBODY, "--gid", NOBODY, "--cap-drop", "ALL", "--die-with-parent"]
    command += ["--size", SIZE, "--tmpfs", HOME]  # before all that may lie in it
    for path in files.shown:
        command += ["--ro-bind", path, path]
    for path in files.emptied:
        command += ["--tmpfs", path]
    for path in files.after:
        command += ["--ro-bind", path, path]
    command += ["--proc", "/proc", "--dev", "/dev"]
    for path in (*files.emptied, "/dev", "/"):
        command += ["--remount-ro", path]
    return (*command, "--chdir", HOME)
