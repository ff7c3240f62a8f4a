"""The communicator of processes that mpirun has started. mpi4py is imported here only."""

import os
import socket
import sys
import traceback
from time import sleep

import numpy as np

from tensorgrad.parallel.communicator import Alone, Communicator, tag_of

RANKS = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK")
SIZES = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS")  # set by mpirun or srun for each process
SETTINGS = {"OMPI_MCA_mpi_yield_when_idle": "1"}  # else ranks that share a core keep it while they wait
TURN = 0.2  # seconds that each rank lets the lower ranks speak first, when all fail at once


def started_with():
    """Return the number of processes that a launcher has started, as it says; 1 without a launcher."""
    return first_number(SIZES, 1) if launched() else 1


def launched():
    """Return whether a launcher, such as mpirun, has started this process."""
    return any(name in os.environ for name in RANKS)


def launched_rank():
    """Return the rank that a launcher has given to this process; 0 without a launcher. This starts no MPI."""
    return first_number(RANKS, 0)


def first_number(names, default):
    """Return the number in the first of these environment variables that has one."""
    return next((int(os.environ[name]) for name in names if os.environ.get(name, "").isdigit()), default)


def communicator():
    """Return the communicator of all processes that were started together, or of this one alone."""
    size = started_with()
    return MPI(size) if size > 1 else Alone()


class MPI(Communicator):
    """Messages through mpi4py. Every wait looks in turns and sleeps, so that no process spins, and none waits for ever."""

    def __init__(self, size):
        super().__init__()
        for name, value in SETTINGS.items():
            os.environ.setdefault(name, value)
        try:
            from mpi4py import MPI as library
        except ImportError as wrong:
            raise ImportError(f"{size} processes need mpi4py ({wrong}); pip install 'gradsteps[distributed]'") from wrong
        self.library, self.world = library, library.COMM_WORLD
        self.rank, self.size, self.pending = self.world.rank, self.world.size, []
        if self.size != size:
            raise RuntimeError(
                f"{size} processes were started, but MPI connects {self.size}: mpirun is of another MPI than mpi4py; "
                f"use the mpirun beside {sys.executable}"
            )

    def send(self, to, array, mark):
        self.count(array)
        self.pending.append((to, self.world.Isend(bytes_of(array), to, tag_of(mark))))

    def receive(self, sender, mark, into=None):
        status = self.library.Status()
        message = self.wait(lambda: self.world.Improbe(sender, self.library.ANY_TAG, status), f"rank {sender}")
        nbytes = status.Get_count(self.library.BYTE)
        if into is None:
            into = np.empty(nbytes, np.uint8)
        self.compare(sender, status.Get_tag(), mark, nbytes, into.nbytes)
        request = message.Irecv(bytes_of(into))
        self.wait(request.Test, f"a message of rank {sender}")
        return into

    def finish_sends(self):
        for to, request in self.pending:
            self.wait(request.Test, f"rank {to} to receive")
        self.pending = []

    def me(self):
        return f"rank {self.rank} of {self.size} (process {os.getpid()} on {socket.gethostname()})"

    def abort(self, wrong):
        """Print what happened here, and end all processes. Rank r waits r · 0.2 s before, at most 4 s: so the lowest speaks first."""
        sleep(TURN * min(self.rank, 20))
        print(f"{self.me()}: {told(wrong)}", file=sys.stderr, flush=True)
        self.world.Abort(wrong.code if isinstance(wrong, SystemExit) and isinstance(wrong.code, int) else 1)


def bytes_of(array):
    """Return the memory of a contiguous array as bytes, which MPI sends as they are."""
    return array.reshape(-1).view(np.uint8)


def told(wrong):
    """Return an exception with its traceback, and what happens now. A program that exits with a message has said enough."""
    if isinstance(wrong, SystemExit):
        return f"{wrong.code}; this ends all processes"
    text = "".join(traceback.format_exception(wrong)).rstrip()
    return f"{type(wrong).__name__}: {wrong}; this ends all processes; a saved run resumes from its checkpoint file\n{text}"
