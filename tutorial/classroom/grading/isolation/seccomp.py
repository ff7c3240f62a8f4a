"""Refuse system calls that no answer needs and that reach other processes, with seccomp, which filters the calls of this process.

Landlock decides about files, TCP and signals. This filter closes what it leaves open, also its older versions: limits and priorities of
other processes of the same user, signals, shared memory, keyrings, all sockets, and the rights, owners and times of files. It needs no
privileges and no library: the kernel reads a small program of comparisons. Sources: docs.kernel.org/userspace-api/seccomp_filter.html;
the numbers of the calls are those of asm/unistd_64.h and asm-generic/unistd.h.
"""

import ctypes
import errno
import os
import struct
import sys

CLOSED = "other processes (signals, limits, priorities), sockets (UDP, too), shared memory, keyrings, rights of files"

X86_64, AARCH64 = 0xC000003E, 0xC00000B7  # what the kernel calls the machine of a call
MACHINES = {"x86_64": (X86_64, 0), "aarch64": (AARCH64, 1)}  # the column of its numbers in the tables below
SECCOMP = (317, 277)  # the call itself
LAST = 450  # later calls do not exist: Python goes on without them
OF_32_BITS = 0x40000000  # x86_64 has a second set of numbers, from here on

REFUSED = {
    # limits, priorities and places of other processes
    "setpriority": (141, 140), "ioprio_set": (251, 30), "sched_setparam": (142, 118), "sched_setscheduler": (144, 119),
    "sched_setaffinity": (203, 122), "sched_setattr": (314, 274), "migrate_pages": (256, 238), "move_pages": (279, 239),
    "process_madvise": (440, 440), "process_mrelease": (448, 448),
    # their memory, and signals that do not name one process in the first argument
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_open": (434, 434), "pidfd_getfd": (438, 438), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "bpf": (321, 280),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "pidfd_send_signal": (424, 424),
    # shared memory, semaphores and messages; keyrings; sockets
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "semget": (64, 190), "semop": (65, 193), "semtimedop": (220, 192),
    "semctl": (66, 191), "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188), "msgctl": (71, 187), "mq_open": (240, 180),
    "mq_unlink": (241, 181), "memfd_create": (319, 279), "memfd_secret": (447, 447),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "socket": (41, 198), "socketpair": (53, 199),
    # of files what Landlock does not know, or its first versions did not
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "chown": (92, None), "fchown": (93, 55), "lchown": (94, None),
    "fchownat": (260, 54), "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "removexattr": (197, 14),
    "lremovexattr": (198, 15), "fremovexattr": (199, 16), "utime": (132, None), "utimes": (235, None), "futimesat": (261, None),
    "utimensat": (280, 88), "truncate": (76, 45), "fanotify_init": (300, 262), "open_by_handle_at": (304, 265),
    # namespaces, programs, work for the whole machine
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "open_tree": (428, 428), "fsopen": (430, 430), "personality": (135, 92), "execve": (59, 221), "execveat": (322, 281),
    "sync": (162, 81), "syncfs": (306, 267),
}  # fmt: skip
NO_CHILDREN = {"fork": (57, None), "vfork": (58, None)}
MISSING = {  # Python takes an older call if these do not exist; a filter cannot see what they are asked for
    "clone3": (435, 435), "openat2": (437, 437), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
}  # fmt: skip
OWN_ALONE = {"kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131)}  # the first argument is the process
PRLIMIT, CLONE, FCNTL, OPEN, OPENAT = (302, 261), (56, 220), (72, 25), (2, None), (257, 56)
THREAD, TRUNCATE = 0x10000, 0o1000  # flags of clone and of open
WHO_GETS_SIGNALS = (8, 10, 15)  # F_SETOWN, F_SETSIG and F_SETOWN_EX: a pipe could then send a signal to any process

LOAD, EQUAL, AT_LEAST, HAS, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # instructions
ALLOW, ERROR, KILL = 0x7FFF0000, 0x00050000, 0x80000000  # what a program can return
NUMBER, MACHINE = 0, 4  # where these stand in what the program sees
SET_FILTER, ALL_THREADS, IS_KNOWN, NO_NEW_PRIVILEGES = 1, 1, 2, 38


def missing() -> str:
    """Return why this process cannot filter its system calls; "" if it can."""
    if sys.platform != "linux" or os.uname().machine not in MACHINES or sys.maxsize < 1 << 32:
        return "the system calls of this machine have other numbers"
    if seccomp(IS_KNOWN, 0, ctypes.byref(ctypes.c_uint32(ERROR))):
        return "this kernel has no seccomp, or it is switched off"
    return ""


def restrict(truncating: bool) -> None:
    """Refuse the calls from now on, in this process and its threads; with `truncating`, a file may be opened to write it anew.

    Raises OSError.
    """
    words = program(*MACHINES[os.uname().machine], os.getpid(), truncating)
    code = ctypes.create_string_buffer(b"".join(words))
    about = ctypes.create_string_buffer(struct.pack("HP", len(words), ctypes.addressof(code)))  # struct sock_fprog
    ctypes.CDLL(None).prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if seccomp(SET_FILTER, ALL_THREADS, about):
        raise OSError(ctypes.get_errno(), "the system calls cannot be filtered")


def seccomp(*arguments) -> int:
    """Return what the call of this name returns."""
    _, column = MACHINES[os.uname().machine]
    return ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(SECCOMP[column]), *arguments)


def program(machine, column, process, truncating) -> list[bytes]:
    """Return the instructions for a machine, and for the process of this number."""
    found = [word(LOAD, MACHINE), *unless(EQUAL, machine, KILL), word(LOAD, NUMBER)]
    if machine == X86_64:
        found += when(AT_LEAST, OF_32_BITS, KILL)
    found += when(AT_LEAST, LAST + 1, ERROR | errno.ENOSYS)
    for calls, number in ((REFUSED, errno.EPERM), (NO_CHILDREN, errno.EAGAIN), (MISSING, errno.ENOSYS)):
        for numbers in calls.values():
            found += of_call(numbers[column], [word(RETURN, ERROR | number)])
    for numbers in OWN_ALONE.values():
        found += of_call(numbers[column], [argument(0), *unless(EQUAL, process, ERROR | errno.EPERM)])
    found += of_call(PRLIMIT[column], [argument(0), *unless(EQUAL, 0, ERROR | errno.EPERM)])
    found += of_call(CLONE[column], [argument(0), *unless(HAS, THREAD, ERROR | errno.EAGAIN)])
    found += of_call(FCNTL[column], [argument(1), *(w for command in WHO_GETS_SIGNALS for w in when(EQUAL, command, ERROR | errno.EPERM))])
    if not truncating:
        for place, numbers in ((1, OPEN), (2, OPENAT)):
            found += of_call(numbers[column], [argument(place), *when(HAS, TRUNCATE, ERROR | errno.EACCES)])
    return [*found, word(RETURN, ALLOW)]


def word(code, value, if_true=0, if_false=0) -> bytes:
    """Return an instruction; a comparison skips so many of the next ones."""
    return struct.pack("HBBI", code, if_true, if_false, value)


def argument(k) -> bytes:
    """Return the instruction that loads the low half of argument k: the kernel reads these arguments as 32 bits, too."""
    return word(LOAD, 16 + 8 * k)


def when(comparison, value, result) -> list[bytes]:
    """Return a result if a comparison holds."""
    return [word(comparison, value, 0, 1), word(RETURN, result)]


def unless(comparison, value, result) -> list[bytes]:
    """Return a result if a comparison does not hold."""
    return [word(comparison, value, 1, 0), word(RETURN, result)]


def of_call(number, instructions) -> list[bytes]:
    """Run instructions for the call of a number, and then allow it; nothing for a call that the machine does not have."""
    if number is None:
        return []
    whole = instructions if len(instructions) == 1 else [*instructions, word(RETURN, ALLOW)]
    return [word(EQUAL, number, 0, len(whole)), *whole]
