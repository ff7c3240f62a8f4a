"""The program as a whole: its help, its commands, and the one that runs if none is named."""

DESCRIPTION = """\
Step through backpropagation, one executed line at a time.

Without a command, the program plays the tutorial's Figure 1:
    y1 = x1 + x2 + x3 + x4,  y2 = x4**2,  z = x1*y1 + y2  at x = (3, 1, -2, 4).
It writes a page that plays each step, and opens the page in the browser.
Without a browser, or with --terminal, you step in the terminal with the arrow
keys (q asks you to predict each number, ? shows all keys). In a pipe, the
program prints all steps. It also writes two diagrams as SVG.
Once you have built the book with `book`, the program without a command opens it
where you left off, if there is a browser.

An expression without a command is played, too. Each command has options of its
own, before or after its name. These are listed by its own help, such as
    python -m tutorial play --help
"""
EPILOG = """\
examples:
  python -m tutorial
  python -m tutorial "x1*(x1 + x2) + x2**2" x1=3 x2=4
  python -m tutorial play "tanh(w*x + b)" w=0.5 x=2 b=-1 -o neuron.html
      share the page as one offline file
  python -m tutorial matrices -o handout.html --as handout
      a sheet for class with about twelve blanks, and its solution
  python -m tutorial -o class.html --as handout --seed 1-25 --blanks 15
      25 sheets of the same graph, each with other numbers, and their solutions
  python -m tutorial step "y = x1 + x2; z = x1*y" x1=1/3 x2=2
      one function for each line, with exact fractions
  python -m tutorial --order z,y1,y2,x4,x3,x2,x1
      another topological order; for an invalid order, the error names the pair
  python -m tutorial --schedule counting --queue lifo
      no sorting: a variable is ready when all its children have been processed
  python -m tutorial step "tanh(w*x + b)" w=0.5 x=2 b=-1 --json > trace.json
  python -m tutorial matrices
      the chain rule for matrices: dz/dB = G_BC + G_BE
  python -m tutorial entries
      the same product in single numbers, and how eight derivatives make
      dz/dB = A^T dz/dC
  python -m tutorial playground -o play.html
      a page in which a learner runs programs, without a network
  python -m tutorial compare engine.py
      your own engine beside the right one, until the first difference
  python -m tutorial torch program.py:loss -o mine.html
      a PyTorch program of your own: a report, a check and a page
  python -m tutorial train digits
      train a network, and write a page about the run
  python -m tutorial exercises init DIR
      exercises in a folder of your own, checked as you save them
  python -m tutorial teach grade class
      the exercises of a class, graded in isolated processes
  python -m tutorial book
      the book in the browser, where you left off
  python -m tutorial build -o site
      the book as a site, with every cell run
  python -m tutorial notebook 3
      a chapter as a Jupyter notebook
  python -m tutorial read 3
      a chapter in the terminal
  python -m tutorial slides 3
      a chapter as slides
"""
COMMANDS = {
    file.rpartition(".")[2]: f"tutorial.cli.commands.{file}"
    for file in (
        *("play", "step", "matrices", "entries", "playground", "compare", "torch", "train", "exercises", "teach"),
        *("reading.book", "reading.build", "reading.notebook", "reading.read", "reading.slides", "completion"),
    )
}
DEFAULT = "play"


def options(parser):
    parser.add_argument("--version", action="store_true", help="print the versions of this program, NumPy, graphviz-pure and Python")
