"""python -m tutorial, or gradsteps if it is installed: the command line."""

from tutorial.cli.command import command

if __name__ == "__main__":
    command()
