"""Make the zip file that a teacher uploads to Gradescope as an autograder. It holds setup.sh, run_autograder, the package and the secret.

Gradescope unpacks it into /autograder/source, runs setup.sh once, and run_autograder for each submission. setup.sh makes an environment in
/autograder/venv; pip downloads what the package requires. AUTOGRADER_ROOT names another folder than /autograder, to try it elsewhere.
Source: gradescope-autograders.readthedocs.io/en/latest/specs/
"""

import json
from collections.abc import Sequence

from tutorial.classroom.exports.wheel import RUN_BY_ALL, SEEN_BY_ALL, SEEN_BY_OWNER, wheel, zipped
from tutorial.classroom.grading.processes import Bounds
from tutorial.exercises.authored import Exercise

SETTINGS, SECRET = "autograder.json", "secret.txt"
SECONDS = 420  # of waiting for programs, in all; Gradescope's limit is 10 minutes
MEMORY = 512 << 20  # bytes of a program; a container has 768 MiB
RUN = """\
#!/usr/bin/env bash
# Grade the submission in /autograder/submission into /autograder/results/results.json.
root=${AUTOGRADER_ROOT:-/autograder}
exec "$root/venv/bin/python" -I -m tutorial.classroom.exports.gradescope_run "$root"
"""
SETUP = """\
#!/usr/bin/env bash
# Install the package beside this file into an environment of its own. pip downloads what it requires: NumPy, rich, graphviz, graphviz-pure.
set -euo pipefail
root=${AUTOGRADER_ROOT:-/autograder}
new_enough() { command -v "$1" >/dev/null && "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; }
install() { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@"; }
python=
for name in python3 python3.14 python3.13 python3.12 python3.11; do
    if [ -z "$python" ] && new_enough "$name"; then python=$name; fi
done
if [ -z "$python" ]; then
    install python3.11 python3.11-venv
    python=python3.11
fi
"$python" -m venv "$root/venv" || { install "$python-venv" && "$python" -m venv --clear "$root/venv"; }
"$root/venv/bin/python" -m pip install -q "$root"/source/*.whl
chmod 600 "$root/source/secret.txt"
"""


def autograder(secret: bytes, exercises: Sequence[Exercise], assignment="") -> bytes:
    """Return the zip file of an autograder for these exercises."""
    bounds = Bounds(wait=min(Bounds().wait, SECONDS / len(exercises)), memory=MEMORY)
    settings = {"exercises": [exercise.number for exercise in exercises], "assignment": assignment, "bounds": bounds[:4]}
    name, package = wheel()
    return zipped(
        [
            ("run_autograder", RUN.encode(), RUN_BY_ALL),
            ("setup.sh", SETUP.encode(), RUN_BY_ALL),
            (SETTINGS, json.dumps(settings, indent=1).encode(), SEEN_BY_ALL),
            (SECRET, secret, SEEN_BY_OWNER),
            (name, package, SEEN_BY_ALL),
        ]
    )
