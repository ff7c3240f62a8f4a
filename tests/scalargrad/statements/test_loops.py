"""Loops in a graph of statements: the first and the last pass, between them a box "18 more times", and any pass opened."""

import pytest

from scalargrad import Graph, Trace, Value, backpropagation, relu, sin, sqrt, tanh
from scalargrad.formulas.notations import PRETTY
from scalargrad.formulas.symbols import render
from scalargrad.statements.statement_graph import statements
from scalargrad.user_names.function_result import result_of
from tests.each import each
from tests.scalargrad.statements.programs import compound_interest, k_means, kalman, newton, recurrent_network, spring


def shown(program, opened=()):
    """{name: formula} of the boxes of a program."""
    trace = Trace(program, detail="statements", opened=opened)
    return {trace.names[y]: render(trace.on.written(y), PRETTY) for y in trace.graph.variables if y.inputs}


# fmt: off
def test_a_spring_of_twenty_steps_is_its_first_and_its_last_step_and_what_is_between():
    assert shown(spring) == {
        "a_1": "−k·x₀/m",   "v_1": "v₀ + 0.05·a₁",    "x_1": "x₀ + 0.05·v₁",
                            "v_19": "18 more times",  "x_19": "18 more times",
        "a_20": "−k·x₁₉/m", "v_20": "v₁₉ + 0.05·a₂₀", "x_20": "x₁₉ + 0.05·v₂₀",
        "error": "(x₂₀ − 0.5)²",
    }


def test_any_pass_is_opened_by_the_name_of_what_it_makes():
    opened = shown(spring, "x7")
    assert opened.items() >= {
        "v_6": "5 more times",   "x_6": "5 more times",
        "a_7": "−k·x₆/m",        "v_7": "v₆ + 0.05·a₇",    "x_7": "x₆ + 0.05·v₇",
        "v_19": "12 more times", "x_19": "12 more times",
    }.items()
# fmt: on


def test_a_loop_of_hundreds_of_passes_has_as_few_boxes():
    def program():
        k, x, v = Value(4.0), Value(1.0), Value(0.0)
        for _ in range(300):
            v = v - 0.05 * (k * x)
            x = x + 0.05 * v
        return x

    trace = Trace(program, detail=None)
    assert len(trace.names) == 9 and "v_299" in trace.names.values()


def test_a_pass_that_would_be_hidden_alone_is_shown_too():
    assert shown(spring, "x3").items() >= {"a_2": "−k·x₁/m", "v_2": "v₁ + 0.05·a₂", "a_3": "−k·x₂/m", "v_19": "16 more times"}.items()
    assert shown(spring, "x18").items() >= {"v_17": "16 more times", "a_19": "−k·x₁₈/m", "v_19": "v₁₈ + 0.05·a₁₉"}.items()


def test_a_pass_is_found_by_its_variable_and_not_by_an_equal_number():
    def program():
        x, w = Value(1.0), Value(1.0)
        for _ in range(12):
            x = w * x
        return x

    assert shown(program, "x7").keys() == {"x_1", "x_6", "x_7", "x_11", "x_12"}


def test_a_loop_is_opened_by_what_it_hands_on_and_shows_all_passes():
    assert len(shown(spring, "x19")) == 61


def hub():
    slope, offset, loss = Value(0.5), Value(0.1), 0
    for k in range(1, 31):
        error = slope * k + offset - k * k
        loss = loss + error * error
    return loss


def hub_of_weights():
    h, total = Value(0.5), 0
    for k in range(30):
        w = Value(0.1 * k)
        total = total + tanh(h * w)
    return total


def fibonacci():
    a, b = Value(1.0), Value(1.0)
    for _ in range(12):
        a, b = b, sin(a + b)
    return b


def nested():
    x, w = Value(0.5), Value(1.1)
    for _ in range(5):
        y = x
        for _ in range(6):
            y = tanh(w * y)
        x = x + y
    return x


def two_loops():
    x, w, v = Value(0.5), Value(0.9), Value(1.2)
    for _ in range(8):
        x = relu(w * x + 0.1)
    for _ in range(9):
        x = sin(v * x)
    return x


def states():
    """All states of the loop are used by the loss, so no pass can be hidden."""
    x, w, found = Value(0.5), Value(0.9), []
    for _ in range(8):
        x = tanh(w * x)
        found.append(x)
    return sum(s * s for s in found)


def euler():
    k, m, x, v = Value(4.0), Value(1.0), Value(1.0), Value(0.0)
    for _ in range(3):
        a = -k * x / m
        v = v + 0.1 * a
        x = x + 0.1 * v
    return x


def steps_in_steps():
    rate, w = Value(0.1), Value(2.0)
    for _ in range(3):
        s = w
        for _ in range(2):
            g = s * s - 1
            s = s - rate * g
        w = w + 0.5 * (s - w)
    return w


def last_layer():
    w, u, x, c = Value(0.7), Value(0.3), Value(0.5), Value(0.2)
    for f in (tanh, tanh, tanh, tanh, sin):
        a = w * x + c
        g = u * a
        x = f(a) * g + x
    return x


def state_from_nothing():
    wx, wh, b, wy, c = Value(0.5), Value(0.8), Value(0.1), Value(1.2), Value(0.3)
    h = loss = 0
    for x, y in (1.0, 0.6), (0.5, 0.9), (-1.0, 0.1):
        h = tanh(wx * x + wh * h + b)
        out = wy * h + c
        error = out - y
        loss = loss + error**2
    return loss


def momentum():
    w, rate, velocity = Value(3.0), Value(0.1), 0
    for _ in range(6):
        gradient = 2 * (w - 1)
        velocity = 0.9 * velocity + gradient
        scale = 1 / (1 + velocity * velocity)
        w = w - rate * velocity * scale
    cost = (w - 1) ** 2
    return cost


BOXES = {
    hub: 7, hub_of_weights: 6, fibonacci: 7, nested: 9, two_loops: 9, states: 11, euler: 8, steps_in_steps: 8, last_layer: 11,
    state_from_nothing: 10, momentum: 13,
}  # fmt: skip


@each("program", BOXES, ids=lambda program: program.__name__)
def test_hidden_passes_change_no_derivative(program):
    root, _ = result_of(program)
    found = statements(root)
    whole, folded = backpropagation(root), backpropagation(found.z)
    for y, there in found.variable.items():
        assert folded[there] == pytest.approx(whole[y], rel=1e-9, abs=1e-12, nan_ok=True), found.names[there]
    assert len(found.variable) == BOXES[program]


# fmt: off
def test_a_loop_of_three_passes_is_its_first_pass_and_two_more_if_no_window_shows_them_all():
    assert shown(euler) == {"a_1": "−k·x₀/m", "v_1": "v₀ + 0.1·a₁", "x_1": "x₀ + 0.1·v₁", "x_3": "2 more times"}
    assert shown(euler, "x2").items() >= {"a_2": "−k·x₁/m", "x_2": "x₁ + 0.1·v₂", "x_3": "x₂ + 0.1·v₃"}.items()
# fmt: on


def test_a_loop_of_a_few_passes_that_accumulates_a_sum_folds_too():
    assert shown(k_means).items() >= {"total_1": "(e1₁·d1₁ + e2₁·d2₁)/(e1₁ + e2₁)", "total_3": "2 more times"}.items()


# fmt: off
def test_the_first_pass_may_lack_terms_because_it_begins_with_nothing():
    assert shown(state_from_nothing) == {
        "h_1": "tanh(wx + wh·0 + b)", "out_1": "wy·h₁ + c", "error_1": "out₁ − 0.6", "loss_1": "error₁²", "loss_3": "2 more times",
    }
    assert shown(state_from_nothing, "h2")["h_2"] == "tanh(wx·0.5 + wh·h₁ + b)"
    velocities = {"velocity_1": "gradient₁", "velocity_5": "4 more times", "velocity_6": "0.9·velocity₅ + gradient₆"}
    assert shown(momentum).items() >= velocities.items()
# fmt: on


def test_the_last_pass_of_a_loop_may_lack_a_statement_or_end_with_another_function():
    assert shown(kalman).items() >= {"x_4": "3 more times", "p_5": "3 more times", "k_5": "p₅/(p₅ + r)", "p_6": "(1 − k₅)·p₅"}.items()
    assert shown(last_layer).items() >= {"x_4": "3 more times", "x_5": "sin(a₅)·g₅ + x₄"}.items()


def test_a_graph_that_a_window_shows_whole_has_all_passes_of_a_short_loop():
    def program():
        a, x = Value(2.0), Value(1.0)
        for _ in range(3):
            f = x * x - a
            slope = 2 * x
            x = x - f / slope
        return x

    assert len(shown(program)) == 9


def test_a_sum_of_many_terms_of_a_loop_is_one_box_between_its_first_and_its_last():
    assert [formula for formula in shown(hub).values() if "more" in formula] == ["28 more times"]


def test_a_pass_holds_what_one_pass_of_the_program_made_also_of_loops_in_loops():
    def heat():
        u, alpha = [Value(0.0), Value(0.2), Value(1.0), Value(0.1), Value(0.0)], Value(0.25)
        for _ in range(6):
            new = [u[0]]
            for i in range(1, 4):
                new.append(u[i] + alpha * (u[i - 1] - 2 * u[i] + u[i + 1]))
            new.append(u[4])
            u = new
        return sum((x - 0.3) ** 2 for x in u)

    found = shown(heat)
    assert {*found} == {"z", *(f"u[{i}]_{k}" for i in (1, 2, 3) for k in (1, 5, 6))}
    assert [found[f"u[{i}]_5"] for i in (1, 2, 3)] == ["4 more times"] * 3


def test_a_loop_within_a_pass_does_not_move_where_the_pass_begins():
    def power_iteration():
        a, v = [[Value(float((3 * i + 5 * j) % 4 + 1)) for j in range(3)] for i in range(3)], [1.0, 1.0, 1.0]
        for _ in range(4):
            w = []
            for i in range(3):
                s = 0
                for j in range(3):
                    s = s + a[i][j] * v[j]
                w.append(s)
            norm = sqrt(w[0] ** 2 + w[1] ** 2 + w[2] ** 2)
            v = [x / norm for x in w]
        return v[0] + 2 * v[1] + 3 * v[2]

    found, made = shown(power_iteration), ["w[0]", "w[1]", "w[2]", "norm", "v[0]", "v[1]", "v[2]"]
    assert {*found} == {"z", *(f"{name}_{k}" for k in (1, 4) for name in made), "v[0]_3", "v[1]_3", "v[2]_3"}
    assert found["v[2]_3"] == "2 more times" and found["w[2]_4"] == "a[2][0]·v[0]₃ + a[2][1]·v[1]₃ + a[2][2]·v[2]₃"


def test_inputs_that_fit_on_a_screen_are_all_shown():
    def program():
        return sum(Value(0.1 * k) ** 2 for k in range(1, 20))

    root, _ = result_of(program)
    assert len(statements(root).variable) == 20


def test_a_loop_that_would_hide_few_statements_shows_all_passes():
    assert len(shown(newton)) == 4 and len(shown(recurrent_network)) == 6
    assert not [formula for program in (newton, recurrent_network) for formula in shown(program).values() if "more" in formula]


def test_the_variables_of_all_passes_have_the_name_that_the_program_has_for_the_last():
    rate, saved = Value(0.03), Value(100.0)
    for year in range(15):
        saved = saved * (1 + rate) + 10 * year
    trace = Trace(saved, detail="statements")
    assert list(trace.names.values()) == ["saved_0", "rate", "saved_1", "saved_14", "saved_15"]
    assert list(trace.names.values()) == list(Trace(compound_interest, detail="statements").names.values())


def test_a_number_of_a_hidden_pass_that_changes_is_noticed():
    root, _ = result_of(hub_of_weights)
    hidden = next(v for v in Graph(root).variables if v.data == 1.5)
    hidden.data = 7.0
    with pytest.raises(RuntimeError, match="a number was changed"):
        Trace(root, detail="statements")


def test_a_very_large_graph_is_shown_in_statements_if_its_loops_leave_few(monkeypatch):
    monkeypatch.setattr("scalargrad.statements.statement_graph.MANY", 30)
    monkeypatch.setattr("scalargrad.statements.statement_graph.FOLDED", 10)
    w, z = Value(0.5, name="w"), Value(1.0, name="z")
    for _ in range(40):
        z = z * w + w
    branches = [w]
    for k in range(40):
        branches.append(sin(branches[k // 2]) * (k + 2))
    assert len(Trace(z, detail=None).graph.variables) <= 10 and Trace(sum(branches), detail=None).statements is None
