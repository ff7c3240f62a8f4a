"""The page holds the engine's trace and says the stepper's sentences. Names and messages are always text, never markup."""

import inspect
import json
import re
from functools import cache
from html import escape, unescape
from itertools import islice
from xml.etree import ElementTree

import numpy as np
import pytest

import scalargrad
import tensorgrad as tg
from scalargrad import Trace, Value, function, scope, tanh
from scalargrad.formulas.operators import PRODUCT, SUM
from scalargrad.formulas.symbols import Ratio, Symbol
from scalargrad.tracing.gathering import steps
from scalargrad.tracing.quantities import HOLE
from scalargrad.tracing.schedules import SCHEDULES as RUNS
from tests.clock import assert_linear
from tests.each import each
from tests.viz.graphs import SCHEDULES, figure1_trace, thirty_variables
from tests.viz.script_data import script_data, unpacked, written_data
from tutorial.graphs.matrices import fan_out
from viz import animate, draw, handout, play
from viz.document import digest
from viz.page.columns import as_script, columns, packed
from viz.page.comparison.source_lines import running, shown
from viz.page.page_data import page_data
from viz.page.play import equations, with_programs
from viz.page.transcript import transcript
from viz.page.variable_data import Table
from viz.questions.quiz import questions, right_number
from viz.text.formatter import UNICODE
from viz.text.mathml import MATH, PlaceFormatter, is_short
from viz.text.narration import sentence

HOSTILE = "</script><!--<script>alert('1')</script>&\"$3$"


def traces():
    """Return traces of Figure 1 on every schedule, a larger graph, and the tutorial's matrices, which stay referenced."""
    held = fan_out()
    found = {schedule: figure1_trace(schedule) for schedule in SCHEDULES}
    found["negative"] = figure1_trace(numbers=(-3, 1, -2, -4))
    return {**found, "larger": thirty_variables(), "matrices": Trace(held["z"])}


TRACES = traces()
every_trace = pytest.mark.parametrize("trace", TRACES.values(), ids=TRACES.keys())


@cache
def data_of(trace):
    """Return the data of one of TRACES, at which several tests look. None looks at the scenes of the larger one, which take seconds."""
    return without_scenes(trace) if trace is TRACES["larger"] else page_data(trace)


def without_scenes(trace):
    return page_data(trace, scenes=(lambda *about: None,) * 2)


def expanded(data, text):
    """Return a sentence with the text of its formulas in their places."""
    read = lambda place: "".join(ElementTree.fromstring(f"<m>{data['strings'][int(place[1])]}</m>").itertext())
    return re.sub(r"\$(\d+)\$", read, text or "")


def bare(text):
    """Return the letters, digits and signs of a sentence, without the differences between notations."""
    plain = text.translate(str.maketrans("₀₁₂₃₄₅₆₇₈₉⁰¹²³⁴⁵⁶⁷⁸⁹", "01234567890123456789"))
    return re.sub(r"[\s/·\[\],_*]", "", plain)


@every_trace
def test_the_steps_are_the_engines(trace):
    data, variables = data_of(trace), trace.graph.variables
    number = lambda place: None if place is None else data["quantities"][place]["number"]
    assert len(data["steps"]) == len(trace)
    for step, s in zip(data["steps"], trace):
        assert (step["act"], step.get("line"), step["iteration"], step["known"]) == (s.act, s.line, s.iteration, s.known)
        assert [None if step.get(f) is None else variables[step[f]] for f in ("x", "y")] == [s.x, s.y]
        for field in ("partial", "upstream", "term", "total"):
            q = getattr(s, field)
            right = None if q is None else q.number
            assert number(step.get(field)) == (right.tolist() if hasattr(right, "tolist") else right), (s, field)
    log = [(variables[found["variable"]], number(found["total"])) for found in data["insertions"]]
    assert log == [(v, q.number.tolist() if hasattr(q.number, "tolist") else q.number) for v, q in trace[-1].log]
    json.dumps(data, allow_nan=False)


@every_trace
def test_what_the_page_says_is_what_the_stepper_says(trace):
    data = data_of(trace)
    for i, step in enumerate(data["steps"]):
        where = expanded(data, step.get("where"))
        said = f"{where} {expanded(data, step['said'])}" if where else expanded(data, step["said"])
        assert bare(said) == bare(sentence(trace, i))


@every_trace
def test_the_terms_are_those_of_equation_1(trace):
    data = data_of(trace)
    text = lambda place: bare(expanded(data, f"${place}$"))
    for step, s in zip(data["steps"], trace):
        if "factors" in step:
            edges, rows = trace.graph.children[s.x], trace.on.factors(s.y, s.slot, s)
            first, alone = edges[0] == (s.y, s.slot), len(edges) == len(rows[0]) == 1
            names, symbols, numbers = rows
            if len(names) == 2:  # of numbers; a formula that is too long to be read stands there by its name
                long = [isinstance(f, Symbol) and f is not HOLE and not is_short(f) for f in symbols]
                long[1] &= isinstance(symbols[1], Ratio) or len(UNICODE.formula(symbols[1])) > 70  # a partial may be longer
                symbols = [name if too_long else f for name, f, too_long in zip(names, symbols, long)]
            for shown, row in zip([data["edges"][step["edge"]]["chain"], *step["factors"]], (names, symbols, numbers)):
                assert [place is None for place in shown] == [factor is HOLE for factor in row]
                written = [UNICODE.factor(f, first and not k, SUM if alone else PRODUCT) for k, f in enumerate(row)]
                assert [text(place) for place in shown if place is not None] == [bare(w) for w, f in zip(written, row) if f is not HOLE]


def test_zero_has_no_sign_wherever_it_stands():
    x = Value(0.0, name="x")
    data = page_data(Trace(x * -3 * x))
    signed = [q for q in (*data["variables"], *data["quantities"]) if str(q.get("data", q.get("number"))) == "-0.0"]
    assert len(signed) >= 3 and {q["text"] for q in signed} == {"0"}
    assert {data["strings"][q["mathml"]] for q in signed} == {"<mn>0</mn>"}


def test_counts_and_queue_of_dependency_counting():
    trace = TRACES["counting"]
    data, pending = data_of(trace), {}
    for step, s in zip(data["steps"], trace):
        changed = step.get("pending", {})
        assert not changed.items() & pending.items(), "a step repeats counts that it does not change"
        pending |= changed
        if s.state:
            assert pending == {data_place(trace, v): n for v, n in s.state["pending"].items()}
            assert step.get("ready", []) == [data_place(trace, v) for v in s.state.get("ready", [])]


def data_place(trace, v):
    return trace.graph.variables.index(v)


@each("schedule", SCHEDULES)
def test_every_act_stands_for_a_line_that_runs(schedule):
    run = RUNS[schedule].loop
    lines, place = running(run)
    assert {s.act for s in TRACES[schedule]} - {"done"} <= place.keys()
    source = inspect.getsource(inspect.getmodule(run))
    assert all(line in source for line in lines)
    assert not any(word in line for line in lines for word in ("yield", "here", "require"))


def test_the_lines_of_the_tutorials_loop():
    lines, place = shown(TRACES["topological"])
    # fmt: off
    assert {act: lines[k].strip() for act, k in place.items()} == {
        "call":    "def backpropagation(z, order: Sequence | None = None) -> dict:",
        "sort":    "z, topo_order, children = in_topological_order(z, order)",
        "start":   "computed = {z: dz_dz(z)}",
        "visit":   "for x in topo_order[1:]:",
        "zero":    "dz_dx = 0",
        "partial": "partial_x = y.partials[slot]",
        "get":     "total_y = computed[y]",
        "add":     "dz_dx += total_y * partial_x",
        "insert":  "computed[x] = dz_dx",
    }
    # fmt: on
    own = Trace(TRACES["topological"].graph.z, steps=lambda graph, on: RUNS["topological"].loop(graph, on))
    assert shown(own) == running(own.loop)


def test_a_loop_without_source_shows_none():
    assert running(len) == ([], {})


@every_trace
def test_questions_ask_for_what_is_not_shown_yet(trace):
    data = data_of(trace)
    asked = questions(trace)
    assert [trace.graph.variables[q["variable"]] for q in data["questions"]] == [q.x for q in asked]
    for question, q in zip(data["questions"], asked):
        right = right_number(trace, q)
        plain = right.reshape(-1).tolist() if hasattr(right, "reshape") else [right]
        assert question["right"] == pytest.approx(plain)
        assert question["right"] not in [wrong for wrong, *_ in question["mistakes"]]
        assert {kind for _, kind, *_ in question["mistakes"]} <= set(data["mistakeKinds"])
        before = trace[question["step"] - 1]
        if q.slot is not None:
            assert before.partial is None or (before.y, before.slot) != (q.y, q.slot)
            assert trace[q.step].partial.number is right
        else:
            assert q.x not in before.computed or before.computed[q.x].number != right
            assert before.total is None or before.x is not q.x or before.total.number is not right


def test_the_mistakes_of_figure_1():
    data = data_of(TRACES["topological"])
    x1 = next(q for q in data["questions"] if data["variables"][q["variable"]]["name"] == "x1")
    said = {tuple(wrong): (kind, expanded(data, text), edges) for wrong, kind, text, edges in x1["mistakes"]}
    assert x1["right"] == [9] and [said[wrong][0] for wrong in ((18,), (-9,), (6,))] == ["product", "sign", "direct"]
    assert "missing" in said[6,][1]
    (edge,) = said[6,][2]
    assert [data["variables"][data["edges"][edge][end]]["name"] for end in ("input", "output")] == ["x1", "y1"]


def test_the_forward_pass_writes_the_numbers_into_the_functions():
    data = data_of(TRACES["topological"])
    steps = [step for part in data["question"] for step in part["computes"]]
    assert [expanded(data, f"${step['numbers']}$") for step in steps] == ["3+1+(−2)+4", "42", "3·6+16"]
    assert [data["variables"][step["variable"]]["name"] for step in steps] == ["y1", "y2", "z"]


def test_every_formula_is_well_formed_and_stands_once():
    for trace in TRACES.values():
        strings = data_of(trace)["strings"]
        assert len(set(strings)) == len(strings)
        for text in strings:
            ElementTree.fromstring(f"<math>{text}</math>")


def hostile():
    x = Value(2, name=HOSTILE)
    z = tanh(x) * x
    z.name = HOSTILE + "1"
    return Trace(z)


def test_a_name_is_only_ever_a_name():
    trace = hostile()
    page = play(trace)
    text, written = page.html, written_data(page)
    assert [v["name"] for v in json.loads(script_data(page))["variables"]][0] == HOSTILE
    assert (
        len(re.findall("<script", text)) == len(re.findall("</script>", text)) == 3
    )  # the data, the programs of its graph, the script of all pages
    assert "<!--" not in written and "<script" not in written
    assert "&lt;/script" in transcript(trace)
    data = page_data(trace)
    said, short = expanded(data, data["steps"][2]["said"]), expanded(data, "$" + str(data["variables"][-1]["written"]) + "$")
    assert "</script" in short and said.count(short) == sentence(trace, 2).count(f"{HOSTILE}\N{SUBSCRIPT ONE}")


def test_the_message_of_an_exception_is_only_ever_text():
    def failing(graph, on):
        yield from islice(steps(graph, on), 9)
        raise ValueError("<b>$3$</b>\x1b[2J")

    trace = figure1_trace()
    failed = Trace(trace.graph.z, trace.graph.order, steps=failing)
    said = "The loop raised an exception here: ValueError: <b>$3$</b>\N{REPLACEMENT CHARACTER}[2J."
    assert sentence(failed, 9) == said and expanded(page_data(failed), page_data(failed)["steps"][9]["said"]) == said
    assert escape(said) in transcript(failed) and "<b>" not in transcript(failed)


@pytest.mark.parametrize("name", ["\x01", "\ud800", "\u202eabc", "\ufffe", "مرحبا"])
def test_whatever_the_names_of_variables_and_scopes_each_file_is_well_formed(name, tmp_path):
    with scope(f"scope {name}"):
        x = Value(2.0, name=name)
        z = x * x
    z.name = "z"
    for made in (draw(z), draw(z, depth=1), animate(z)):
        ElementTree.parse(made.save(tmp_path / "z.svg"))
    for made in (play(z), handout(z)):
        made.save(tmp_path / "z.html")
        assert not re.search("[\x00-\x08\u202e\ufffe]", (tmp_path / "z.html").read_text(encoding="utf-8"))


@each("text", [HOSTILE, "<", "<m", "</m", "<mi></script", "<!--", "<SCRIPT", "\u2028"])
def test_json_cannot_leave_its_script(text):
    written = as_script({"a": [text]})
    assert json.loads(written) == {"a": [text]}
    assert not re.search("<(?!/?m)", written)


def style_of(page):
    return re.search("<style>(.*?)</style>", page, re.S)[1]


def test_the_policy_names_these_scripts_and_this_style():
    text = play(TRACES["topological"]).html
    policy = unescape(re.search('Content-Security-Policy" content="(.*?)"', text)[1])
    (own, script), (style, *_) = re.findall("<script>(.*?)</script>", text, re.S), re.findall("<style>(.*?)</style>", text, re.S)
    assert policy.startswith("default-src 'none'; ") and "unsafe" not in policy
    assert f"script-src '{digest(own)}' '{digest(script)}';" in policy and f"style-src '{digest(style)}'" in policy
    assert not re.search(r"\son\w+=|\sstyle=|https?://(?!www\.w3\.org)", text.replace(script, ""))


def test_the_list_is_the_tutorials():
    items = transcript(TRACES["topological"]).split("</li>")
    assert len(items) == 6 + 1 + 1
    text = unescape(re.sub("<[^>]*>", "", items[3].replace("</p>", "\n")))
    # fmt: off
    assert text.strip().splitlines() == [
        "current node: x1",
        "computed = {dzdz: 1, dzdy2: 1, dzdy1: x1 = 3, dzdx2: x1 = 3}",
        "calculate: ∂z∂x1 = y1 = 6, ∂y1∂x1 = 1",
        "invoke chain rule: dzdx1 = dzdz · ∂z∂x1 + dzdy1 · ∂y1∂x1 = 1 · y1 + x1 · 1 = 1 · 6 + 3 · 1 = 9",
        "Why? Times 6: z takes x₁ times y₁, and y₁ is 6. Times 1: y₁ takes x₁ as it is. "
        "The change arrives along both ways at once, so the effects add up. A program that overwrites loses the first way.",
    ]
    # fmt: on
    assert "dzdx4: x1 + 2x4 = 11".replace(" ", "") in unescape(re.sub("<[^>]*>", "", items[6])).replace(" ", "")


def test_a_negative_factor_of_the_list_is_in_brackets():
    text = unescape(re.sub("<[^>]*>", "", transcript(TRACES["negative"])))
    assert "dzdy1 = dzdz · ∂z∂y1 = 1 · x1 = 1 · (−3) = −3" in text


def test_a_sum_is_a_factor_in_brackets():
    times = function(lambda a, b: a * (b + 1))
    a, b = Value(2, name="a"), Value(3, name="b")
    z = times(a, b)
    z.name = "z"
    assert "= 1 · (b + 1) = 1 · 4 = 4" in unescape(re.sub("<[^>]*>", "", transcript(Trace(z)))).replace("b+1", "b + 1")


def test_an_item_of_another_schedules_list_is_the_narrations_two_sentences():
    items = unescape(re.sub("<[^>]*>", "", transcript(TRACES["counting"]).replace("</p>", "\n"))).splitlines()
    assert "From z to x1. Calculate ∂z∂x1 = y1 = 6." in items and not any(".:" in item for item in items)


@every_trace
def test_the_list_is_well_formed_and_complete(trace):
    text = transcript(trace)
    found = ElementTree.fromstring(f"<ol>{text}</ol>")
    assert len(found) == (trace.iterations + 1 if trace.schedule.gathers else len(trace))


def test_a_long_list_is_plain_text():
    assert "<math>" not in transcript(TRACES["larger"]) and "<math>" in transcript(TRACES["topological"])


def test_pages_are_saved_opened_and_framed(tmp_path, monkeypatch):
    page = play(TRACES["topological"], title="A <title>")
    saved = tmp_path / "z.html"
    assert page.save(saved) == str(saved) and saved.read_text(encoding="utf-8") == page.html
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = page.open()
    assert opened and opened[0].startswith("file:///") and opened[0].endswith(path.rsplit("/")[-1])
    frame = page._repr_html_()
    assert frame.count("<iframe") == 1 and 'sandbox="allow-scripts' in frame
    assert unescape(re.search('srcdoc="(.*?)"', frame, re.S)[1]) == page.html
    assert "<title>A &lt;title&gt;</title>" in page.html


def test_a_page_opens_at_an_act_or_where_the_backward_pass_comes_to_a_variable():
    a, b = Value(2.0, name="a"), Value(3.0, name="b")
    z = a * b
    opens = lambda **options: re.search('<body [^>]*data-start="(.*?)"', play(z, **options).html)[1]
    assert [opens(), opens(start="nudge"), opens(beside=Trace(z))] == ["question 1", "nudge 1", "backward 1"]
    act, at = opens(start=b).split()
    assert act == "backward" and Trace(z)[int(at) - 1].x is b is not Trace(z)[int(at) - 2].x
    A = tg.Tensor([1.0, 2.0], name="A")
    assert re.search('data-start="backward (.*?)"', play((A * A).sum(), start=A).html)[1] == "10"
    with pytest.raises(ValueError, match="there is no act 'middle'; start at one of question"):
        opens(start="middle")
    with pytest.raises(ValueError, match=r"start is Value\(5.0\); give an act \(question, .* or a variable to which"):
        opens(start=Value(5.0))


def test_options_are_those_of_a_trace():
    x = Value(3, name="x")
    assert play(x * x, schedule="counting", names={}).trace.schedule.name == "counting"
    with pytest.raises(ValueError, match="schedule='sideways' is unknown"):
        play(x * x, schedule="sideways")


def test_without_a_layout_engine_only_the_picture_for_pages_without_scripts_is_missing(monkeypatch):
    monkeypatch.setattr("viz.drawing.svg.graphviz_engine.find_engine", lambda: None)
    monkeypatch.setenv("PATH", "")
    page = play(TRACES["topological"])
    assert "pip install graphviz-pure" in page.html and page_data(page.trace)["scene"]["whole"]["nodes"]


def test_only_pages_with_arrays_have_the_styles_of_pictures_and_of_the_dialog():
    A, x = tg.Tensor(np.ones((9, 9)), name="A"), Value(3, name="x")
    with_arrays, without = (style_of(play(z).html) for z in ((A * A).sum(), x * x))
    assert "#all-numbers" in with_arrays and "#all-numbers" not in without


def test_of_a_large_array_the_page_holds_a_picture_and_a_corner_of_its_entries():
    W = tg.Tensor(np.linspace(0, 1, 40_000).reshape(200, 200), name="W")
    data = page_data(Trace((W * 2).sum(), names={}))
    held = data["variables"][0]
    assert held["data"] is None and held["shape"] == [200, 200] and "max 1" in held["summary"]
    assert held["picture"]["note"] == "means of blocks" and len(held["picture"]["cells"][0]) == 256
    array = data["arrays"][held["array"]]
    assert array["shape"] == [200, 200] and array["rows"] == array["columns"] == 64 and array["numbers"][64] == float(f"{W.data[1, 0]:.6g}")
    assert data["strings"][array["name"]] == "<mi>W</mi>" and len(packed(as_script(data))[1]) < 100_000
    W = tg.Tensor(np.ones((2, 2)), name="W")
    small = page_data(Trace((W * 2).sum(), names={}))["variables"][0]
    assert small["data"] == [[1, 1], [1, 1]] and small["cells"] == [["1", "1"], ["1", "1"]]


def test_a_sentence_has_room_for_two_rows_of_a_matrix_and_a_table_shows_four_digits():
    third, strings = np.array([[1 / 3, 2.0], [1.0, 4.0]]), Table()
    said = PlaceFormatter(strings)
    said.number(third), said.number(np.ones((3, 2)))
    assert [s.count("<mtr>") for s in strings.items] == [2, 0] and "3×2, all 1" in strings.items[1]
    assert "0.3333<" in MATH.number(third) and "0.33333" not in MATH.number(third) and third[0, 0] == 1 / 3


def test_a_page_of_long_data_holds_them_compressed(monkeypatch):
    trace = figure1_trace()
    text = as_script(columns(with_programs(trace, None)[0]))
    monkeypatch.setattr("viz.page.columns.LONGEST_PLAIN", len(text))
    assert packed(text) == ("application/json", text)
    monkeypatch.setattr("viz.page.columns.LONGEST_PLAIN", len(text) - 1)
    kind, data = packed(text)
    assert kind == "application/zlib" and unpacked(data) == text
    assert f'<script type="{kind}" id="data">{data}</script>' in play(trace).html


def multiplied(n):
    """Return z after n / 2 times z = z · w + c: two variables that are used everywhere."""
    w, c, z = Value(0.5, name="w"), Value(1.0, name="c"), Value(2.0, name="x")
    for _ in range(n // 2):
        z = z * w + c
    return z


def summed(n):
    """Return one function of many variables."""
    return scalargrad.sum(*[Value(k / n) for k in range(n)])


@pytest.mark.slow
@pytest.mark.parametrize("make, schedule", [(multiplied, "topological"), (summed, "counting")])
def test_four_times_as_many_variables_take_about_four_times_the_time_and_bytes(make, schedule):
    """But for the scenes, of which a graph of fifty has as many as one of four hundred: they would hide how the rest grows."""
    sizes = {}

    def trace(n):
        return n, Trace(make(n), names={}, schedule=schedule)

    def work(made):
        n, trace = made
        transcript(trace)
        sizes[n] = len(json.dumps(without_scenes(trace)))

    assert_linear(work, trace, 100, most=6)
    assert sizes[400] < 5 * sizes[100]  # some more: the digits of the places


@pytest.mark.slow
def test_a_page_of_a_thousand_variables_has_less_than_3_megabytes():
    assert len(play(multiplied(1000), names={}).html.encode()) < 3_000_000


def test_a_box_that_opens_is_found_among_variables_of_the_same_value():
    def program():
        a, b = Value(1.0), Value(2.0)
        p = a * a * 0.5 + 0.5 * b
        q = (p - 0.5) ** 2 + a  # 2, as b
        r = (q + p) ** 2
        s = r * r * b + q
        return (s - r) ** 2 + p

    page = play(program)
    opened = json.loads(script_data(page))["scalarGraphs"]
    assert "q" in [page.trace.names[page.trace.graph.variables[int(k)]] for k in opened]


def test_a_tall_fraction_of_the_heading_has_no_bars_and_the_passes_of_a_loop_no_equals_sign():
    def program():
        r, k = Value(2.0), Value(0.5)
        share = (r / (1 + k)) / (3 / (1 - k))
        for _ in range(8):
            share = share / k
        return share

    heading = equations(Trace(program, detail="statements"))
    assert [equation for equation in heading if re.search("<mfrac>((?!</mfrac>).)*<mfrac>", equation)] == []
    (passes,) = (equation for equation in heading if "more times" in equation)
    assert passes == "<mtext>… 6 more times</mtext>" and any("<mo lspace" in equation for equation in heading)
