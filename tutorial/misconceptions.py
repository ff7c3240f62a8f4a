"""What learners believe, under numbers that stay the same, and what an engine that believes it does wrong, in words.

MISCONCEPTIONS says what is believed, or confused. MISTAKES names what an engine then does: each has a title, a sentence filled with
the numbers of one graph, and a question. The fields of the sentences are those of `tutorial.exercises.broken_engine.facts`.
What is said of a wrong answer to an exercise stands in its file in `tutorial/exercises/catalogue/`, where the wrong answer has one of
these numbers: of a forgotten zero_grad, M08, in exercise 13.
"""

from typing import NamedTuple

MISCONCEPTIONS = {
    "M01": "children and inputs are exchanged",
    "M02": "the partial derivative is the total derivative",
    "M03": "a second use of a variable replaces the first",
    "M04": "any walk through the graph is as good as a topological order",
    "M05": "the upstream gradient is 1",
    "M06": "only one topological order is right",
    "M07": "a second call of backward() changes nothing, or its sum is a bug",
    "M08": "it does not matter whether or when gradients are set to zero",
    "M09": "the input and the output of a function are exchanged in its rule",
    "M10": "broadcasting needs nothing in the backward pass",
    "M11": "the backward pass of broadcasting is a mean",
    "M12": "the right numbers in the wrong shape are right",
    "M13": "the factors of a matrix product can change places",
    "M14": "the Jacobian of softmax is diagonal",
    "M15": "mean and variance are constants",
    "M16": "a[i] += g adds repeated indices",
    "M17": "two variables may share one array of gradients",
    "M18": "if it trains, the gradient is right",
    "M19": "a loose check of gradients proves them",
    "M20": "a difference at a kink is a bug",
    "M21": "what a function has saved may change before the backward pass",
    "M22": "only leaves have gradients",
    "M23": "all that use a variable must report, also those that do not lead to z",
    "M24": "finite differences are the derivative",
    "M25": "a gradient of a gradient needs nothing special",
    "M26": "the mean of the means of unequal parts is the mean",
    "M27": "recursion can be as deep as the graph",
    "M28": "the derivative of z with respect to itself is not needed",
    "M29": "the rule of a function is remembered wrongly",
    "M30": "effects over several paths are combined in another way than by a sum of products",
    "M31": "a derivative is an amount of change, not a ratio of two changes",
    "M32": "one step along the arrows and several steps are the same",
    "M33": "a variable is its own child and its own ancestor",
    "M34": "each path must be followed by itself",
    "M35": "an order may leave out a variable, or hold it twice",
    "M36": "the gradient leads to where the loss is smaller",
    "M37": "a step of descent may be a part of the graph",
    "M38": "an error that is caught is a mistake that is repaired",
    "M39": "a formula that is right on paper is right for all floats",
    "M40": "what a program keeps or changes for a while is put back by itself",
    "M41": "the backward pass is recorded in the same way as the forward pass",
    "M42": "what gets no derivative has no place among the contributions",
    "M43": "whether two names stand for one object follows from the names or from the numbers",
    "M44": "things keep the order in which they were put in, wherever they are put",
    "M45": "a gradient depends only on the variable to which it belongs",
    "M46": "the backward pass begins at the variable that was made last",
    "M47": "what was passed on is not needed by anybody",
    "M48": "what is left at the end says how much was held at the same time",
    "M49": "every leaf is trained",
    "M50": "a backward function must give the true derivative",
    "M51": "each variable that there is belongs to the graph of z",
    "M52": "a graph in which a variable is used twice shows every mistake",
    "M53": "a mistake of an engine shows on every graph",
    "M54": "in which order the inputs of a function stand makes no difference to a walk",
    "M55": "the numbers of a test make no difference to what it shows",
    "M56": "a function keeps the value that a name had when the function was written",
    "M57": "a copy costs nothing",
    "M58": "what a test expects needs no check",
    "M59": "many tests find more than a few good ones",
    "M60": "a mistake always ends in an error",
    "M61": "a sum needs no start",
    "M62": "in the backward pass of a matrix product no matrix is transposed",
    "M63": "a leaf is not an ancestor",
    "M64": "a derivative is passed on without its partial derivative",
    "M65": "a slope is a value of the function",
    "M66": "the sign of a rule makes no difference",
    "M67": "the rule of one function holds for another one",
    "M68": "a factor, a power or a square may be left out of a rule",
    "M69": "the derivative of a product with respect to a factor is this factor",
    "M70": "it makes no difference which two numbers are divided, and in which order",
    "M71": "from one nudge below to one nudge above it is one nudge",
    "M72": "the length of a step follows from the gradient alone, or from the rate alone",
    "M73": "to move axes back, they are moved in the same way again",
    "M74": "a mean is divided by how many numbers there are, not by how many were added",
    "M75": "a product of matrices is a product entry by entry",
    "M76": "a sum may begin with another number than 0",
    "M77": "one turn of a loop is enough",
    "M78": "a name is the letters or the pair in which it stands",
    "M79": "what one path has visited, no other path needs to visit",
    "M80": "only a leaf, or only what is shared, is an ancestor",
    "M81": "each entry of an input acts on each entry of the result",
    "M82": "an entry of the result depends only on the entry at its own place",
    "M83": "what an engine keeps, it keeps until the end, or not at all",
    "M84": "one good check finds every mistake",
    "M85": "how often a window fits does not depend on its width, or on the padding",
    "M86": "numbers are normalised with all others of the array, or along any of its axes",
    "M87": "which index belongs to which row, or which class is right, makes no difference",
    "M88": "a sum that fades may weigh the old and the new in any way",
    "M89": "a mean that begins with 0 needs no correction, or any",
    "M90": "what counts is how many parameters there are, or how many examples, and not what they share",
    "M91": "each entry of a kernel meets each pixel",
    "M92": "weight decay is a part of the gradient",
    "M93": "one path is followed, and the others are left out",
    "M94": "each derivative needs a run, or a pass, of its own",
    "M95": "one run, or one pass, tells of all inputs and of all results",
    "M96": "the backward pass costs nothing",
    "M97": "variables with an input in common are joined by an arrow",
    "M98": "= and += do the same",
    "M99": "the rate and the number of steps say only how soon a descent arrives",
    "M100": "what is used at many places is there many times",
}


def misconception(id):
    """Return the sentence that tells a learner of a misconception.

    >>> misconception("M01")
    'The mistake: children and inputs are exchanged. [M01]'
    """
    return f"The mistake: {MISCONCEPTIONS[id]}. [{id}]"


OF_ANSWERS = {  # to the player's questions: what is believed by a mistake of the kind that viz.mistakes names
    "path": "M93",
    "product": "M30",
    "twice": "M34",
    "upstream": "M05",
    "partial": "M64",
    "total": "M02",
    "direct": "M02",
    "input": "M69",
    "fraction": "M70",
    "value": "M65",
    "sign": "M66",
    "transpose": "M62",
}


class Mistake(NamedTuple):
    """What an engine does: the misconception, a title, a sentence with fields, and a question that leads on."""

    id: str
    title: str
    said: str
    asked: str


ORDER = "Which variables must be finished before {x} passes on its derivative?"
SUM = "Children of {x}: {terms}. "

MISTAKES = {
    "overwrites": Mistake(
        "M03",
        "The engine overwrites instead of adding",
        SUM + "The sum is {expected}. The engine has {got}: a later contribution replaced an earlier one.",
        "Which line writes the derivative of {x}, and what stood there before?",
    ),
    "counts a double use once": Mistake(
        "M03",
        "A function that uses a variable twice is counted once",
        SUM + "Each use is an edge of its own, so dz/d{x} is {expected}. The engine has {got}.",
        "Where does the engine turn the uses of {x} into a set, or a dictionary with one key for each child?",
    ),
    "ignores the upstream gradient": Mistake(
        "M05",
        "The upstream gradient is missing",
        SUM + "The engine has {got}: the sum of the partials alone.",
        "How much does z change with the child of {x}, and where does the engine multiply by it?",
    ),
    "only the direct edge": Mistake(
        "M02",
        "Only the direct edge to z is counted",
        SUM + "The engine has {got}: it left out the paths through other variables.",
        "By which ways does a nudge of {x} reach z?",
    ),
    "ignores the partial": Mistake(
        "M64",
        "The partial derivative is missing",
        SUM + "The engine has {got}: the sum of the upstream gradients alone.",
        "How much does the child change with {x} alone, and where does the engine multiply by it?",
    ),
    "multiplies the paths": Mistake(
        "M30",
        "The paths are multiplied",
        SUM + "The engine multiplied these terms and has {got}. Factors multiply along one path. Several paths add.",
        "A nudge of {x} arrives along all paths at once. What happens to z?",
    ),
    "averages the paths": Mistake(
        "M30",
        "The paths are averaged",
        SUM + "The engine took their mean, {got}. They add up to {expected}.",
        "A nudge of {x} arrives along all paths at once. What happens to z?",
    ),
    "takes the largest path": Mistake(
        "M30",
        "Only the largest path is counted",
        SUM + "The engine took the largest, {got}. They add up to {expected}.",
        "A nudge of {x} arrives along all paths at once. What happens to z?",
    ),
    "adds along the path": Mistake(
        "M30",
        "The two factors of a path are added",
        SUM + "The engine added each upstream gradient to its partial and has {got}.",
        "If {x} grows by 1, by how much does its child grow, and by how much then z?",
    ),
    "wrong sign": Mistake(
        "M66",
        "The sign is wrong",
        SUM + "The sum is {expected}. The engine has {got}.",
        "Does z grow or shrink if {x} grows?",
    ),
    "forgets a term": Mistake(
        "M93",
        "A path is forgotten",
        SUM + "The engine has {got}: some of these terms are not in its sum.",
        "Which of these terms make {got}?",
    ),
    "no start": Mistake(
        "M28",
        "The derivative of z with respect to z is not 1",
        "The engine has dz/d{x} = {got}, and {expected} is right. Every derivative is a sum of products that begin with dz/dz = 1.",
        "Where does the engine put the 1?",
    ),
    "starts with the value": Mistake(
        "M28",
        "The backward pass starts with the value of z",
        "The engine has dz/d{x} = {got}, and {expected} is right. It starts from the value of z, {z_value}, and not from dz/dz = 1.",
        "By how much does z grow if z grows by 1?",
    ),
    "leaves first": Mistake(
        "M04",
        "The order starts at the leaves",
        "z must come first, and each variable after all its children. The engine came to {x} too early: it has {got}, not {expected}.",
        "Which derivative is known before anything is computed?",
    ),
    "recursion without order": Mistake(
        "M04",
        "A shared variable passes on its derivative once for each use",
        "The walk comes to {shared} once for each use, and each time {shared} passes on all that it has so far. So its first "
        "contributions are passed on again: {x} has {got}, not {expected}.",
        ORDER,
    ),
    "visits at first sight": Mistake(
        "M04",
        "A variable passes on its derivative at the first visit",
        "{shared} is used more than once. The walk passes on its derivative at the first visit, before the other uses have added "
        "theirs. So {x} has {got}, not {expected}.",
        ORDER,
    ),
    "breadth first": Mistake(
        "M04",
        "Level by level is not a topological order",
        "The walk comes to {shared} over the shortest path. A longer path leads there too, and its contribution comes too late. "
        "So {x} has {got}, not {expected}.",
        ORDER,
    ),
    "tests the wrong node": Mistake(
        "M04",
        "The sort asks whether the current node was visited, not its input",
        "So the order lists {shared} more than once, and its derivative is passed on more than once: {x} has {got}, not {expected}.",
        "The walk is about to enter an input. Whose mark must it read?",
    ),
    "waits for dead branches": Mistake(
        "M23",
        "The engine waits for a branch that does not lead to z",
        "A variable that z does not depend on also uses {dead}. It never reports, so {dead} never passes on its derivative: "
        "{x} has {got}, not {expected}.",
        "Which uses of {dead} lead to z?",
    ),
    "starts at the last made": Mistake(
        "M23",
        "The backward pass starts at the variable that was made last",
        "backward() was called on z. The engine began at another variable, which was made later: {x} has {got}, not {expected}.",
        "Whose derivative is 1?",
    ),
    "keeps intermediate gradients": Mistake(
        "M07",
        "A second call passes on what the first has left",
        "z.backward() ran twice. Leaves may add up both calls: dz/d{x} is then {twice}. The engine has {got}: intermediate variables "
        "still held their gradients of the first call, and passed them on again.",
        "Which gradients must be 0 when a second call begins?",
    ),
    "changes what it reads": Mistake(
        "M21",
        "The engine changes what it only has to read",
        "The derivatives are right, but the engine changed {changed}.",
        "Which line writes there?",
    ),
    "too deep": Mistake(
        "M27",
        "The recursion is as deep as the graph",
        "A chain of {links} functions ends in a RecursionError.",
        "Which list of your own could take the place of the calls?",
    ),
    "not known yet": Mistake(
        "M04",
        "A derivative is looked up before it is known",
        "The engine asked for dz/d{x} before it had computed it. A variable must come after all its children.",
        ORDER,
    ),
    "partial transposed": Mistake(
        "M01",
        "Child and input are exchanged",
        "The engine asked for partial[{y}, {x}]. But {y} is an input of {x}, so ∂{x}/∂{y} is partial[{x}, {y}]: the child first.",
        "Which of the two is computed from the other?",
    ),
}

RULES = {  # of one function: the wrong rule, its misconception, and what the rule does
    "own factor": ("M69", "It gives each factor itself, where d(ab)/da is the other factor."),
    "rule of a sum": ("M67", "It is the rule of a sum."),
    "rule of a product": ("M67", "It is the rule of a product."),
    "rule of a power": ("M67", "It is the rule of a power, but here the variable is the exponent."),
    "value for slope": ("M65", "It gives a value, not a slope."),
    "sign": ("M66", "It has the wrong sign."),
    "sign of both": ("M66", "It has the wrong sign for both inputs."),
    "sign and square": ("M66", "It has the wrong sign, and a square is missing."),
    "square missing": ("M68", "It lacks a square."),
    "factor missing": ("M68", "It lacks a factor."),
    "exponent not reduced": ("M68", "It keeps the exponent, which must be one less."),
    "1 everywhere": ("M68", "It gives the slope 1 everywhere, where the slope is 0 for a negative input."),
    "passes the value": ("M65", "It gives the value, not the slope, which is 1 or 0."),
    "output for input": ("M09", "It exchanges input and output."),
    "overwrites": ("M03", "It writes with = where += is needed, so an earlier contribution is lost."),
    "ignores the upstream gradient": ("M05", "It does not multiply by the upstream gradient."),
}


def of_one_function(rule, function) -> Mistake:
    """Return the mistake in the rule of one function, which is written as in a program: a * b."""
    id, does = RULES[rule]
    return Mistake(
        id,
        f"The rule of {function} is wrong",
        f"The graphs without {function} agree. Its rule is wrong. {does} " + SUM + "The sum is {expected}. The engine has {got}.",
        f"What is the derivative of {function} with respect to each of its inputs?",
    )
