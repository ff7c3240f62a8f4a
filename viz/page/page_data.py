"""The data of a page, ready for JSON. Python computes and typesets everything; the page only shows it.

A text that is used often, such as a formula in MathML, is stored once in `strings`; other fields hold its place there.
"""

import math

from scalargrad.formulas.rounding_error import is_lost
from scalargrad.tracing.trace import Trace
from viz.graphs.finite import first_not_finite
from viz.graphs.inputs import asked_input, inputs_of
from viz.graphs.marks import kinds_of
from viz.page.comparison.source_lines import shown
from viz.page.comparison.trace_diff import beside_data
from viz.page.inner_graphs import about_function, about_pass, inner_data, loop_data, own_fields
from viz.page.live.numbers import LiveHeld, LiveNumber, at_start
from viz.page.scalar_graphs import MOST_IN_PASSES, opened_loops
from viz.page.scenes.folded_graph import folded_graph
from viz.page.scenes.scene import scene, scene_of_inner
from viz.page.step_data import steps_data, table_data
from viz.page.variable_data import VariableData
from viz.questions.first_act import question
from viz.questions.mistakes import KINDS, mistakes
from viz.questions.quiz import MOST_TERMS, asked_for, edges_of, hint, questions, right_number, why
from viz.text.array_text import is_array, numbers_of
from viz.text.glossary import glossary, letters_of, listing_of
from viz.text.narration import Held, in_numbers, which_edge
from viz.text.schedule_table import table_of

SCENES = scene, scene_of_inner  # of a whole graph, and of one that opens in it
WITHIN_A_PASS = "The numbers inside a pass follow from the numbers outside."


def page_data(
    trace: Trace, beside: Trace | None = None, inner=(), loops=(), entries=None, functions=None, scenes=SCENES, slides=None
) -> dict:
    """Return the data of a trace for the page. `beside` is another trace of the same graph, which the page plays too.

    `inner` are the scalar graphs that the page can open, `loops` the folded loops, and `entries` the graph of all entries: see
    `scalar_graphs.py`.
    functions="nodes" gives each function a node of its own in the graph. `scenes` make the field `scene` of the whole graph and of
    those that open; those of slides are different, and slides(trace) are the slides of a graph that opens.

    listing, z, order    as in Trace.to_dict(); `scatters` and `keeps` are those of its Schedule
    inputs, asked    places of the variables that no function has made, as the page lists them; of the one that the question is about
    python           the Python code of the loop
    question         the parts of the act Question, with `computes` [{variable, numbers}], see `viz.questions.first_act`;
                     glossary: see `viz.text.glossary`
    letters          the letters of general formulas: see `viz.text.glossary`
    strings          texts, most of them MathML
    quantities       [{number, text, mathml, symbol, cells}]: a number or small array as JSON, as text, as MathML; its
                     formula (null if the formula says no more than the number); the entries of a small array, row by row; of a
                     larger one `summary`, `picture` (see `viz.array_picture`) and `array`, its place in `arrays`
    arrays           the arrays that are not written in full, for the dialog that shows their numbers: see `viz.page.variable_data`
    variables        [{name, written, total, data, shape, function, formula, equation, inputs, label, totalLabel, formulaLabel}];
                     labels are for the graph, as `runs`: [[text, "sub" | "sup" | ""]]; long names are cut
    edges            [{input, output, slot, ratio, text, label, partial, chain}]; `chain` is its term in the chain rule
    steps            [{line, code, act, iteration, x, y, edge, partial, upstream, term, total, known, where, said, why, factors, ...}]
                     `where`, `said` and `why` are sentences, in which $12$ is the formula at place 12 of `strings`; `code` is a line
                     of `python`; `factors` is the edge's term of equation (1) in symbols and in numbers; `pending` holds the
                     counts that changed, `ready` the queue, `place` the place on the tape, `path` edges; `whyCases` is there if
                     `why` depends on the starting values: see `Ledger.cases` in `viz.page.live.numbers`
                     A variable, and a step that is about it, may have `remarks`, [[fact, more]]
    insertions       [{variable, total}]
    questions        [{step, variable, asked, which, right, exact, why, hint, edges, mistakes}]: predict mode asks before it shows that
                     step for dz/dx or ∂y/∂x, `asked`; `exact`: every digit of `right` counts; `hint` and `edges` help after a wrong
                     answer; a mistake is [numbers, kind, sentence, edges]
    mistakeKinds     {kind: its name in the tally}
    table            {title, note, columns, rows: [{variable, cells}]}: what the schedule keeps of each variable before the first step;
                     a step's `rows` are those that it changes, [row, cells]; its `given` are edges of steps that are not shown
    scene            the places of boxes, edges and labels: see `scene`
    folded           scopes and boxes of a large graph with scopes: see `folded_graph`
    notFinite        {variable, edge}: the first function whose value, or whose partial at an edge, is not finite; or null
    beside           another trace of the same graph, if there is one: see `trace_diff.beside_data`
    n, answers       `n` is the place of a quantity, or of a variable's value, among the numbers that the live program computes at another
                     point; `answers` are those within `questions`: [[place, path]]
    elsewhere        [[kind, label]] of derivatives that are computed elsewhere; its variable has `elsewhere`, [kind, label, a short
                     one, sentence]; `madeAt` is the line of the program that made a variable
    compares         true if the program decides by a comparison: elsewhere it may take another way than this graph
    functionNodes    true if each function has a node of its own
    scalarGraphs     {variable: the data of the graph of its function}: entries of a small tensor function, operations of a statement.
                     They leave out what is equal above: see SHARED. That of a statement of tensors may have `scalarGraphs` of its own
                     `about` is a sentence: what their derivatives are
    loops            the folded loops, with the graphs of their passes: see `inner_graphs.loop_data`
    entryGraph       {z, order, variables, edges, quantities, strings, places, gradient}: the graph of all entries of a graph of arrays,
                     if each can be nudged. Its variables and edges are as above, with what a nudge needs. `places` are for each array
                     those of its entries among these variables, row by row (null if z does not depend on the entry); `gradient` is
                     dz/dx of each entry x of an input
    memory           what the page shows of the memory of a graph of tensors: see `memory.page_data`
    program          the key of the graph's live program, which `play` adds; if there is none, `notLive` says why

    >>> from scalargrad import Value
    >>> x = Value(3, name="x"); data = page_data(Trace(x * x))
    >>> data["steps"][5]["act"], data["strings"][data["quantities"][data["steps"][5]["partial"]]["symbol"]]
    ('partial', '<mi>x</mi>')
    """
    of_whole, of_inner = scenes
    made = PageData(trace, functions=functions == "nodes", scenes=of_whole)
    found: dict = {"functionNodes": True} if made.functions else {}
    found |= {"compares": True} if trace.compares else {}
    found |= {} if beside is None else {"beside": beside_data(made, beside)}
    of_entries = {}
    if entries is not None:
        of_each, arrays, inputs = entries
        of_entries = {"entryGraph": entry_graph(made, PageData(of_each), arrays, inputs)}
    whole = made.data()
    within = Within(whole, of_inner, slides)
    return {**found, **of_entries, **within.loops(made, loops), **within.opened(made, inner), **whole}


class Within:
    """The data of the graphs that open in a graph: those of functions, and those of passes, in which other loops may be folded."""

    def __init__(self, whole, scenes, slides):
        self.whole, self.scenes, self.slides = whole, scenes, slides

    def opened(self, made, openings):
        """Return {"scalarGraphs": the data of the graphs that can be opened in that of `made`}; {} if there are none."""
        found = {}
        for y, trace, within, each in openings:
            inner = PageData(trace, is_array(made.on.data(y)) and not hasattr(trace.graph.z, "shape"), scenes=self.scenes)
            of_entries = {"entryGraph": entry_graph(inner, PageData(each.trace), each.arrays, each.inputs)} if each else {}
            data = own_fields(self.data(inner, about_function(made.trace, y)), self.whole)
            found[made.place[y]] = data | of_entries | self.opened(inner, within)
        return {"scalarGraphs": found} if found else {}

    def loops(self, made, loops):
        """Return {"loops": the data of the folded loops of a graph}; {} if there are none."""
        return {"loops": [loop_data(self.whole, made.place, loop, self.passes(loop)) for loop in loops]} if loops else {}

    def passes(self, loop):
        found = []
        for trace in loop.passes.values():
            made = PageData(trace, scenes=self.scenes)
            loops = opened_loops(trace, MOST_IN_PASSES // len(loop.passes))
            found.append(self.data(made, about_pass) | self.loops(made, loops) | {"notLive": WITHIN_A_PASS})
        return found

    def data(self, made, about):
        return inner_data(made, about) | ({"slides": self.slides(made.trace)} if self.slides else {})


class PageData(VariableData):
    """The data of one trace."""

    def __init__(self, trace, entries=False, functions=False, scenes=scene):
        super().__init__(trace)
        self.entries, self.functions, self.scenes = entries, functions, scenes

    def data(self):
        trace, graph = self.trace, self.trace.graph
        lines, self.line_of = shown(trace)
        found = {
            "scatters": trace.schedule.scatters,
            "keeps": trace.schedule.keeps,
            "tensors": is_array(self.on.data(graph.z)) or any(hasattr(v, "shape") for v in graph.variables),
            "listing": [{"line": line, "text": text} for line, text in listing_of(trace).items()],
            "python": lines,
            "z": self.place[graph.z],
            "order": [self.place[v] for v in graph.order],
            "inputs": [self.place[v] for v in inputs_of(trace)],
            "asked": self.place[asked_input(trace)],
            "variables": [self.variable(v) for v in graph.variables],
            "edges": [self.edge(*edge) for edge in self.edges],
            "steps": steps_data(self),
            "insertions": [{"variable": self.place[v], "total": self.quantity(q)} for v, q in trace[-1].log if v in self.place],
            "question": [self.part(part) for part in question(trace, self.formatter)],
            "glossary": glossary(trace, self.formatter),
            "letters": letters_of(trace.names),
            **questions_data(self),
            "mistakeKinds": KINDS,
            "scene": self.scenes(trace, self.entries, self.functions),
            "notFinite": self.not_finite(),
        }
        if marks := kinds_of(graph.variables):
            found["marks"] = marks
        if not self.entries and (folded := folded_graph(trace)):
            found["folded"] = folded
        table = table_of(trace, self.formatter)
        if table is not None:
            found["table"] = table_data(self, table, found["steps"])
        if self.cut.arrays:
            found["arrays"] = self.cut.data(self.names_of_arrays())
        return {**found, "quantities": self.quantities, "strings": self.strings.items}

    def not_finite(self):
        """Return the first function that is not finite, and the edge if its partial is not; None if all are finite."""
        found = first_not_finite(self.on, {v: q.number for v, q in self.trace.computed.items()})
        return found and {"variable": self.place[found.y], "edge": self.edges.get((found.y, found.slot))}

    def part(self, part):
        """Return a part of the act Question; each function has the numbers of its inputs."""
        computes = [{"variable": self.place[y], "numbers": self.numbers_in(y)} for y in part["computes"]]
        return {**part, "variable": self.place.get(part["variable"]), "computes": computes}

    def numbers_in(self, y):
        """Return the place of y's function of the numbers of its inputs."""
        return self.math(in_numbers(y, self.on, LiveHeld if self.live else Held))


def questions_data(page):
    """Return the questions about the trace of `page`, a PageData, and where answers change with the starting values."""
    asked = [question_data(page, q) for q in questions(page.trace)]
    return dict(zip(("questions", "answers"), without_live_numbers(asked))) if page.live else {"questions": asked}


def question_data(page, q):
    trace, right, formatter = page.trace, right_number(page.trace, q), page.formatter
    return {
        "step": q.step,
        "variable": page.place[q.x],
        "asked": page.math(asked_for(trace, q)),
        "which": which_edge(trace, q),
        "right": answerable(right),
        "exact": not any(isinstance(at_start(n), float) for n in numbers_of(right)),
        "why": why(trace, q, formatter),
        "hint": hint(trace, q, formatter),
        "edges": [page.edges[edge] for edge in edges_of(trace, q)],
        "mistakes": mistakes_data(page, q, answerable(right)),
    }


def mistakes_data(page, q, right):
    """Return [[the numbers of a wrong answer, kind, sentence, edges]], the likeliest mistake first."""
    found = {}
    if len(page.trace.graph.children[q.x]) <= MOST_TERMS:
        for number, kind, said, edges in mistakes(page.trace, q, page.formatter):
            found.setdefault(tuple(answerable(number)), [kind, said, [page.edges[edge] for edge in edges]])
    return [[list(numbers), *rest] for numbers, rest in found.items() if list(numbers) != right]


def answerable(x):
    """Return the numbers of x for JSON; inf and nan as text, and a live number as it is."""
    return [n if isinstance(n, LiveNumber) else json_float(n) for n in numbers_of(x)]


def json_float(x):
    return 0.0 if is_lost(x) else float(x) if math.isfinite(x) else str(float(x))


def without_live_numbers(tree, path=()):
    """Return JSON with live numbers as they are at the starting point, and [[the place of a live number, its path in the JSON], ...]."""
    if isinstance(tree, LiveNumber):
        return json_float(tree.data), [[tree.place, list(path)]]
    if not isinstance(tree, list | dict):
        return tree, []
    items = tree.items() if isinstance(tree, dict) else enumerate(tree)
    found = [(key, *without_live_numbers(item, (*path, key))) for key, item in items]
    plain = {key: item for key, item, _ in found} if isinstance(tree, dict) else [item for _, item, _ in found]
    return plain, [place for *_, places in found for place in places]


OF_AN_ENTRY = ("name", "written", "total", "text")  # what the nudge of an entry shows of a variable, and of an edge
OF_AN_EDGE = ("input", "output", "ratio", "partial")


def entry_graph(page, made, arrays, inputs):
    """Return the graph of all entries of the arrays of `page`. Both are PageData: `page` of the arrays, `made` of their entries.

    `arrays` is {variable of an array: its entries}, `inputs` are the entries that can be nudged.
    """
    trace = made.trace
    rows = lambda array: array.reshape(-1, array.shape[-1] if array.ndim else 1).tolist()
    place = lambda x: made.place[x] if hasattr(x, "inputs") and x in made.place else None
    return {
        "z": made.place[trace.graph.z],
        "order": [made.place[v] for v in trace.graph.order],
        "variables": [{key: v[key] for key in OF_AN_ENTRY} for v in map(made.variable, trace.graph.variables)],
        "edges": [{key: e[key] for key in OF_AN_EDGE} for e in (made.edge(*edge) for edge in made.edges)],
        "quantities": made.quantities,
        "strings": made.strings.items,
        "places": [[[place(x) for x in row] for row in rows(arrays[v])] for v in page.trace.graph.variables],
        "gradient": gradient(page, arrays, inputs),
    }


def gradient(page, arrays, inputs):
    """Return dz/dx for each entry x of an input, as the gradient of its tensor has it; [] if one is not known or not finite."""
    computed = {} if page.trace.is_user_defined else page.trace.computed  # a loop of the user may be wrong
    found = {
        x: number
        for v, array in arrays.items()
        if not v.inputs and v in computed
        for x, number in zip(array.reshape(-1).tolist(), numbers_of(computed[v].number))
    }
    wanted = [found.get(x, math.nan) for x in inputs]
    return wanted if all(map(math.isfinite, wanted)) else []
