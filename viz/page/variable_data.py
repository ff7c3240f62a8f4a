"""The variables and the edges of a graph as data of its page."""

import re

from scalargrad.formulas.operators import PRODUCT, SUM
from scalargrad.formulas.symbols import Name
from scalargrad.formulas.text import isolated
from scalargrad.tracing.quantities import HOLE
from scalargrad.user_names.made_at import made_at
from scalargrad.user_names.remarks import remarks_of
from viz.graphs.marks import REMARK, mark_of
from viz.page.number_data import NumberData
from viz.page.scenes.box_sizes import with_brief_names
from viz.page.typeset.text_runs import runs
from viz.text.formatter import UNICODE

LONG = 90  # characters of a remark: a longer one is folded
FACT = re.compile(r"(.+?[:;]) (.+)|(.+)", re.DOTALL)


class VariableData(NumberData):
    """The variables and edges of a trace's graph. `place` has the place of each variable, `edges` of each edge, in the page's lists."""

    def __init__(self, trace):
        super().__init__(trace)
        self.brief = with_brief_names(trace)
        self.place = {v: i for i, v in enumerate(trace.graph.variables)}
        edges = [(y, slot) for x in trace.graph.variables for y, slot in trace.graph.children[x]]
        self.edges = {edge: k for k, edge in enumerate(edges)}

    def variable(self, v):
        data = self.on.data(v)
        return {
            "name": isolated(self.trace.names[v]),
            "written": self.strings[self.mathml.name(self.trace.names[v])],
            "total": self.math(self.trace.total(v)),
            **{("data" if key == "number" else key): value for key, value in self.number(data).items()},
            "shape": list(getattr(v, "shape", ())),
            "function": v.rule.name if v.rule else None,
            "formula": self.math(self.on.written(v)) if v.rule else None,
            "equation": UNICODE.formula(self.on.written(v)) if v.rule else None,
            "label": runs(Name(self.brief.name(v))),
            "totalLabel": runs(self.brief.total(v)),
            "formulaLabel": self.formula_label(v) if v.rule else None,
            "inputs": [self.place[x] for x in v.inputs],
            **({"madeAt": f"{line} {line.text}"} if (line := made_at(v)) else {}),
            **({"mark": list(filter(None, mark))} if (mark := mark_of(v)) else {}),
            **({"remarks": self.remarks(found)} if (found := remarks_of(v)) else {}),
        }

    def remarks(self, found):
        """Return the sentences of remarks, as [fact, more]: a long one is a fact, and what follows after its colon or semicolon."""
        parts = [FACT.match(remark.text).groups() if len(remark.text) > LONG else [remark.text] for remark in found]
        return [[self.formatter(self.formatter.words(part)) for part in filter(None, one)] for one in parts]

    def formula_label(self, v):
        """Return v's function as runs of a label, after its mark, if it has one."""
        mark = mark_of(v)
        prefix = "! " if mark and mark.kind == REMARK else f"{mark.short}: " if mark else ""
        return ([[prefix, ""]] if prefix else []) + runs(self.brief.written(v))

    def edge(self, y, slot):
        partial = self.on.partial(y, slot)
        return {
            "input": self.place[y.inputs[slot]],
            "output": self.place[y],
            "slot": slot,
            "ratio": self.math(self.trace.ratio(y, slot)),
            "text": UNICODE.formula(self.trace.ratio(y, slot)),
            "label": runs(self.brief.ratio(y, slot)),
            "partial": self.quantity(partial),
            "chain": self.product(self.on.factors(y, slot)[0], y, slot),
        }

    def product(self, factors, y, slot):
        """Return the factors of an edge's term of equation (1), in brackets if needed; None for a factor that is not known yet."""
        edges = self.trace.graph.children[y.inputs[slot]]
        first, alone = edges[0].child is y and edges[0].slot == slot, len(edges) == len(factors) == 1
        loosest = SUM if alone else PRODUCT
        return [None if f is HOLE else self.strings[self.mathml.factor(f, first and not k, loosest)] for k, f in enumerate(factors)]

    def names_of_arrays(self):
        """Return {id of an array: its name, as the place of a formula and as text}: of variables, contributions and total derivatives."""
        trace, formula = self.trace, lambda f: (self.math(f), UNICODE.formula(f))
        found = {id(s.term.number): formula(trace.ratio(s.y, s.slot)) for s in trace if s.term is not None and (s.y, s.slot) in self.edges}
        found |= {id(q.number): formula(trace.total(v)) for v, q in trace.computed.items() if v in self.place}
        return found | {id(self.on.data(v)): formula(Name(trace.names[v])) for v in self.place}
