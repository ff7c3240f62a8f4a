"""Makes the page's font, math.woff2, out of Latin Modern Math: the letters and signs of formulas, and the MATH table.

    pip install fonttools brotli
    python .ci/make_font.py latinmodern-math.otf

The font is in Debian's package fonts-lmodern, and at https://www.gust.org.pl/projects/e-foundry/lm-math; its licence stands
in font-license.txt beside the font. The part has a name of its own, as that licence asks. The page works without this program.
"""

import sys
from pathlib import Path

NAME = "Gradsteps Math"
CHANGES = "This is a part of Latin Modern Math (latinmodern-math.otf), made with make_font.py; it has fewer characters and another name."
FAMILY, STYLE, UNIQUE, FULL, POSTSCRIPT, DESCRIPTION = 1, 2, 3, 4, 6, 10  # of a font's names, by their numbers in OpenType
KEPT = {0, 7, 8, 9, 11, 12, 13, 14}  # copyright, trade mark, makers and licence stay as they are

CHARACTERS = [
    range(0x20, 0x7F),
    "\N{NO-BREAK SPACE}\N{THIN SPACE}\N{HAIR SPACE}",
    "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρςστυφχψωϑϕϖϱϵ",
    range(0x1D434, 0x1D468),  # 𝐴 to 𝑧: what <mi>x</mi> is drawn with
    "ℎℓℒ",  # ℎ is the h among them
    range(0x1D6E2, 0x1D71C),  # 𝛢 to 𝜛, with 𝜕
    "⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉ᵀᵢ",
    "∂∇∑∏√∛∞∅ℝ",
    "−±∓·⋅×÷∗∘⊙⊗⊕†′″",
    "=≠<>≤≥≈≡∼≪≫∝∈∉∋⊂⊆∪∩∧∨¬∀∃",
    "→←↑↓↔⇒↦…⋯⋮⋱",
    "|‖⟨⟩⌈⌉⌊⌋",
    "\N{COMBINING CIRCUMFLEX ACCENT}\N{COMBINING MACRON}ˆ¯˜",
    "\N{FUNCTION APPLICATION}\N{INVISIBLE TIMES}",
]
FEATURES: list[str] = []  # ssty, letters drawn for indices, would double the size, and Chromium does not ask for them


def make(source, target):
    """Write the part of the font `source` that pages need to the file `target`."""
    from fontTools import subset  # type: ignore[import-not-found,import-untyped]
    from fontTools.ttLib import TTFont  # type: ignore[import-not-found,import-untyped]

    options = subset.Options(flavor="woff2", layout_features=FEATURES, notdef_outline=True, desubroutinize=True, hinting=False)
    options.name_IDs = ["*"]
    font = TTFont(source, recalcTimestamp=False)
    unicodes = {c if isinstance(c, int) else ord(c) for part in CHARACTERS for c in part}
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=unicodes)
    subsetter.subset(font)
    rename(font)
    subset.save_font(font, target, options)


def rename(font):
    named = {FAMILY: NAME, STYLE: "Regular", UNIQUE: NAME, FULL: NAME, POSTSCRIPT: NAME.replace(" ", ""), DESCRIPTION: CHANGES}
    names = font["name"]
    names.names = [record for record in names.names if record.nameID in KEPT]
    for number, text in named.items():
        names.setName(text, number, 3, 1, 0x409)
    top = font["CFF "].cff
    top.fontNames = [named[POSTSCRIPT]]
    top[0].FullName = top[0].FamilyName = NAME


if __name__ == "__main__":
    target = Path(__file__).parents[1] / "viz/page/assets/math.woff2"
    make(sys.argv[1], target)
    print(f"{target.name}: {target.stat().st_size / 1000:.0f} kB")
