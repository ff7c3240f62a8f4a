"""A wheel of NumPy for the page's Python. Who builds a page may give one. Else a page in a folder may fetch the one that Pyodide serves."""

import json
import zipfile
from importlib import resources
from pathlib import Path

SERVED = "https://cdn.jsdelivr.net/pyodide/v{version}/full/{file}"  # Pyodide's documentation names it


def offer(lock):
    """Return {address, file, sha256} of NumPy's wheel, for a page that fetches it. `lock` is the text of Pyodide's lock file."""
    version = json.loads(resources.files(__package__).joinpath("parts", "package-lock.json").read_bytes())["packages"][
        "node_modules/pyodide"
    ]["version"]
    known = json.loads(lock)["packages"]["numpy"]
    return {"address": SERVED.format(version=version, file=known["file_name"]), "file": known["file_name"], "sha256": known["sha256"]}


def beside(folder, lock):
    """Return the path of NumPy's wheel in a folder of parts, or None if it is not there."""
    path = folder and Path(folder, json.loads(lock)["packages"]["numpy"]["file_name"])
    return path if path and path.is_file() else None


class NoWheel(Exception):
    """The file is not a wheel of NumPy for the page's Python. The message says which one is."""


def wheel(path, lock) -> bytes:
    """Return the content of a wheel of NumPy. `lock` is the text of Pyodide's lock file, which says what the page's Python is.

    Raises NoWheel if the file is missing or damaged, or if its name says that it holds another package or is for another Python.
    """
    from packaging.utils import InvalidWheelFilename, parse_wheel_filename

    path, known = Path(path), json.loads(lock)
    needed = f"the page's Python needs a wheel such as {known['packages']['numpy']['file_name']}"
    if not path.is_file():
        raise NoWheel(f"--numpy: there is no file {path}; {needed}")
    try:
        name, _, _, tags = parse_wheel_filename(path.name)
    except InvalidWheelFilename:
        raise NoWheel(f"--numpy: {path.name} is not the name of a wheel; {needed}") from None
    if name != "numpy" or not any(fits(tag, known["info"]) for tag in tags):
        raise NoWheel(f"--numpy: {path.name} does not fit; {needed}")
    if not zipfile.is_zipfile(path):
        raise NoWheel(f"--numpy: {path.name} is damaged: it is not a zip file; fetch it again")
    return path.read_bytes()


def fits(tag, info):
    """Return whether a wheel with this tag runs in the Python that `info` describes."""
    python = "cp" + "".join(info["python"].split(".")[:2])
    return tag.interpreter == python and tag.platform.endswith(f"_{info['abi_version']}_{info['arch']}")
