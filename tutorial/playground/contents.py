"""What the page's Python can import: the files of its library and of our packages, in two zip files."""

import io
import re
import zipfile
from importlib import metadata, resources
from pathlib import Path

OURS = ("scalargrad", "viz", "tutorial")
OTHERS = ("graphviz", "rich")  # what viz imports
ONLY_BUILDS = re.compile(  # pages, and does not run in one
    r"(viz|tutorial)/\w+/src/|tutorial/(book/(?!__init__|plane)|reading/|text/(?!__init__|overprinted|program)|playground/(assets|built|parts|examples)/|classroom/|exercises/(catalogue/others|recorded)/)"
)
UNUSED = re.compile(  # of Python's library: programs with windows, processes or a network, and old codes of letters
    "(_pyrepl(?!/(__init__|pager)[.])|ensurepip|idlelib|multiprocessing|pydoc_data|tkinter|wsgiref|xmlrpc)/|(ftplib|imaplib|mailbox|poplib|smtplib)[.]py"
    "|http/server|unittest/mock|xml/(dom|sax)/|encodings/(cp(?!437)|hp_|iso|koi8|kz|mac_|palmos|ptcp|tis)"
)


def library(archive):
    """Yield the name and the content of each file of Python's library that a program in a browser can use."""
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        for name in files.namelist():
            if not UNUSED.match(name):
                yield name, files.read(name)


def packages(ours=OURS):
    """Yield the name and the content of each file of the packages that the page's Python imports."""
    for package in ours:
        root = Path(str(resources.files(package)))
        for path in root.rglob("*"):
            yield from wanted(f"{package}/{path.relative_to(root).as_posix()}", path)
    for distribution in OTHERS:
        for file in metadata.files(distribution) or ():
            if ".dist-info" not in file.parts[0] and ".." not in file.parts:
                yield from wanted(file.as_posix(), Path(str(file.locate())))


def wanted(name, path):
    if path.is_file() and path.suffix != ".pyc" and not ONLY_BUILDS.match(name):
        yield name, path.read_bytes()


def stored(files):
    """Return a zip file that is not compressed: the page compresses it with all the rest, which is a seventh smaller."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_STORED) as archive:
        for name, content in sorted(files):
            archive.writestr(zipfile.ZipInfo(name), content)
    return found.getvalue()
