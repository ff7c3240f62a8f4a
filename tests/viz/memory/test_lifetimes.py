"""viz.lifetimes: a bar for each array at the steps at which it exists, what was measured, the arena, its limits, and any name as text."""

import re
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest

import tensorgrad as tg
import viz
from scalargrad import Trace, Value
from scalargrad.formulas.symbols import Name
from scalargrad.tracing.byte_counts import readable
from tensorgrad import Tensor, memory
from tests.clock import assert_linear
from tests.viz.networks import resnet50
from viz.memory.lifetimes import blocks
from viz.memory.lifetimes import picture as svg_of
from viz.memory.rows import HIGH, by_size, outline, rows
from viz.memory.sentences import MOST_TOLD, Sentences
from viz.memory.sheet import LEFT, LINE, MARGIN, RIGHT, TEXT, WIDE, length, shortened
from viz.text.formatter import UNICODE
from viz.theme import DARK, LIGHT

SVG = "{http://www.w3.org/2000/svg}"


def network(width=5):
    x = Tensor(np.ones((40, 3)), keep_grad=False, name="x")
    W1, b1 = Tensor(np.ones((3, width)), name="W1"), Tensor(np.zeros(width), name="b1")
    W2 = Tensor(np.ones((width, 2)), name="W2")
    return (x, W1, b1, W2), tg.cross_entropy(tg.tanh(x @ W1 + b1) @ W2, np.arange(40) % 2)


def chain(n):
    x = Tensor(np.ones(2))
    y = x
    for _ in range(n):
        y = tg.tanh(y * 2.0)
    return x, y.sum()


def bars(picture):
    """Return {array: (where its bar begins, where it ends)}, from the parts before the arena."""
    root = ElementTree.fromstring(picture.svg)
    found = {}
    for path in root.iter(f"{SVG}path"):
        title = path.find(f"{SVG}title")
        if title is not None:
            ends = [float(x) for x in re.findall(r"[MH]([\d.]+)", path.get("d"))]
            found[title.text.partition(":")[0]] = min(ends), max(ends), "l9 " in path.get("d")
    return found


def texts(picture):
    return ["".join(text.itertext()) for text in ElementTree.fromstring(picture.svg).iter(f"{SVG}text")]


def test_each_array_has_a_bar_at_the_steps_at_which_it_exists():
    mine, z = network()
    found = memory(z).lifetimes()
    drawn, wide = bars(viz.lifetimes(z)), (RIGHT - LEFT) / len(found.steps)
    assert len(drawn) == len(found.arrays)
    for a in found.arrays:
        begin, end, arrow = drawn[UNICODE.name(a.name)]
        last = len(found.steps) - 1 if a.freed is None else a.freed
        assert begin == pytest.approx(LEFT + a.made * wide, abs=0.1) and end == pytest.approx(LEFT + (last + 1) * wide, abs=0.1)
        assert arrow == (a.freed is None), a


def test_parameters_and_their_gradients_stand_in_the_first_part_and_a_batch_in_the_second():
    mine, z = network()
    said = texts(viz.lifetimes(z))
    first, second, arena = (
        said.index(next(s for s in said if s.startswith(begins))) for begins in ("Parameters", "A batch", "In an arena")
    )
    place = {s: i for i, s in enumerate(said)}
    assert all(first < place[s] < second for s in ("W₁parameter", "dz/dW₁gradient", "dz/db₁gradient"))
    assert all(second < place[s] < arena for s in ("xconstant", "v₁value", "v₃saved", "dz/dv₃gradient"))


def test_the_measurement_is_drawn_and_compared():
    mine, z = network()
    picture = viz.lifetimes(z)
    steps = len(memory(z).lifetimes().steps)
    assert picture.svg.count('class="dot"') == steps and "In a real run measured: the same at every step." in picture.svg
    found = SimpleNamespace(bytes=[1, 2, 3])
    assert Sentences(found, [1, 4, 5], "").comparison() == ("In a real run measured: at most 5 B. The prediction differs at 2 of 3 steps.")


def test_the_sentences_have_the_bytes_of_what_they_name():
    mine, z = network()
    found = memory(z).lifetimes()
    said = Sentences(found, None, "")
    assert found.bytes[0] != found.bytes[-1]
    assert said.summary()[0].endswith(f"{readable(found.bytes[0])} exist before both passes, {readable(found.bytes[-1])} after them.")
    stay = [a for a in found.arrays if a.kind in ("parameter", "gradient") and a.freed is None]
    weights = sum(p.data.nbytes for p in mine if p.keep_grad)
    assert said.stays(stay) == (
        f"The program holds {readable(weights)} of parameters. The backward pass adds {readable(weights)} of gradients."
    )
    two = min(found.arrays, key=lambda a: a.made), max(found.arrays, key=lambda a: a.made)
    first, last = min(a.made for a in two), max(len(found.steps) - 1 if a.freed is None else a.freed for a in two)
    assert f"from {said.moment(first)} to {said.moment(last)}" in said.arrays(two)


def test_the_text_says_how_many_arrays_it_leaves_out():
    x, z = chain(60)
    found = memory(z).lifetimes()
    text = Sentences(found, None, "").alternative()
    assert f"And {len(found.arrays) - MOST_TOLD:,} more arrays." in text
    mine, small = network()
    assert "more arrays" not in Sentences(memory(small).lifetimes(), None, "").alternative()


def test_a_name_that_is_shortened_fits_in_its_own_weight():
    for bold in (False, True):
        for room in (40, 80, 160):
            text = shortened("a name that is far too long for its place", room, bold)
            assert text.endswith("…") and length(text, bold) <= room < length(text[:-1] + "mm…", bold)


def test_a_graph_whose_leaf_is_lost_is_drawn_without_a_measurement():
    z = tg.tanh(Tensor(np.ones(3), name="lost") + 1.0).sum()
    svg = viz.lifetimes(z).svg
    assert "Not measured. memory: the array of lost is gone; keep the tensor in a variable of your program." in svg
    assert 'class="dot"' not in svg


def test_a_tensor_its_trace_its_lifetimes_and_a_function_give_the_same_picture():
    mine, z = network()
    svg = viz.lifetimes(z).svg
    assert viz.lifetimes(Trace(z)).svg == svg and viz.lifetimes(memory(z).lifetimes()).svg == svg
    assert "W₁" in viz.lifetimes(lambda: network()[1]).svg


def test_with_retain_graph_saved_arrays_have_no_end():
    x = Tensor(np.ones(10))
    z = tg.exp(x * 2.0).sum()
    assert not bars(viz.lifetimes(z))["v₂"][2] and bars(viz.lifetimes(z, retain_graph=True))["v₂"][2]


def test_bars_alone_are_those_of_the_batch_with_the_names_of_both_passes():
    _, z = network()
    said, whole = texts(viz.lifetimes(z, only_bars=True)), texts(viz.lifetimes(z))
    assert "backward pass" in said and "mark" in whole and not {"mark", "area: predicted"} & set(said)


def test_themes():
    mine, z = network()
    light, dark, auto = (viz.lifetimes(z, theme=theme).svg for theme in ("light", "dark", "auto"))
    assert LIGHT.paper in light and DARK.paper not in light and DARK.paper in dark and LIGHT.paper not in dark
    assert LIGHT.paper in auto and DARK.paper in auto.partition("prefers-color-scheme:dark")[2]
    with pytest.raises(ValueError, match="lifetimes: theme is 'blue'; choose one of 'light', 'dark', 'auto'"):
        viz.lifetimes(z, theme="blue")


def test_the_text_alternative_lists_the_arrays():
    mine, z = network()
    root = ElementTree.fromstring(viz.lifetimes(z, title="A step").svg)
    assert root.find(f"{SVG}title").text == "A step" and root.get("role") == "img"
    said = root.find(f"{SVG}desc").text
    assert "W₁: parameter, 120 B, from step 0 (before) on." in said and "v₁: value, 1.6 kB, from step 1 (forward v₁) to" in said


def test_names_are_only_ever_text():
    x = Tensor(np.ones(3), name="<script>alert(1)</script> & a very long name of a parameter indeed")
    svg = viz.lifetimes(tg.exp(x).sum(), title="<b>").svg
    assert "<script" not in svg and "<b>" not in svg and ElementTree.fromstring(svg) is not None


def test_its_letters_can_be_read_in_a_column_of_text_and_its_sentences_stay_on_the_sheet():
    z, *_ = resnet50(channels=2, size=32)
    assert TEXT * 736 / WIDE >= 11.5  # pixels: a chapter's column is 736 wide in a window of 1280
    root = ElementTree.fromstring(viz.lifetimes(z).svg)
    quiet = [text for text in root.iter(f"{SVG}text") if text.get("class") == "quiet"]
    ends = [float(text.get("x")) + length(text.text) for text in quiet]
    assert len(ends) > 10 and max(ends) <= WIDE - MARGIN
    said = "".join(f" {text.text}" for text in quiet)  # no word is lost between two lines
    assert "An arena frees nothing before the rewind, so a batch needs" in said and "An arrow marks an array that exists until" in said


def test_many_arrays_stand_in_rows_for_scopes():
    z, *_ = resnet50(channels=2, size=32)
    picture = viz.lifetimes(z)
    said = texts(picture)
    assert "stage357 parameters" in said and any(s.startswith("stage3") and "saved arrays" in s for s in said)
    assert sum('class="track"' in line for line in picture.svg.splitlines()) <= 16 + 40
    assert len(picture.svg) < 200_000


def test_many_arrays_without_scopes_stand_in_rows_for_the_largest_and_the_smaller_ones():
    x, z = chain(60)
    found = memory(z).lifetimes()
    drawn = rows(found.arrays, len(found.steps), {}, 20)
    assert 15 < len(drawn) <= 20 and sum(len(row.arrays) for row in drawn) == len(found.arrays)
    assert any(row.label == "smaller" and row.more.endswith("saved arrays") for row in drawn)
    assert [row.first for row in drawn] == sorted(row.first for row in drawn)
    assert all(len(group) > 1 or key[1] != "smaller" for key, group in by_size(found.arrays, 20).items())


def test_a_row_of_several_arrays_is_as_high_as_their_bytes():
    x, z = chain(60)
    found = memory(z).lifetimes()
    for row in rows(found.arrays, len(found.steps), {}, 20):
        for i, size in enumerate(row.heights):
            assert size == sum(a.size for a in row.arrays if a.made <= i and (a.freed is None or i <= a.freed))


def test_the_bar_of_a_row_rises_and_falls_with_its_bytes():
    row = SimpleNamespace(first=1, last=4, heights=[0, 2, 4, 4, 1, 0], size=4, stays=False)
    path = outline(SimpleNamespace(x=lambda i: 10 * i), row, HIGH)
    level = {share: f"V{HIGH * (1 - share):.1f}" for share in (1 / 2, 1, 1 / 4)}
    assert path == f"M10.0 {HIGH}{level[1 / 2]}H20.0{level[1]}H30.0{level[1 / 4]}H50.0H50.0V{HIGH}Z"


def test_rows_stand_for_the_finest_scopes_that_are_few_enough():
    scopes = {k: ("net", f"stage{k // 4}", f"block{k // 2}") for k in range(8)}
    arrays = [SimpleNamespace(name=Name(f"a{k}"), kind="saved", variable=k, size=1, made=k, freed=8) for k in range(8)]
    labels = lambda most: [row.label for row in rows(arrays, 9, scopes, most)]
    assert labels(4) == ["net.stage0.block0", "net.stage0.block1", "net.stage1.block2", "net.stage1.block3"]
    assert labels(3) == labels(2) == ["net.stage0", "net.stage1"]


def test_a_measurement_above_the_prediction_stays_in_the_chart():
    mine, z = network()
    found = memory(z).lifetimes()
    measured = [3 * size for size in found.bytes]
    root = ElementTree.fromstring(svg_of(found, measured, "", {}, "memory", "light"))
    dots = [float(dot.get("cy")) for dot in root.iter(f"{SVG}circle")]
    top = next(float(text.get("y")) for text in root.iter(f"{SVG}text") if text.text == readable(max(measured)))
    assert min(dots) == pytest.approx(top - 4, abs=0.1), "the highest dot stands beside the number of the most bytes"


def test_an_arena_gives_each_array_the_address_after_the_one_before():
    mine, z = network()
    found = memory(z).lifetimes()
    made = blocks(found.arrays, 100)
    assert [start for _, start, _ in made] == [100, *(stop for _, _, stop in made[:-1])]
    assert all(stop - start == sum(a.size for a in arrays) for arrays, start, stop in made) and all(len(b[0]) == 1 for b in made)
    x, z = chain(300)
    many = memory(z).lifetimes().arrays
    made = blocks(many, 0)
    assert len(made) < 300 < len(many) and made[-1][2] == sum(a.size for a in many)


def test_in_the_arena_an_array_is_drawn_until_it_is_freed_and_dotted_until_the_rewind():
    mine, z = network()
    found = memory(z).lifetimes()
    wide, end = (RIGHT - LEFT) / len(found.steps), len(found.steps) - 1
    boxes = [box for box in ElementTree.fromstring(viz.lifetimes(z).svg).iter(f"{SVG}rect") if box.find(f"{SVG}title") is not None]
    drawn = {box.find(f"{SVG}title").text.partition(":")[0]: box for box in boxes}
    for a in found.arrays:
        box = drawn[UNICODE.name(a.name)]
        stays = a.kind == "parameter" or (a.kind == "gradient" and a.freed is None)
        last = len(found.steps) if stays else end if a.freed is None else a.freed + 1
        assert float(box.get("x")) == pytest.approx(LEFT + a.made * wide, abs=0.1), a
        assert float(box.get("width")) == pytest.approx((last - a.made) * wide, abs=0.2), a
    assert viz.lifetimes(z).svg.count('class="freed"') == sum(a.freed is not None and a.freed + 1 < end for a in found.arrays)


def test_the_arena_takes_all_bytes_of_a_batch_and_backward_the_most_at_a_time():
    mine, z = network()
    found = memory(z).lifetimes()
    said = " ".join(texts(viz.lifetimes(z)))
    batch = [a for a in found.arrays if a.kind != "parameter" and not (a.kind == "gradient" and a.freed is None)]
    together = readable(sum(a.size for a in batch))
    assert f"so a batch needs {together}. backward() needs" in said


def test_graphs_that_cannot_be_drawn():
    with pytest.raises(TypeError, match="lifetimes: a graph of numbers holds no arrays; draw the memory of a graph of tensors"):
        viz.lifetimes(Value(3.0) * 2)
    x = Tensor(np.ones(3))
    z = (x * x).sum()
    z.backward()
    with pytest.raises(RuntimeError, match="released"):
        viz.lifetimes(z)
    with pytest.raises(AttributeError, match=r"write lifetimes\(z\)"):
        viz.memory  # noqa: B018


def test_a_leaf_and_a_graph_of_one_function_are_drawn():
    x = Tensor(np.ones(3), name="x")
    assert "Predicted: at most 48 B" in viz.lifetimes(x).svg
    assert ElementTree.fromstring(viz.lifetimes(x.sum()).svg) is not None


def test_save_and_export_write_the_same_file(tmp_path):
    mine, z = network()
    picture = viz.lifetimes(z)
    assert picture.save(tmp_path / "memory.svg") == str(tmp_path / "memory.svg")
    assert (tmp_path / "memory.svg").read_text(encoding="utf-8") == picture.svg
    viz.export(z, tmp_path / "again.svg", "memory")
    assert (tmp_path / "again.svg").read_text(encoding="utf-8") == picture.svg
    assert "<img" in picture._repr_html_()


def test_no_text_overlaps_the_next_row():
    mine, z = network()
    root = ElementTree.fromstring(viz.lifetimes(z).svg)
    labels = sorted({float(t.get("y")) for t in root.iter(f"{SVG}text") if t.find(f"{SVG}tspan") is not None})
    assert min(b - a for a, b in zip(labels, labels[1:])) >= LINE - 0.1


def test_the_time_grows_with_the_graph():
    assert_linear(lambda mine: viz.lifetimes(mine[-1]), chain, 100)
