"""Short forms of long names: they are short, no two are alike, and letters of any script stay whole."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

import viz.text.short_names
from scalargrad.formulas.text import split_name
from tests.each import each
from tests.viz.names_of_others import NAMES
from viz.text.short_names import LARGER, LONGEST, OF_PARTS, SPARED, most, short_names

WIDEST = LONGEST + max(LARGER)
WORDS = ("layer", "weight", "of", "the", "state", "12", "13", "x", "重み", "الوزن")
LONG = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).flatmap(lambda words: st.sampled_from("_./ -").map(lambda s: s.join(words)))


def forms(names):
    short = short_names(names)
    return [short.get(name, name) for name in names]


def test_names_stay_if_an_ellipsis_saves_little_and_of_longer_ones_both_ends():
    assert forms(["abcdefghijklmno", "abcdefghijklmnop", "x1"]) == ["abcdefghijklmno", "abcdef…lmnop", "x1"]


@each(
    "name, short",
    [
        ("price_per_kilowatt_hour", "price…hour"),
        ("loss_of_the_whole_network_in_this_step", "loss_of…step"),
        ("weight_of_the_previous_state_12", "wei…state_12"),
        ("layer1/neuron12/activation_after_the_tanh", "layer1…tanh"),
        ("前の時間の状態の重み", "前の時…重み"),
        ("הטיה_של_הנוירון_בשכבה_הראשונה", "הטיה…הראשונה"),
    ],
)
def test_words_stay_whole(name, short):
    assert forms([name]) == [short]


@each(
    "name, short",
    [
        ("Q[start,right]", "Q[start,right]"),
        ("bottom.weight", "bottom.weight"),
        ("theta[1][2]_13", "theta[1][2]_13"),
        ("table[Berlin,Hamburg]", "table[Berl…burg]"),
        ("bodies[0].position", "bodies[0].position"),
        ("bodies[0].temperature", "bodies[0].tem…re"),
        ("layers[0].neurons[1].w[2]", "layers[0].neurons[1].w[2]"),
        ("model.layers[1].neurons[0].w[1]", "model…[1].neu…ns[0].w[1]"),
        ("actor.layers[0].neurons[0].b", "actor…[0].neurons[0].b"),
        ("params[layer1][weights]", "params…[weights]"),
        ("transition_probabilities[rainy]", "tran…ties[rainy]"),
    ],
)
def test_a_name_with_a_key_keeps_its_base_and_its_key(name, short):
    assert forms([name]) == [short]


WEATHER = [f"probabilities[{before},{after}]" for before in ("sunny", "rainy", "cloudy") for after in ("sunny", "rainy", "cloudy")]
STATES = [f"emission[{state}][{symptom}]_{k}" for state in ("healthy", "feverish") for symptom in ("normal", "dizzy") for k in (1, 2)]


@each("names", [WEATHER, STATES, [f"utilities[the_first_state_{i},the_next_state_{j}]" for i in "abc" for j in "abc"]])
def test_names_with_keys_keep_both_ends_and_are_told_apart(names):
    found = forms(names)
    assert len(set(map(split_name, found))) == len(names)
    assert all(cell_len(form) <= WIDEST + OF_PARTS[0] and form[:2] == name[:2] and "[" in form for form, name in zip(found, names))


def test_where_the_ends_are_the_same_the_word_that_differs_is_there():
    names = ["layer1/neuron12/weight_of_the_state", "layer1/neuron13/weight_of_the_state"]
    assert forms(names) == ["…neuron12…state", "…neuron13…state"]
    assert forms([f"encoder_{k}_weight" for k in ("first", "second")]) == ["…first…weight", "…second…weight"]


@each("names", NAMES.values(), ids=list(NAMES))
def test_forms_are_short_and_told_apart(names):
    found = forms(names)
    assert all(cell_len(form) <= WIDEST for form in found)
    assert len(set(map(split_name, found))) == len(names)


@given(st.lists(LONG, unique_by=split_name, max_size=30))
def test_forms_of_any_words_are_short_and_told_apart(names):
    found = forms(names)
    assert len(set(map(split_name, found))) == len(names)
    widest = [max(WIDEST, most(name, LONGEST) + SPARED - 1) for name in names]  # one of several parts may have more columns
    assert all(cell_len(form) <= columns for form, columns in zip(found, widest))


def test_an_accent_and_the_parts_of_an_emoji_stay_with_their_letter():
    family = "👨\N{ZERO WIDTH JOINER}👩\N{ZERO WIDTH JOINER}👧"
    for name in ("e\N{COMBINING ACUTE ACCENT}" * 30, family * 20):
        head, tail = forms([name])[0].split("…")
        for part in (head, tail):
            assert part and not unicodedata.combining(part[0]) and part[0] != "\N{ZERO WIDTH JOINER}" != part[-1]
        assert set(name.replace(head, "").replace(tail, "")) <= set(name) and head in name and tail in name


def test_names_that_look_like_short_forms_are_not_taken():
    assert forms(["price…hour", "price_per_kilowatt_hour"])[1] not in ("price…hour", "price_per_kilowatt_hour")


def test_the_cost_of_many_names_with_the_same_ends_does_not_grow_with_their_square(monkeypatch):
    calls = []
    ends = viz.text.short_names.both_ends
    monkeypatch.setattr(viz.text.short_names, "both_ends", lambda *args, **options: calls.append(args) or ends(*args, **options))
    names = [f"layer{i}/neuron{j}/weight_of_the_state" for i in range(20) for j in range(20)]
    assert len(set(map(split_name, forms(names)))) == len(names)
    assert len(calls) < 40 * len(names)
