"""Make a wheel of the installed package, without a network and without the tools that built it."""

import base64
import io
import zipfile
from collections.abc import Iterable
from hashlib import sha256
from importlib import import_module, metadata
from pathlib import Path

PACKAGE = "gradsteps"
ROOMS = ("scalargrad", "tensorgrad", "viz", "tutorial")
WHEEL = "Wheel-Version: 1.0\nGenerator: gradsteps\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
OF_AN_EDITABLE = "Requires-Dist: editables"  # what an installation that follows the sources needs in addition
CACHE = "__pycache__"
FIRST_DATE = (1980, 1, 1, 0, 0, 0)  # of a zip; the same files give the same bytes
SEEN_BY_ALL, RUN_BY_ALL, SEEN_BY_OWNER = 0o644, 0o755, 0o600


def wheel() -> tuple[str, bytes]:
    """Return the name and the bytes of a wheel with the files of the four packages. Raises ValueError if gradsteps is not installed.

    >>> name, content = wheel()
    >>> name.endswith("-py3-none-any.whl") and "tutorial/grading/worker.py" in zipfile.ZipFile(io.BytesIO(content)).namelist()
    True
    """
    try:
        about = metadata.distribution(PACKAGE)
    except metadata.PackageNotFoundError:
        raise ValueError(f"{PACKAGE} is not installed; run: pip install -e .") from None
    named = f"{PACKAGE}-{about.version}"
    files = dict(files_of_the_packages())
    lines = (about.read_text("METADATA") or "").splitlines(keepends=True)
    files[f"{named}.dist-info/METADATA"] = "".join(line for line in lines if not line.startswith(OF_AN_EDITABLE)).encode()
    files[f"{named}.dist-info/WHEEL"] = WHEEL.encode()
    record = f"{named}.dist-info/RECORD"
    sums = [f"{name},sha256={digest(content)},{len(content)}\n" for name, content in files.items()]
    files[record] = "".join([*sums, f"{record},,\n"]).encode()
    return f"{named}-py3-none-any.whl", zipped((name, content, SEEN_BY_ALL) for name, content in files.items())


def files_of_the_packages():
    """Yield the name and the content of each file."""
    for room in ROOMS:
        folder = Path(str(import_module(room).__file__)).parent
        for path in sorted(folder.rglob("*")):
            if path.is_file() and CACHE not in path.parts:
                yield f"{room}/{path.relative_to(folder).as_posix()}", path.read_bytes()


def digest(content) -> str:
    return base64.urlsafe_b64encode(sha256(content).digest()).rstrip(b"=").decode()


def zipped(files: Iterable[tuple[str, bytes, int]]) -> bytes:
    """Return a zip file of (name, content, permissions)."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content, permissions in files:
            about = zipfile.ZipInfo(name, FIRST_DATE)
            about.create_system, about.external_attr = 3, (0o100000 | permissions) << 16  # a regular file of Unix
            archive.writestr(about, content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
