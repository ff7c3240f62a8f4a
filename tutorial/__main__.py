"""python -m tutorial, or gradsteps if it is installed: the command line."""

import sys

try:
    from tutorial.cli.command import command
except KeyboardInterrupt:  # Ctrl-C while Python reads the program
    sys.exit(130)

if __name__ == "__main__":
    command()
