"""The looks of boxes and labels in the graph of a page: font sizes and heights, in units of a scene. The page reads them too."""

from typing import NamedTuple

NUMBER = 0.9  # a number beside a formula has this share of its font size


class Look(NamedTuple):
    """How boxes are built. The first eight are font sizes."""

    name: float
    value: float
    shape: float
    total: float  # dz/dx in the band
    formula: float
    tag: float
    label: float
    cell: float  # an entry of an array
    head: float  # the height of the line with name and value
    foot: float  # the height of the band with the gradient; 0 if there is none
    row: float  # the height of a row of an array
    picture: float  # the height of the picture of an array, at most
    above: float  # room above a box for its tag
    below: float  # room below the box of a function for its formula
    side: float  # room beside a text
    gap: float  # between name and value
    narrowest: float
    widest_formula: float  # a box is as wide as its formula, up to this width; a longer formula is cut, and the tooltip has all of it
    stacked: bool  # labels have two lines
    compact: bool  # numbers have few digits, and the band has only the number
    turned: bool  # inputs are at the top
    upright: bool = False  # the picture of an array's gradient is below that of its value, not beside it
    swatch: float = 0  # the side of an entry of an array that is shown by its colour alone; 0 if entries are shown as numbers
    entries: bool = True  # the box of an array shows its entries or its picture; else its shape alone
    functions: bool = False  # each function has a node of its own before the box of its output
    bare: bool = False  # a box has no formula; a pointer shows it
    saved: float = 40  # by so much a value under its name must make a box narrower
    changed: tuple[str, ...] = ()  # a box has room for these numbers too: a small number may become a longer one

    @property
    def fonts(self):
        return dict(zip(self._fields[:8], self))

    @property
    def smallest(self):
        """The size of the smallest text, apart from indices and powers."""
        return min(*self.fonts.values(), NUMBER * self.total, NUMBER * self.label)

    def for_page(self):
        """Return what the page needs to paint with this look.

        >>> ROOMY.for_page()["fonts"]["tag"], ROOMY.for_page()["smallest"]
        (18.6, 18.6)
        """
        sizes = ("head", "foot", "row", "side", "stacked", "compact", "turned")
        found = {"fonts": self.fonts, "smallest": self.smallest, **{name: getattr(self, name) for name in sizes}}
        return found | ({"bare": True} if self.bare else {})


# fmt: off
ROOMY = Look(25, 22, 18.6, 21, 20, 18.6, 21, 18.6, head=43, foot=30, row=26, picture=112, above=7, below=27, side=14, gap=18,
             narrowest=150, widest_formula=240, stacked=False, compact=False, turned=False)
UPRIGHT = ROOMY._replace(head=34, foot=26, picture=66, upright=True)
COMPACT = Look(23, 20, 18.6, 21, 20, 18.6, 21, 18.6, head=32, foot=28, row=26, picture=112, above=7, below=23, side=8, gap=12,
               narrowest=90, widest_formula=150, stacked=True, compact=True, turned=False, changed=("−0.00",))
NARROW = Look(19, 15.5, 13, 14, 14.5, 13, 14, 13, head=38, foot=28, row=19, picture=72, above=9, below=21, side=4, gap=7,
              narrowest=85, widest_formula=124, stacked=False, compact=False, turned=True)
SLIM = NARROW._replace(head=30, foot=24, narrowest=60, widest_formula=110, stacked=True, compact=True, changed=COMPACT.changed)
LOW, LOW_SLIM = ROOMY._replace(picture=60, row=14, swatch=14, stacked=True), SLIM._replace(picture=26, row=7, swatch=7)  # for arrays
LOW_CLOSE = COMPACT._replace(picture=60, row=14, swatch=14)
# The same with letters of nearly one size, the least that can be read.
CLOSE = COMPACT._replace(name=20, value=18.6, total=20.7, formula=18.6, label=20.7, head=28, foot=26, side=6, gap=8, narrowest=72,
                         widest_formula=130)
NEAR_SLIM = SLIM._replace(name=15, value=13, shape=12.6, total=14, formula=12.6, tag=12.6, label=14, cell=12.6, head=23, foot=19,
                          side=3, gap=5, narrowest=44, widest_formula=80)
# The same with no formulas.
WIDER_NUMBER = ("−0.000",)
CLOSEST = CLOSE._replace(below=13, narrowest=92, bare=True, changed=WIDER_NUMBER)
NEAREST_SLIM = NEAR_SLIM._replace(below=9, narrowest=56, bare=True, changed=WIDER_NUMBER)
CLOSE_LOW, NEAR_SLIM_LOW = CLOSE._replace(picture=60, row=14, swatch=14), NEAR_SLIM._replace(picture=26, row=7, swatch=7)
CLOSEST_LOW = CLOSE_LOW._replace(below=13, bare=True, changed=WIDER_NUMBER)
NEAREST_SLIM_LOW = NEAR_SLIM_LOW._replace(below=9, bare=True, changed=WIDER_NUMBER)
# fmt: on
