"""The questions of a chapter or of a teacher's file, with what stands beside them."""

from collections import Counter
from functools import cache

import pytest

from tutorial.classroom.inventory import blocks as inventory
from tutorial.classroom.live.questions.beside import NOTHING, above, named, needs_program
from tutorial.classroom.live.questions.line_as_html import written
from tutorial.classroom.live.questions.question import Code, Picture, Typeset
from tutorial.classroom.live.questions.source import NoQuestion, exercise_questions, lesson
from tutorial.reading.chapter import NoChapter, blocks_of, walk, with_recaps

FILE = """# My lesson

```{code-cell}
x = 7
```

:::{predict} What is {eval}`x` times $x_1$, *if* `x < y` & <b>?
:right: 2

- <script>alert(1)</script>

  No.
- $x^2$

  Yes, {eval}`x * x`.
:::

## Another part

:::{predict} Nothing stands beside this?
:recall: descent
:right: 1

- yes

  Right.
- no

  Look.
:::
"""


def test_chapter_3_asks_its_questions_and_has_players():
    found = lesson("3")
    remembered, nudge, *_, total, terms = [question for question in found.questions if not question.typed]
    assert found.title == "3. The inductive chain rule" and remembered.picture().said.startswith("z = y₁·y₂")
    assert [choice.text for choice in nudge.choices] == ["0.8", "1.1", "2.4", "0.3"] and nudge.right == 1
    assert "<msub><mi>x</mi><mn>4</mn></msub>" in nudge.asked
    assert [type(beside) for beside in nudge.beside] == [Picture] and "<svg" in nudge.picture().svg and "x₄ = 4" in nudge.picture().said
    assert [choice.believes for choice in nudge.choices] == ["M93", "", "M30", "M93"]
    assert terms.picture() and terms.picture() != nudge.picture()
    assert total.plain == (
        "z = x₁ · y₁ + y₂, where y₁ = x₁ + x₂ + x₃ + x₄. Here x₁ is 3, and y₁ is 6. What is the total derivative dz/dx₁?"
    )
    assert remembered.choices[0].believes == "M01" and "The mistake" not in remembered.choices[0].reply
    assert (remembered.chapter, total.chapter) == ("variables-functions-graphs", "inductive-chain-rule")
    assert "<mfrac>" in total.asked and "y₁" in total.picture().said  # it names the variable whose graph belongs to it
    assert "The chain rule, step by step" in [player.title for player in found.players]


def test_the_exercises_of_a_chapter_ask_for_their_numbers_beside_their_programs_without_the_answer():
    asked = {question.plain: question for question in exercise_questions("inductive-chain-rule", "")}
    question = asked["What is dz/dx₄ at x = (2, 3, 5, 7)?"]
    assert question.typed("16") == question.right and question.typed("14") != question.right
    (code,) = question.beside
    assert "def figure1" in code.source and "2 * x4" not in code.source


def test_a_player_below_the_last_question_can_be_followed_and_no_cell_below_it_runs(tmp_path):
    path = tmp_path / "mine.md"
    cell = "```{{code-cell}}\n{}\n```\n\n"
    path.write_text(
        FILE + cell.format("import viz\nfrom scalargrad import Value\nviz.play(Value(3) * 2)") + cell.format("1 / 0"), encoding="utf-8"
    )
    found = lesson(path)
    assert len(found.players) == 1 and found.questions[-1].typed


def test_a_file_of_your_own_is_asked_and_its_text_is_text(tmp_path):
    path = tmp_path / "mine.md"
    path.write_text(FILE, encoding="utf-8")
    found = lesson(path)
    first, second = found.questions
    assert found.title == "My lesson" and first.beside == (Code("x = 7"),) and second.beside == ()
    assert first.asked.startswith('What is 7 times <span class="together"><math')
    assert "<i>if</i> <code>x &lt; y</code> &amp; &lt;b&gt;?" in first.asked
    assert first.choices[0].text == "&lt;script&gt;alert(1)&lt;/script&gt;" and first.choices[1].reply == "Yes, 49."


def test_a_line_does_not_end_between_a_number_and_the_formula_that_it_touches():
    math = written("$y$")
    assert written("So z = {eval}`6`$y$, and $y$ is 2") == f'So z = <span class="together">6{math},</span> and {math} is 2'


def test_a_program_that_no_question_needs_does_not_run(tmp_path):
    """A chapter may train a network for minutes between two questions."""
    path = tmp_path / "mine.md"
    draws = "```{code-cell}\nimport viz\nfrom scalargrad import Value\nviz.draw(Value(3) * 2)\n```\n\n"
    code = "```{code-cell}\n1 / 0\n```\n\n"
    asked = FILE.split("## Another")[1].partition("\n")[2].replace(":recall: descent\n", "")
    path.write_text("# Mine\n\n" + draws + asked + "## Two\n\n" + code + asked, encoding="utf-8")
    first, second = lesson(path).questions
    assert [type(shown) for shown in first.beside] == [Picture] and second.beside == (Code("1 / 0"),)
    path.write_text(path.read_text(encoding="utf-8") + "## Three\n\n" + draws + asked, encoding="utf-8")
    with pytest.raises(NoQuestion, match="the line '1 / 0' raises ZeroDivisionError"):
        lesson(path)


PROGRAM = """import viz
from scalargrad import Value
w, x, b = Value(2), Value(3), Value(-1)
z = (w * x + b) ** 2
first = viz.play(z)
viz.play(w * x)
"""


@cache
def chapters_of_book():
    """Return the blocks of each chapter and of each recap, without what stands in their exercises."""
    return [blocks_of(chapter.markdown.replace("```{exercise}", "```{hidden}")) for chapter in with_recaps()]


def questions_of(blocks):
    """Return the questions of some blocks, each with all blocks, and with the places of what stands above it in its section."""
    blocks = list(walk(blocks))
    return [(blocks[k], blocks, found) for k, found in above(blocks)]


def test_each_question_of_the_book_and_of_the_inventory_shows_something_or_says_that_its_words_are_complete():
    of_book = [asked for blocks in chapters_of_book() for asked in questions_of(blocks)]
    of_inventory = questions_of(inventory("A"))
    bare = [block.question for block, _, found in of_book + of_inventory if not (block.draws or block.shows or found)]
    assert (len(of_book) > 100, len(of_inventory), bare) == (True, 20, [])
    assert [sum(block.shows == NOTHING for block, *_ in asked) for asked in (of_book, of_inventory)] == [0, 18]


def test_what_a_question_names_is_shown_and_is_not_its_answer():
    """Each graph, program and formula that a question brings along; those of variables need the chapter's program."""
    asked = [given for blocks in chapters_of_book() for given in questions_of(blocks)]
    kinds = Counter()
    for block, blocks, _ in asked:
        if (block.draws or block.shows) and not needs_program(block):
            (found,) = named(block, {}, blocks)
            kinds[type(found)] += 1
            if isinstance(found, Picture):
                assert found.said and block.choices[block.right - 1][0] not in found.said.split(), block.question
    assert kinds[Picture] > 30 and kinds[Code] > 15 and kinds[Typeset] >= 3


def test_a_question_that_shows_nothing_reads_no_chapter():
    """A chapter is read with all wrong answers of its exercises, which run for that."""
    text = ":::{predict} Which?\n:right: 1\n:recall: no-such-chapter\n:show: nothing\n\n- a\n\n  Yes.\n- b\n\n  No.\n:::\n"
    (asked,) = blocks_of(text)
    assert asked.recalls == "no-such-chapter" and named(asked, {}, []) == ()


def test_a_question_without_a_program_of_its_own_shows_that_of_its_section(tmp_path):
    """A drawing, what a hidden program prints, and a formula, which stands there alone."""
    path = tmp_path / "mine.md"
    hidden = "```{code-cell}\n:tags: [remove-input]\nprint('a table')\n```\n\n"
    picture = "```{code-cell}\n:tags: [remove-input]\nfrom tutorial.graphs.arm import Arm\nprint()\nArm([0.3])\n```\n\n"
    asked = FILE.split("## Another")[1].partition("\n")[2].replace(":recall: descent\n", "")
    formula = "$$\ny = x^2\n$$\n\n"
    parts = ["# Mine\n\n", formula, asked, hidden, asked, "## Two\n\n", picture, asked]
    path.write_text("".join(parts), encoding="utf-8")
    first, second, third = lesson(path).questions
    assert [type(found) for found in first.beside] == [Typeset] and "<msup>" in first.beside[0].html
    assert second.beside == (Code("a table"),)
    assert third.picture().said == "an arm with 1 joint, whose hand misses the cup by 2.17"
    assert 'xmlns="http://www.w3.org/2000/svg"' in third.picture().svg and "--total" in third.picture().svg


def test_a_page_of_recaps_can_be_asked():
    found = lesson("recap-numbers")
    assert found.title == "Recap: five questions on numbers" and len(found.questions) == 5
    assert found.questions[0].chapter == "nudge-and-slope" and found.questions[-1].beside[0].source.startswith("def backpropagation")


def test_a_program_of_your_own_is_played_and_asked_at_each_step(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(PROGRAM, encoding="utf-8")
    found = lesson(path)
    assert len(found.players) == 2 and {question.at.page for question in found.questions} == {0, 1}
    steps = [question.at.step for question in found.questions if question.at.page == 1]
    last = found.questions[-1]
    assert last.choices[last.right].plain in "23" and steps == sorted(steps) and steps[0] > 1
    assert len({question.id for question in found.questions}) == len(found.questions)
    assert found.questions[0].picture().said.startswith("z = v₂²") and found.questions[-1].picture().said.startswith("z = w·x")
    path.write_text("1 + 1", encoding="utf-8")
    with pytest.raises(NoQuestion, match=r"give it a graph to play: viz.play\(z\)"):
        lesson(path)


@pytest.mark.sweep
def test_any_page_can_be_followed(tmp_path):
    """A network too large to ask about, slides, a page to explore; and a file that holds one of them."""
    path = tmp_path / "mine.py"
    path.write_text(
        PROGRAM + "for u in map(Value, range(14)):\n    z = z * u + u\nviz.play(z)\nviz.explore(z)\nviz.slides(z, title='A & B')\n"
    )
    found = lesson(path)
    assert len(found.players) == 5 and {question.at.page for question in found.questions} == {0, 1, 2}
    (tmp_path / "page.html").write_text(found.players[-1].html, encoding="utf-8")
    page = lesson(tmp_path / "page.html")
    assert (page.title, page.questions, page.players) == ("A & B", (), found.players[-1:])


def test_a_graph_of_your_own_asks_for_its_numbers(tmp_path):
    path = tmp_path / "mine.md"
    path.write_text("# Mine\n\n```{code-cell}\nimport viz\nfrom scalargrad import Value\nx = Value(3)\nz = x * x\nviz.play(z)\n```\n")
    partial, total = lesson(path).questions
    assert (partial.plain, total.plain) == ("What is ∂z/∂x?", "What is dz/dx?")
    assert [(choice.plain, choice.believes) for choice in total.choices[:2]] == [("−6", "M66"), ("2", "M64")]
    assert total.choices[total.right].plain == "6" and total.choices[total.typed("6.0")].plain == "6"
    assert total.choices[total.typed("7")].plain == "another number" and "<svg" in total.picture().svg
    with pytest.raises(ValueError, match="'six' is not a number; write for example 9"):
        total.typed("six")


def test_a_graph_of_arrays_asks_which_array_a_derivative_is(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "import viz\nfrom tensorgrad import Tensor\nW = Tensor([[1.0, 2.0], [3.0, -1.0]])\nx = Tensor([[2.0], [1.0]])\n"
        "z = ((W @ x) ** 2).sum()\nviz.play(z)\n"
    )
    asked = {question.plain: question for question in lesson(path).questions}["What is dz/dW?"]
    assert asked.typed is None and asked.choices[asked.right].plain == "[[16, 8], [20, 10]]"
    believed = {choice.plain: choice.believes for choice in asked.choices}
    assert believed["[[16, 20], [8, 10]]"] == "M62" and believed["another array"] == ""  # transposed
    path.write_text("import viz\nfrom tensorgrad import Tensor\nz = (Tensor([[1.0] * 5, [2.0] * 5]) ** 2).sum()\nviz.play(z)\n")
    assert not [question for question in lesson(path).questions if not question.typed]  # ten entries cannot be told apart on a phone


def test_a_file_without_a_question_says_how_one_begins(tmp_path):
    (tmp_path / "mine.md").write_text("# Nothing\n", encoding="utf-8")
    with pytest.raises(NoQuestion, match=":::{predict}"):
        lesson(tmp_path / "mine.md")


def test_a_question_that_is_misspelt_beside_a_good_one_is_not_left_out(tmp_path):
    path, again = tmp_path / "mine.md", FILE.split("## Another")[1].partition("\n")[2]
    for name in ("prediction", "question"):
        path.write_text(f"{FILE}\n## More\n{again.replace('{predict}', f'{{{name}}}')}", encoding="utf-8")
        with pytest.raises(ValueError, match=rf"line \d+: {{{name}}} is not known; do you mean {{predict}}\?"):
            lesson(path)


def test_a_program_that_exits_is_named(tmp_path):
    (tmp_path / "mine.py").write_text("import viz\nraise SystemExit('no data')\nviz.play(1)\n")
    with pytest.raises(NoQuestion, match="the line .raise SystemExit.* raises SystemExit: no data"):
        lesson(tmp_path / "mine.py")


def test_formulas_keep_text_as_text():
    assert "<script" not in written(r"$\text{<script>alert(1)</script>}$ and `<script>` [<script>](javascript:alert(1))")


ASKED = ":::{predict} Which?\n:right: 1\nOPTION\n\n- a\n\n  Yes.\n- b\n\n  No.\n:::\n"
WRONG = {  # what a teacher wrote: what is said of it
    "": "mine.md asks no question; a question begins with :::{predict}, as `teach live --help` shows, or a cell plays a graph",
    "# \udcfc": "mine.md is not a text in UTF-8; save it as UTF-8",
    ASKED.replace(":right: 1\n", ""): "the question 'Which?': :right: is missing; write the number of the right choice, such as :right: 2",
    ASKED.replace(":right: 1", ":right: 3"): "the question 'Which?': :right: 3 is not the number of a choice; there are 2",
    ASKED.replace(":right: 1", ":right: b"): ":right: b is not the number of a choice",
    ASKED.replace(
        "- b\n\n  No.\n", ""
    ): "a question needs a list: each choice after '- ', and below it, after an empty line and two spaces",
    ASKED.replace("- b\n\n  No.\n", "- b\n"): "the choice 'b' has no reply",
    ASKED.replace("OPTION", ":beleives: - M02"): "there is no option :beleives:; there are :right:, :believes:, :recall:, :draw:, :show:",
    ASKED.replace("OPTION", ":believes: - M999"): "believes: - M999 needs a misconception such as M02 for each wrong choice",
    ASKED.replace("- b\n", "- a\n"): "two choices are 'a'",
    ASKED.replace("- b", "".join(f"- {k}\n\n  No.\n" for k in range(7)) + "- b"): "it has 9 of 2 to 8 choices",
    ASKED.replace(
        "Which", "Which $\\nosuch$"
    ): "the question 'Which $\\\\nosuch$?': 'Which $\\\\nosuch$?' has a formula that cannot be read",
    ASKED.replace("OPTION", ":draw: nothing"): ":draw: nothing raises NameError: name 'nothing' is not defined",
    ASKED.replace("OPTION", ":draw: x = = 3"): ":draw: x = = 3 raises SyntaxError: invalid syntax",
    ASKED.replace("OPTION", ":draw: 3 + 4"): ":draw: 3 + 4 raises TypeError: draw: 7 is not a variable",
    ASKED.replace("OPTION", ":show: two words"): ":show: two words raises SyntaxError",
    ASKED.replace("OPTION", ":recall: nowhere"): "the book has no chapter 'nowhere'",
    ASKED.replace("Which", "Which {eval}`q`"): "mine: the line 'q' raises NameError: name 'q' is not defined",
    "```{code-cell}\nx = 1\nx / 0  # here\nplay(x)\n```": "mine: the line 'x / 0  # here' raises ZeroDivisionError: division by zero",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_with_a_file_is_said_in_one_line(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.md").write_bytes(text.replace("OPTION\n", "").encode("utf-8", "surrogateescape"))
    with pytest.raises((ValueError, NoChapter)) as wrong:
        lesson("mine.md")
    assert WRONG[text] in str(wrong.value)


@pytest.mark.parametrize(
    "text, said", [("x = (", "mine.py, line 1, is not Python: '(' was never closed"), ("\nq\n", "mine: the line 'q' raises NameError")]
)
def test_what_is_wrong_with_a_program_is_said_in_one_line(text, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(f"{text}\nplay(1)", encoding="utf-8")
    with pytest.raises(NoQuestion) as wrong:
        lesson("mine.py")
    assert said in str(wrong.value)


PLAYED = """import viz
from scalargrad import Value
def f(x):
    return x * x + x
def main():
    for k in (2, 3):
        z = f(Value(k))
        viz.play(z)
    viz.handout(z)
if __name__ == "__main__":
    main()
"""


def test_what_a_program_plays_in_a_function_and_in_a_loop_is_found(tmp_path):
    (tmp_path / "mine.py").write_text(PLAYED, encoding="utf-8")
    found = lesson(str(tmp_path / "mine.py"))
    assert len(found.players) == 2 and {question.at.page for question in found.questions} == {0, 1}


def test_numbers_of_a_tensor_without_axes_are_asked(tmp_path):
    program = "import viz\nfrom tensorgrad import Tensor\nx = Tensor(3.0)\nz = x * x + x\nviz.play(z)\n"
    (tmp_path / "mine.py").write_text(program, encoding="utf-8")
    *_, asked = lesson(str(tmp_path / "mine.py")).questions
    assert asked.plain == "What is dz/dx?" and asked.typed("7") == asked.right != asked.typed("4")


def test_a_file_that_begins_with_a_byte_order_mark_keeps_its_title(tmp_path):
    (tmp_path / "mine.md").write_text(f"# My lesson\n\n{ASKED.replace('OPTION', '')}", encoding="utf-8-sig")
    assert lesson(str(tmp_path / "mine.md")).title == "My lesson"
