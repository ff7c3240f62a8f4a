"""A rule of any number of inputs: concatenate, einsum. One vjp serves all slots; it gets the slot as an argument."""

import inspect
from typing import NamedTuple

from tensorgrad.arrays.axes import shape_of
from tensorgrad.arrays.errstate import silence
from tensorgrad.arrays.floats import ARRAY
from tensorgrad.errors import calls
from tensorgrad.errors.calls import FROM_WITHIN
from tensorgrad.node import Node
from tensorgrad.rule import LIBRARY, Rule
from tensorgrad.tensor import made
from tensorgrad.vjp import Vjp, formula_of, guarded, with_formulas


class EverySlot(NamedTuple):
    """The one vjp of a rule with any number of slots."""

    vjp: Vjp

    def __getitem__(self, slot):
        return self.vjp


class VariadicRule(Rule):
    """A function of any number of arrays: y = forward(*xs, options), with one vjp that gets its `slot`.

    Its parameters may also be `xs` (all inputs, which saves them), `others` (the same with None at its own slot, which saves all
    others), `xs_shapes` (which saves nothing), `y`, the options, and what `shared`, {parameter: function of (xs_shapes, options)},
    computes once for all slots: n slots that repeat it would cost n² work.
    """

    def __init__(self, forward, each, entries=None, name=None, shared=None):
        super().__init__(forward, entries=entries, name=name)
        self.each, self.each_formula, self.shared = each, formula_of(each), shared or {}
        self.__doc__ = with_formulas(self.__doc__, [self.each_formula])
        if forward.__module__.partition(".")[0] not in LIBRARY:
            self.each = guarded(each)
        self.vjps = EverySlot(Vjp(self.each, (), self.each_formula))
        self.wanted = list(inspect.signature(each).parameters)[1:]
        parameters = [p for p in inspect.signature(forward).parameters.values() if p.kind is p.KEYWORD_ONLY]
        self.settings = {p.name: p.default for p in parameters}
        self.option_names, self.defaults = list(self.settings), tuple(self.settings.values())

    def __call__(self, *args, **options):
        for word in options:
            if word not in self.settings:
                raise calls.unknown_keyword(self.name, word, self.signature)
        return self.applied(args, tuple((self.settings | options).values()))

    def named(self, options):
        return dict(zip(self.option_names, options))

    def evaluated(self, values, options=(), slots=()):
        try:
            return silence.copy().run(self.forward, *values, **self.named(options)), None
        except FROM_WITHIN as wrong:
            asked = calls.wrong_kind(self.name, self.signature, self.named(options))
            raise calls.in_name_of(self.name, asked or self.reworded(wrong, values)) from None

    def edges(self, slots, arguments, values, y, options):
        shapes, options = tuple([*map(shape_of, values)]), self.named(options)
        found, edges = {"xs": values, "xs_shapes": shapes, "y": y, **options}, []
        for n, shared in self.shared.items():
            found[n] = shared(shapes, **options)
        for slot in slots:
            found["slot"] = slot
            if "others" in self.wanted:
                found["others"] = [None if i == slot else x for i, x in enumerate(values)]
            edges.append((arguments[slot], slot, tuple([found[n] for n in self.wanted])))
        return tuple(edges)

    def attached(self, y, slot, saved):
        all_of_them = lambda vs: [made(v, a) if isinstance(a, Node) and v is not None else v for v, a in zip(vs, y.arguments)]
        places = {"y": lambda v: made(v, y), "xs": all_of_them, "others": all_of_them}
        return [places.get(n, lambda v: v)(value) for n, value in zip(self.wanted, saved)]

    def formula(self, slot):
        return self.each_formula

    def saved(self, y):
        found = {}
        for _, _, saved in y.edges or ():
            for n, value in zip(self.wanted, saved):
                if n in ("xs", "others"):
                    found |= {f"x{i}": v for i, v in enumerate(value) if type(v) is ARRAY}
                elif type(value) is ARRAY:
                    found[n] = value
        return found
