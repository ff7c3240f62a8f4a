"""What the live votes of a class show, as HTML: what was believed before and after the discussion, and each question with its gain."""

from collections.abc import Sequence

from scalargrad.formulas.text import escape
from tutorial.classroom.report.chapters import in_words
from tutorial.classroom.report.statistics.intervals import FEWEST
from tutorial.classroom.report.statistics.votes import Asked, Believed, Votes, believed
from tutorial.classroom.report.texts import percent, shown
from tutorial.misconceptions import MISCONCEPTIONS
from tutorial.reading.chapter import NoChapter, find
from viz.text.formatter import plural

MOST = 8  # misconceptions that are listed
LONGEST_QUESTION, LONGEST_CHOICE = 240, 120
ABOUT = (
    "Counts of votes, before the discussion and after it. The gain is the share of wrong answers that became right, of those who voted "
    f"twice by phone. Its interval of 95 % is from the jackknife. Fewer than {FEWEST} students have none."
)


def live_section(all_votes: Sequence[Votes]) -> str:
    """Return the section on the live votes of these classes; nothing if there are none."""
    if not all_votes:
        return ""
    ranked = believed(all_votes)
    listed = "".join(map(misconception, ranked[:MOST]))
    tables = "".join(map(table, all_votes))
    again = f'<ol class="ranking">{listed}</ol>' if ranked else "<p>No vote showed a known mistake.</p>"
    return f"""<section aria-labelledby="live"><h2 id="live">Live votes: what the class believed</h2>{again}
<p class="where">{ABOUT}</p>{tables}</section>"""


def misconception(found: Believed) -> str:
    """Return a misconception: how many votes showed it before and after, and what to teach again."""
    words = MISCONCEPTIONS.get(found.id, "")
    after = "" if found.after is None else f" → {found.after:,}"
    count = f'<p class="count"><b>{found.before:,}{after}</b> {"votes" if found.after is None else "before → after"}</p>'
    chapters = [text for name in found.chapters if (text := chapter(name))]
    again = f'<p class="again">Teach again: {escape("; ".join(chapters))}</p>' if chapters else ""
    title = escape(f"{words[:1].upper()}{words[1:]}") or "A mistake without a catalogue entry"
    return f'<li>{count}<div><h3>{title} <span class="id">{shown(found.id)}</span></h3>{again}</div></li>'


def chapter(name) -> str:
    """Return a chapter in words; nothing if this version of the book has none of this name."""
    try:
        found = find(name)
    except NoChapter:
        return ""
    return in_words((found.number, found.title))


def table(votes: Votes) -> str:
    rows = "".join(map(question_row, votes.asked))
    head = "<tr><th>Question and choices</th><th>Before</th><th>After</th><th>Gain</th></tr>"
    caption = f"{shown(votes.title)}: {plural(votes.students, 'phone')}, {plural(len(votes.asked), 'question')}"
    return f'<div class="wide"><table class="answers votes"><caption>{caption}</caption><thead>{head}</thead>{rows}</table></div>'


def question_row(found: Asked) -> str:
    """Return a question: a line for each choice, its counts in both votes."""
    question = found.question
    lines = [
        f"<tr{' class=right' if k == question.right else ''}><td>{'✓ ' if k == question.right else ''}{shown(choice.plain, LONGEST_CHOICE)}"
        f"{f' <span class=id>{shown(choice.believes)}</span>' if choice.believes else ''}</td>"
        f"<td>{cell(found.before, k)}</td><td>{cell(found.after, k) if found.twice else '–'}</td><td></td></tr>"
        for k, choice in enumerate(question.choices)
    ]
    sums = f"<td>{sum(found.before):,}</td><td>{f'{sum(found.after):,}' if found.twice else '–'}</td><td>{gain_in_words(found)}</td>"
    return f'<tbody><tr><th scope="rowgroup">{shown(question.plain, LONGEST_QUESTION)}</th>{sums}</tr>{"".join(lines)}</tbody>'


def cell(counts, k) -> str:
    return f"{counts[k]:,} ({percent(counts[k], sum(counts))})"


def gain_in_words(found: Asked) -> str:
    """Return the gain with its interval, and of how many students.

    >>> from tutorial.classroom.report.statistics.gain import Gain
    >>> gain_in_words(Asked(None, [], [], 30, Gain(0.5, (0.3, 0.7))))
    '0.50 (0.30 to 0.70), 30 students'
    """
    if found.gain is None:
        return "–"
    value, interval = found.gain
    ends = f" ({interval[0]:.2f} to {interval[1]:.2f})" if interval else ""
    return f"{value:.2f}{ends}, {plural(found.pairs, 'student')}"
