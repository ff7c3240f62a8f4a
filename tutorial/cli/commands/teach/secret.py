"""The secret from which each student's numbers follow: the options that name it, and the file that holds it."""

import os
import secrets
from pathlib import Path

from tutorial.cli.shared.parser import remark


def add_numbers(command):
    """Add the options that decide which numbers each student gets."""
    secret = "the secret from which each student's numbers follow; it is made if it does not exist (default: grading-secret.txt)"
    command.add_argument("--secret-file", metavar="FILE", default="grading-secret.txt", help=secret)
    command.add_argument("--assignment", metavar="NAME", default="", help="another name gives other numbers")


def secret_in(path) -> bytes:
    """Return the secret in a file, which is made if it does not exist. Raises ValueError if it is too short."""
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(f"{secrets.token_hex(32)}\n")
        remark(f"Made the secret {path}. Keep it: with another one, each student has other numbers.")
    except FileExistsError:
        pass
    secret = Path(path).read_bytes().strip()
    if len(secret) < 16:
        raise ValueError(f"the secret in {path} has fewer than 16 characters")
    return secret
