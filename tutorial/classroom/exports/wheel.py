"""Make a wheel of the installed package, without a network and without the tools that built it."""

import base64
import io
import zipfile
from collections.abc import Iterable, Mapping
from hashlib import sha256
from importlib import import_module, metadata
from pathlib import Path

PACKAGE = "gradsteps"
ROOMS = ("scalargrad", "tensorgrad", "viz", "tutorial")
WHEEL = "Wheel-Version: 1.0\nGenerator: gradsteps\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
OF_AN_EDITABLE = "Requires-Dist: editables"  # what an installation that follows the sources needs in addition
OF_THE_INSTALLED = ("entry_points.txt", "licenses/LICENSE")
LEFT_OUT = {"__pycache__", "src", "tsconfig.json"}  # in src are the modules of which the page scripts in `built` are made
FIRST_DATE = (1980, 1, 1, 0, 0, 0)  # of a zip; the same files give the same bytes
SEEN_BY_ALL, RUN_BY_ALL, SEEN_BY_OWNER = 0o644, 0o755, 0o600


def wheel(files: Mapping[str, bytes] | None = None, local="") -> tuple[str, bytes]:
    """Return the name and the bytes of a wheel of the four packages, or of other files of theirs; its version ends with +local.

    Raises ValueError if gradsteps is not installed.

    >>> name, content = wheel()
    >>> "tutorial/classroom/grading/worker_main.py" in zipfile.ZipFile(io.BytesIO(content)).namelist()
    True
    """
    try:
        about = metadata.distribution(PACKAGE)
    except metadata.PackageNotFoundError:
        raise ValueError(f"{PACKAGE} is not installed; run: pip install -e .") from None
    version = f"{about.version}+{local}" if local else about.version
    folder = f"{PACKAGE}-{version}.dist-info"
    lines = (about.read_text("METADATA") or "").replace(f"Version: {about.version}", f"Version: {version}", 1).splitlines(keepends=True)
    whole = dict(files_of_the_packages() if files is None else files)
    whole[f"{folder}/METADATA"] = "".join(line for line in lines if not line.startswith(OF_AN_EDITABLE)).encode()
    whole[f"{folder}/WHEEL"] = WHEEL.encode()
    whole |= {f"{folder}/{name}": text.encode() for name in OF_THE_INSTALLED if (text := about.read_text(name))}
    whole[f"{folder}/RECORD"] = record(whole, f"{folder}/RECORD").encode()
    return f"{PACKAGE}-{version}-py3-none-any.whl", zipped((name, content, SEEN_BY_ALL) for name, content in sorted(whole.items()))


def record(files: Mapping[str, bytes], own) -> str:
    """Return the RECORD of a wheel: each file with its hash and its size.

    >>> record({"a.py": b"x"}, "RECORD")
    'a.py,sha256=LXEWQrcmsEQBYnyp-6wy9chTD7GQPMTbAiWHF5IaSIE,1\\nRECORD,,\\n'
    """
    return "".join([*(f"{name},sha256={digest(content)},{len(content)}\n" for name, content in sorted(files.items())), f"{own},,\n"])


def files_of_the_packages():
    for room in ROOMS:
        folder = Path(str(import_module(room).__file__)).parent
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not LEFT_OUT & set(path.relative_to(folder).parts):
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
