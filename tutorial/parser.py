"""A parser of the command line whose answer to a mistake is one line."""

import argparse


class Parser(argparse.ArgumentParser):
    """Its texts keep their lines; what is wrong it says in one line, and where the help is."""

    def __init__(self, *names, **options):
        super().__init__(*names, formatter_class=argparse.RawDescriptionHelpFormatter, **options)

    def error(self, message):
        self.exit(2, f"tutorial: {message}; {self.prog} --help says more\n")
