"""What the inventory shows of a class, as HTML: what to teach again, the gain, what is believed before and after, and each item.

Below FEWEST students it shows counts alone: no interval, no ranking by what is believed, no verdict.
"""

from collections.abc import Sequence
from statistics import fmean

from scalargrad.formulas.text import escape
from tutorial.classroom.inventory import FORMS
from tutorial.classroom.live.questions.question import LETTERS
from tutorial.classroom.report.beliefs import Belief, Held, beliefs
from tutorial.classroom.report.live_section import LONGEST_CHOICE, chapter
from tutorial.classroom.report.statistics.answers import Taken, pairs
from tutorial.classroom.report.statistics.gain import Gain, gain, gain_of_groups
from tutorial.classroom.report.statistics.intervals import FEWEST, Estimate, of_share
from tutorial.classroom.report.statistics.items import Item, items, reliability
from tutorial.classroom.report.texts import percent, shown
from tutorial.misconceptions import MISCONCEPTIONS
from viz.text.formatter import plural

LONGEST_ITEM = 600
DRAFT = (
    "The inventory is a draft: no class has validated it. Read this page as a reason to ask students, not as a measurement of them, "
    "and give no marks by it."
)
FEW = (
    f"Fewer than {FEWEST} students took {{}}. Of so few this page gives counts alone: no interval, no discrimination, and no advice on "
    "what to teach again."
)
HOW = (
    "Intervals hold the true number in 95 of 100 classes like this one. A misconception is listed here only if it was chosen more "
    "often than wrong answers are by guessing, at a level that allows for all {} misconceptions at once. One that few students have, "
    "or that only one item asks for, can be missed."
)
NOTHING = "<p>No misconception was chosen more often than guessing explains. Somebody may still have one.</p>"
ORDER = (
    "The two forms have other numbers, and one may be harder. Half of the students, by the day in their mark, have form B before "
    "the course and A after it, so that is neither a gain nor a loss of the class."
)
ABOUT_BELIEFS = (
    "Share of the answers to the items of each misconception. ○ before, ● after, each with its interval. A change is bold if its "
    "interval does not hold 0. Of so many lines one or two are bold by chance."
)
ABOUT_ITEMS = (
    "Of each item: the share of right answers, and in brackets the discrimination, which is the correlation of the item with the rest "
    "of the test. A good item has one well above 0. Below it stands how often each choice was chosen; ✓ is the right one. An answer that "
    "is missing counts as wrong."
)


def inventory_section(tests: Sequence[Taken]) -> str:
    """Return the section on the inventory; nothing if nobody took it."""
    taken = [test for test in tests if test.sheets]
    if not taken:
        return ""
    found = beliefs(taken)
    few = [test for test in taken if len(test.sheets) < FEWEST]
    return f"""<section aria-labelledby="inventory"><h2 id="inventory">Inventory (draft): before and after the course</h2>
<dl class="numbers">{numbers(taken)}</dl>{f'<p class="where">{ORDER}</p>' if len(taken) == len(FORMS) else ""}
<div class="warning">{DRAFT}</div>{"".join(map(warning, few))}
{again(found) if len(taken[-1].sheets) >= FEWEST else ""}
<h3 class="part">Before → after, by misconception</h3><p class="where">{ABOUT_BELIEFS}</p>{table_of_beliefs(found)}
<h3 class="part">Each item</h3><p class="where">{ABOUT_ITEMS}</p>{table_of_items(taken)}</section>"""


def warning(test) -> str:
    return f'<div class="warning">{FEW.format(f"the test {FORMS[test.form]} the course")}</div>'


# The numbers


def numbers(taken) -> str:
    """Return the line of numbers: how many took each form, their mean, its reliability, and the gain."""
    parts = []
    for test in taken:
        right = [sum(row) for row in test.right()]
        parts.append((f"{len(right):,}", f"{'student' if len(right) == 1 else 'students'} {FORMS[test.form]}"))
        parts.append((f"{fmean(right):.1f} of {len(test.questions)}", f"mean {FORMS[test.form]}"))
        if found := reliability(test):
            parts.append((minus(f"{found.value:.2f}"), f"reliability {FORMS[test.form]}, KR-20{ends(found.low, found.high)}"))
    if len(taken) == len(FORMS):
        parts.append(gain_of_class(*taken))
    return "".join(f"<div><dt>{what}</dt><dd>{number}</dd></div>" for number, what in parts)


def gain_of_class(before, after) -> tuple[str, str]:
    """Return the gain in words: of the students whose marks stand in both tests, or else between the two groups."""
    shares = [[sum(row) / len(test.questions) for row in test.right()] for test in (before, after)]
    both = pairs(before, after)
    if len(both) >= FEWEST or min(len(before.sheets), len(after.sheets)) < FEWEST:
        found, who = gain([(shares[0][k], shares[1][m]) for k, m in both]), f"{plural(len(both), 'student')} with a mark in both"
    else:
        found, who = gain_of_groups(*shares), f"between the groups, since only {len(both)} marks stand in both"
    if found is None:
        return "–", "gain: all was right before"
    return minus(f"{found.value:.2f}"), f"gain{interval(found)}, {who}"


def interval(found: Gain) -> str:
    return ends(*found.interval) if found.interval else ""


def ends(low, high) -> str:
    return minus(f" ({low:.2f} to {high:.2f})")


def minus(text) -> str:
    return text.replace("-", "−")


# What to teach again


def again(found: list[Belief]) -> str:
    """Return the misconceptions that the last test shows, the commonest first. Before a course, what is taught is not taught again."""
    often = [belief for belief in found if belief.last.often]
    listed = f'<ol class="ranking">{"".join(map(one, often))}</ol>' if often else NOTHING
    heading = "What to teach again" if found[0].after else "What to teach"
    return f'<h3 class="part">{heading}</h3>{listed}<p class="where">{HOW.format(len(found))}</p>'


def one(belief) -> str:
    last, both = belief.last, belief.before and belief.after
    shares = " → ".join(percent(held.chosen, held.asked) for held in (belief.before, belief.after) if held)
    count = f'<p class="count"><b>{shares}</b> {"before → after" if both else "of the answers"}</p>'
    chapters = [text for name in belief.chapters if (text := chapter(name))]
    when = "Teach again" if belief.after else "Teach"
    teach = f'<p class="again">{when}: {escape("; ".join(chapters))}</p>' if chapters else ""
    why = (
        f"Of the wrong answers to {'item' if len(belief.items) == 1 else 'items'} {', '.join(map(str, belief.items))}, "
        f"{share(last.of_wrong)} are this one. By guessing it would be {round(100 * last.by_guessing)}%."
    )
    return f'<li>{count}<div><h3>{title(belief.id)}</h3>{teach}<p class="where">{why}</p></div></li>'


def title(id) -> str:
    words = MISCONCEPTIONS.get(id, "")
    return f'{escape(words[:1].upper() + words[1:])} <span class="id">{shown(id)}</span>'


def share(found: Estimate) -> str:
    """Return a share with its interval, in percent.

    >>> share(Estimate(0.4, 0.246, 0.577))
    '40% (25 to 58)'
    """
    return f"{100 * found.value:.0f}% ({100 * found.low:.0f} to {100 * found.high:.0f})"


# Before and after, by misconception


def table_of_beliefs(found) -> str:
    heads = "".join(f'<th scope="col">{text}</th>' for text in ("misconception", "items", "0 to 100%", "before", "after", "change"))
    rows = "".join(map(belief_row, found))
    return f'{wide("misconceptions")}<table class="answers beliefs"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'


def wide(what) -> str:
    return f'<div class="wide" tabindex="0" role="region" aria-label="{what}">'


def belief_row(belief) -> str:
    held = map(held_in_words, (belief.before, belief.after))
    cells = (", ".join(map(str, belief.items)), plot(belief), *held, change(belief.change))
    return f'<tr><th scope="row">{title(belief.id)}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'


def held_in_words(held: Held | None) -> str:
    if held is None:
        return "–"
    return share(held.share) if held.share else f"{held.chosen:,} of {held.asked:,}"


def change(found: Estimate | None) -> str:
    """Return a change in percent of the answers, and whether it is shown.

    >>> change(Estimate(-0.25, -0.4, -0.1)), change(Estimate(0.1, -0.1, 0.3))
    ('<b>−25</b> (−40 to −10)', '+10 (−10 to +30)')
    """
    if found is None:
        return "–"
    value, low, high = (minus(f"{n:+}") if (n := round(100 * number)) else "0" for number in found)
    return f"{f'<b>{value}</b>' if found.low > 0 or found.high < 0 else value} ({low} to {high})"


def plot(belief) -> str:
    """Return a picture of the shares before and after, each with its interval, on a line from 0 to 100 %."""
    held = [(kind, one.share) for kind, one in zip(("old", "new"), (belief.before, belief.after)) if one and one.share]
    marks = "".join(
        f'<line class="{kind}" x1="{100 * e.low:.1f}%" x2="{100 * e.high:.1f}%" y1="{y}" y2="{y}"/>'
        f'<circle class="{kind}" cx="{100 * e.value:.1f}%" cy="{y}" r="4"/>'
        for (kind, e), y in zip(held, (8, 18) if len(held) > 1 else (13,))
    )
    return f'<svg class="plot" aria-hidden="true">{marks}</svg>' if held else ""


# Each item


def table_of_items(taken) -> str:
    found = {test.form: items(test) for test in taken}
    heads = "".join(f"<th>{text}</th>" for text in ("Item and choices", "Before", "After", "Gain"))
    rows = "".join(item(k, taken, found) for k in range(len(taken[0].questions)))
    return f'{wide("items")}<table class="answers votes items"><thead><tr>{heads}</tr></thead>{rows}</table></div>'


def item(k, taken, found: dict[str, list[Item]]) -> str:
    """Return an item: a line for each choice, with its counts in both tests."""
    questions = [test.questions[k] for test in taken]
    own = [found[form][k] if form in found else None for form in FORMS]
    lines = []
    for number in range(len(questions[0].choices) + 1):
        cells = "".join(f"<td>{counted(one, number) if one else '–'}</td>" for one in own)
        lines.append(f"{line(questions, number)}{cells}<td></td></tr>")
    sums = "".join(f"<td>{of_item(one, test) if one else '–'}</td>" for one, test in zip(own, by_form(taken)))
    asked = f"{k + 1}. {shown(questions[0].plain, LONGEST_ITEM)}"
    return f'<tbody><tr><th scope="rowgroup">{asked}</th>{sums}<td>{gain_of_item(k, taken)}</td></tr>{"".join(lines)}</tbody>'


def by_form(taken) -> list[Taken | None]:
    found = {test.form: test for test in taken}
    return [found.get(form) for form in FORMS]


def line(questions, number) -> str:
    """Return the start of the line of a choice, with what it says in each form, or of the answers that are missing."""
    if number == len(questions[0].choices):
        return "<tr><td>no answer</td>"
    right = number == questions[0].right
    text, *other = dict.fromkeys(shown(question.choices[number].plain, LONGEST_CHOICE) for question in questions)
    in_b = f' <span class="id">(form B: {other[0]})</span>' if other else ""
    id = questions[0].choices[number].believes
    named = f' <span class="id">{shown(id)}</span>' if id else ""
    sign = "✓ " if right else ""
    return f"<tr{' class=right' if right else ''}><td>{sign}{LETTERS[number]}: {text}{in_b}{named}</td>"


def counted(found: Item, number) -> str:
    """Return how many chose a choice, and if they are not few the share with its interval."""
    count, n = found.counts[number], sum(found.counts)
    return f"{count:,}: {share(of_share(count / n, n))}" if n >= FEWEST else f"{count:,}"


def of_item(found: Item, test) -> str:
    """Return the difficulty and the discrimination of an item, or how many were right of a few."""
    if len(test.sheets) < FEWEST:
        return f"{round(found.right.value * len(test.sheets))} of {len(test.sheets)} right"
    told = found.discrimination
    return f"{share(found.right)}<br>[{minus(f'{told.value:.2f}') + ends(told.low, told.high) if told else 'all alike'}]"


def gain_of_item(k, taken) -> str:
    """Return the gain of those whose marks stand in both tests."""
    if len(taken) < len(FORMS) or len(both := pairs(*taken)) < FEWEST:
        return "–"
    right = [test.right() for test in taken]
    found = gain([(right[0][a][k], right[1][b][k]) for a, b in both])
    return minus(f"{found.value:.2f}") + interval(found) if found else "all right before"
