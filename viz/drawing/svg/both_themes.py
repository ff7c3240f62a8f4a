"""Let one drawing be light or dark, as its reader prefers: CSS inside the SVG changes each colour.

The light and the dark drawing of a graph are the same text but for their colours. Where one colour of the light drawing is two in the
dark one, the light one becomes two colours that differ by less than anyone sees.
"""

import re

COLOUR = re.compile(r'(color="?)(#[0-9a-f]{6})', re.IGNORECASE)


def follow_reader(light, dark):
    """Return the light Drawing, whose SVG is dark for readers who prefer that. Every other format, such as PNG, is light."""
    found = ([colour for _, colour in COLOUR.findall("".join(drawing.body))] for drawing in (light, dark))
    pairs = list(zip(*found, strict=True))
    written, rest = distinct(dict.fromkeys(pairs)), iter(pairs)
    light.body[:] = [COLOUR.sub(lambda attribute: attribute[1] + written[next(rest)], statement) for statement in light.body]
    light.dark_colours = {colour: other for (_, other), colour in written.items()}
    return light


def distinct(pairs):
    """Return {(light, dark): a light colour that no other pair has}. What is the same in both is not a colour of a theme and stays.

    >>> distinct([("#ffffff", "#000000"), ("#ffffff", "#111111"), ("#ffffff", "#ffffff")])
    {('#ffffff', '#000000'): '#ffffff', ('#ffffff', '#111111'): '#fffffe', ('#ffffff', '#ffffff'): '#ffffff'}
    """
    found: dict = {}
    for light, dark in pairs:
        colour = light
        while light != dark and colour in found.values():
            n = int(colour[1:], 16)
            colour = f"#{n - 1 if n & 0xFF else n + 0xFF:06x}"
        found[light, dark] = colour
    return found


def styled(svg, dark_colours):
    """Return the text of an SVG in which each colour of `dark_colours`, {light: dark}, is dark for readers who prefer that."""
    changed = {light: dark for light, dark in dark_colours.items() if light != dark}
    if not changed:
        return svg
    rules = "".join(f".auto [{part}='{light}']{{{part}:{dark}}}" for light, dark in changed.items() for part in ("fill", "stroke"))
    style = f"<style>@media (prefers-color-scheme: dark) {{{rules}}}</style>"
    return re.sub(r"<svg ([^>]*)>", lambda tag: f'<svg class="auto" {tag[1]}>\n{style}', svg, count=1)
