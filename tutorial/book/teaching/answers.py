"""The answers to all questions, and the replies to all mistakes, taken from the built chapters: their numbers are computed there."""

import re

from viz.whole_files import write_file

FORM = r'<form class="{}" data-right="(\d+)">(.*?)</form>'
PREDICTION, ANY = (re.compile(FORM.format(kind), re.S) for kind in ("predict", "(?:predict|recall)"))  # recalls ask about earlier chapters
QUESTION = re.compile(r"<legend>(?:<span.*?</span>)?(.*?)</legend>", re.S)
CHOICE = re.compile(r'<label><input[^>]* value="(\d+)"[^>]*>(.*?)</label><details[^>]*><summary>.*?</summary>(.*?)</details>', re.S)
DROPDOWN = re.compile(r'<details class="sd-[^"]*sd-dropdown[^"]*"[^>]*>\s*<summary[^>]*>(.*?)</summary>(.*?)</details>', re.S)
QUESTIONS = re.compile(r'<section id="questions">(.*?)</section>', re.S)  # the hints of exercises are dropdowns, too
MISTAKE = re.compile(r'<section id="a-common-mistake"(?:(?!</section>).)*?<p><em>(.*?)</em>', re.S)
ICON = re.compile(r"<span class=\"sd-summary-(?:state|icon|chevron)[^>]*>.*?</svg></span>|<svg.*?</svg>", re.S)


def fill(site, pages):
    """Fill the marked places of the teacher's pages: the mistakes, and the answers. `pages` are the chapters, and the recaps."""
    text = {c: from_above(c.page, (site / f"{c.page}.html").read_text(encoding="utf-8")) for c in pages}
    read = {c: text[c] for c in pages if c.number}
    place(site / "teachers.html", "ends", "".join(heading(c) + last_minutes(c.name, text) for c, text in read.items()))
    place(site / "teachers.html", "mistakes", "".join(heading(c) + mistakes(text) for c, text in read.items()))
    place(site / "answers.html", "answers", "".join(heading(c) + answers(said) for c, said in text.items()))


def from_above(page, text):
    """Return the text of a chapter with the addresses that it has for a page of the folder above.

    >>> from_above("chapters/descent", '<a href="../glossary.html"></a><a class="b" href="numerics.html#c"></a><a href="#d"></a>')
    '<a href="glossary.html"></a><a class="b" href="chapters/numerics.html#c"></a><a href="chapters/descent.html#d"></a>'
    """
    folder, _, _ = page.rpartition("/")
    text = re.sub(r'(<a [^>]*?href=")(?=[\w-]+\.html)', rf"\g<1>{folder}/", text)
    return re.sub(r'(<a [^>]*?href=")#', rf"\g<1>{page}.html#", text).replace('="../', '="')


def place(path, name, html):
    """Write HTML between the marks of a page."""
    text = path.read_text(encoding="utf-8")
    begin, end = f'<div id="{name}">', f"</div><!-- end of {name} -->"
    before, after = text.partition(begin)[0], text.partition(end)[2]
    write_file(path, "".join([before, begin, html, end, after]))


def heading(chapter):
    number = f"{chapter.number}. " if chapter.number else ""
    return f'<h3><a href="{chapter.page}.html">{number}{chapter.title}</a></h3>'


def predictions(text, kinds=PREDICTION):
    """Yield (question, {number: (choice, reply)}, number of the right choice) for each prediction in a page."""
    for right, form in kinds.findall(text):
        yield QUESTION.search(form)[1].strip(), {n: (choice.strip(), reply) for n, choice, reply in CHOICE.findall(form)}, right


def mistakes(text):
    """Return the wrong choices of a chapter with their replies."""
    return "".join(
        f"<p><strong>{question}</strong></p><dl>"
        + "".join(f"<dt>If they say “{said}”</dt><dd>{reply}</dd>" for n, (said, reply) in choices.items() if n != right)
        + "</dl>"
        for question, choices, right in predictions(text)
    )


def questions(text):
    """Return [(question, answer)]: the questions at the end of a chapter."""
    section = QUESTIONS.search(text)
    return [(ICON.sub("", question).strip(), answer) for question, answer in DROPDOWN.findall(section[1])] if section else []


def last_minutes(name, text):
    """Return the common mistake of a chapter, and the question that finds it: the first of its questions, with the answer.

    Raises ValueError with the name of the chapter if it asks no question at its end, or if the section of the mistake does not begin
    with what a learner says, in italics.
    """
    mistake, asked = MISTAKE.search(text), questions(text)
    if not mistake:
        raise ValueError(f"{name}: the section *A common mistake* must begin with the mistake in italics, as a learner says it")
    if not asked:
        raise ValueError(f"{name}: a chapter ends with the section *Questions*; each question is a dropdown that holds its answer")
    question, answer = asked[0]
    asked = f"<p>The mistake: <em>{mistake[1]}</em></p><p>Ask: <strong>{question}</strong></p>"
    return f"{asked}<details><summary>A good answer</summary>{answer}</details>"


def answers(text):
    """Return the right choices of a chapter, and its questions with their answers."""
    right_ones = [(question, choices[right]) for question, choices, right in predictions(text, ANY)]
    said = [f"<p><strong>{question}</strong></p><p>✓ {choice}</p>{reply}" for question, (choice, reply) in right_ones]
    return "".join([*said, *(f"<p><strong>{question}</strong></p>{answer}" for question, answer in questions(text))])
