"""All schedules, the fast loop and grad() give the same derivatives on random graphs; counting's invariants catch wrong counts."""

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalargrad import Trace, Value, backpropagation, grad
from scalargrad.fast.totals import total_derivatives
from scalargrad.graph import Graph, inputs_first
from scalargrad.tracing.counting import INVARIANTS, InvariantError, count_uses, counting
from scalargrad.tracing.quantities import Numbers, Quantity
from scalargrad.tracing.schedules import MOST_PATHS, SCHEDULES, count_paths
from scalargrad.tracing.steps import STATE, Schedule
from tests.each import each
from tests.examples import at_most
from tests.scalargrad.graphs import build, figure1, ladder, recipes


def run(z, schedule, order=None, **options):
    """Return {name: dz/dx} by one schedule."""
    return {x.name: total.number for x, total in Trace(z, order, schedule, {}, **options).computed.items()}


def legal_order(z, dice):
    """Return a random topological order: any variable may come next whose children all stand before it."""
    graph = Graph(z)
    waiting = {v: {y for y, _ in graph.children[v]} for v in graph.variables}
    order = []
    while waiting:
        x = dice.choice([v for v in graph.variables if v in waiting and not waiting[v]])
        del waiting[x]
        order.append(x)
        for children in waiting.values():
            children.discard(x)
    return order


def by_backward(z):
    z.zero_grad()
    z.backward()
    return {x.name: x.grad for x in Graph(z).variables if type(x) is Value}


def all_ways(recipe, kind, seed):
    """Yield (name, {name of x: dz/dx}) for every algorithm that differentiates the recipe's z."""
    made = build(recipe, kind)
    z, dice = made[-1], random.Random(seed)
    if type(z) is not Value:  # made of constants only
        return
    yield "backpropagation", {x.name: total for x, total in backpropagation(z).items()}
    yield "backpropagation, another order", {x.name: total for x, total in backpropagation(z, legal_order(z, dice)).items()}
    few_paths = sum(many for many, _ in count_paths(Graph(z)).values()) <= 300
    for schedule in SCHEDULES.values():
        if few_paths or not schedule.along_paths:
            yield schedule.name, run(z, schedule.name)
            if schedule.takes_order:
                yield f"{schedule.name}, another order", run(z, schedule.name, legal_order(z, dice))
    for queue in ("lifo", "random"):
        yield f"counting, {queue}", run(z, "counting", queue=queue, seed=seed)
    everything = dict.fromkeys(x for y in made for x in inputs_first(y))
    yield "tape with dead branches", run(z, "tape", recorded=list(everything))
    yield "backward", by_backward(z)
    xs = [x for x in Graph(z).variables if type(x) is Value]
    yield "grad", dict(zip((x.name for x in xs), grad(z, xs)))
    yield "create_graph", {x.name: getattr(d, "data", d) for x, d in total_derivatives(z, create_graph=True).items()}


@at_most(60)
@given(recipes(), st.integers(0, 99))
def test_all_schedules_and_the_fast_loop_are_equal_exactly_on_fractions(recipe, seed):
    first = None
    for way, totals in all_ways(recipe, Fraction, seed):
        assert all(type(t) in (int, Fraction) for t in totals.values()), f"{way} left exact arithmetic"
        first = first or totals
        assert {name: first[name] for name in totals} == totals, way
        assert set(first) == set(totals) or way in ("backward", "grad"), way  # these two have nothing for constants


@at_most(100)
@given(recipes(), st.integers(0, 99))
def test_all_schedules_and_the_fast_loop_are_equal_on_floats_to_a_few_ulps(recipe, seed):
    exact = build(recipe, Fraction)[-1]
    size = sizes(exact) if type(exact) is Value else {}
    for way, totals in all_ways(recipe, float, seed):
        for name, total in totals.items():
            assert abs(total - size[name][0]) <= 1e-12 * size[name][1], f"{way}: {name}"


def sizes(z):
    """Return {name: (dz/dx, sum of the sizes of its terms)}, exactly. Rounding is small beside the second, whatever cancels."""
    graph, totals, size = Graph(z), backpropagation(z), {z: Fraction(1)}
    for x in graph.order[1:]:
        size[x] = sum(size[y] * max(abs(y.partials[slot]), Fraction(1, 10**6)) for y, slot in graph.children[x]) + 1
    scale = 1 + max(abs(v.data) for v in graph.variables)
    return {x.name: (totals[x], size[x] * scale) for x in totals}


@each("schedule", SCHEDULES)
def test_each_schedule_is_traced_with_a_step_for_each_line_of_its_listing(schedule):
    v = figure1()
    trace = Trace(v["z"], schedule=schedule)
    assert {x.name: q.number for x, q in trace.computed.items()} == {"z": 1, "y2": 1, "y1": 3, "x2": 3, "x1": 9, "x3": 3, "x4": 11}
    assert {str(q.symbol) for q in trace.computed.values()} <= {"1", "x1", "y1 + x1", "x1 + y1", "x1 + 2*x4", "2*x4 + x1", "x1 + 2*x4*1"}
    assert {s.line for s in trace.steps if s.line} <= set(trace.schedule.listing)
    assert trace[-1].act == "done" and trace[0].line == 1


@each("schedule", SCHEDULES.values(), ids=SCHEDULES)
def test_a_schedule_keeps_in_its_steps_what_it_says(schedule):
    trace = Trace(figure1()["z"], schedule=schedule.name)
    assert {key for s in trace for key in s.state or ()} == set(schedule.keeps)
    assert schedule.scatters == any(s.iteration and s.x is None for s in trace)
    assert set(STATE) >= set(schedule.keeps)


def test_a_schedule_that_lacks_a_field_or_keeps_what_nothing_shows_fails_at_once():
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'keeps'"):
        Schedule("mine", {1: "MINE:"}, counting, None, True, False)
    with pytest.raises(
        ValueError,
        match="schedule 'mine' keeps heap, which nothing shows; choose from pending, ready, tape, place, given, ordering, nodes, path",
    ):
        Schedule("mine", {1: "MINE:"}, counting, None, True, False, ("ready", "heap"))


def test_the_sum_over_all_paths_walks_each_path_once():
    x, z = ladder(5)
    assert count_paths(Graph(z))[x] == (2**5, 5 * 2**5)
    assert sum(s.act == "add" and s.x is x for s in Trace(z, schedule="paths").steps) == 2**5


def test_the_sum_over_all_paths_refuses_what_would_take_for_ever():
    _, z = ladder(60)
    with pytest.raises(
        ValueError, match=rf"2,305,843,009,213,693,951 paths .at most {MOST_PATHS:,}.*; use another schedule, which .* needs 120 products"
    ):
        Trace(z, schedule="paths")


def test_a_schedule_that_does_not_exist_is_an_error_that_lists_those_that_do():
    with pytest.raises(ValueError, match=f"schedule='magic' is unknown; use .*{list(SCHEDULES)[-1]!r}$"):
        Trace(figure1()["z"], schedule="magic")


# Dependency counting


def counted(z, kind=Numbers, **options):
    """Return the steps of counting, with numbers of this kind."""
    graph = Graph(z)
    return counting(graph, kind(graph, {v: v.name or f"v{i}" for i, v in enumerate(graph.variables)}), **options)


def finish(z, **options):
    return list(counted(z, **options))


def wrong(z, change):
    """Run counting with counts that `change` alters first."""
    pending = count_uses(Graph(z))
    change(pending)
    return finish(z, pending=pending)


def diamond():
    x = Value(3, name="x")
    y = x * x
    y.name = "y"
    z = y * y
    z.name = "z"
    return x, y, z


def test_a_variable_used_twice_is_counted_twice():
    _, y, z = diamond()
    assert count_uses(Graph(z)) == {y: 2, z: 0}


@each("counted", [1, 3, 0, -1])
def test_invariant_1_a_count_that_is_not_the_number_of_uses(counted):
    _, y, z = diamond()
    with pytest.raises(InvariantError, match="invariant 1 fails at y: .*x \\* x counts twice"):
        wrong(z, lambda pending: pending.update({y: counted}))


def test_invariant_1_a_consumer_in_a_dead_branch_is_counted():
    _, y, z = diamond()
    dead = y + 1
    with pytest.raises(InvariantError, match="invariant 1 fails at y"):
        wrong(z, lambda pending: pending.update({y: pending[y] + len(dead.inputs)}))


def test_invariant_1_a_variable_outside_the_graph_is_counted():
    _, y, z = diamond()
    with pytest.raises(InvariantError, match="invariant 1 fails at dead"):
        dead = y + 1
        dead.name = "dead"
        wrong(z, lambda pending: pending.update({dead: 0}))


def test_invariant_2_a_leaf_is_counted():
    x, _, z = diamond()
    with pytest.raises(InvariantError, match="invariant 2 fails at x: only intermediate variables are counted"):
        wrong(z, lambda pending: pending.update({x: 2}))


def meddle(z, at, change):
    """Run counting, and at its first step of kind `at` let `change(step)` alter the graph or the step."""
    for step in counted(z):
        if step.act == at:
            at = None
            change(step)


def test_invariant_8_z_is_a_single_number():
    _, _, z = diamond()
    with pytest.raises(InvariantError, match="invariant 8 fails at z: z is a single number"):
        meddle(z, "count", lambda step: setattr(z, "_data", np.array([1.0, 2.0])))


def test_invariant_3_a_contribution_that_is_an_array():
    class InBulk(Numbers):
        def upstream(self, y, total):
            return Quantity(np.array([1.0, 2.0]), 1)

    _, _, z = diamond()
    with pytest.raises(InvariantError, match="invariant 3 fails at z: each use passes one contribution"):
        finish(z, kind=InBulk)


def test_invariant_4_a_second_place_that_sums():
    x, _, z = diamond()
    with pytest.raises(InvariantError, match="invariant 4 fails at z: only one place adds to totals"):
        meddle(z, "take", lambda step: step.log.append((x, 100)))


def test_invariant_5_a_rule_that_reads_a_total():
    class Cheating(Numbers):
        def partial(self, y, slot):
            return Quantity(y.partials[slot] * y.grad, 1)

    _, _, z = diamond()
    with pytest.raises(InvariantError, match="invariant 5 fails at z: a rule reads its inputs and the upstream gradient, never a total"):
        finish(z, kind=Cheating)


def test_invariant_9_a_function_that_suddenly_uses_its_inputs_more_often_than_was_counted():
    _, _, z = diamond()
    z.partials *= 2
    with pytest.raises(InvariantError, match="invariant 9 fails at y: counts never become negative"):
        meddle(z, "take", lambda step: setattr(z, "inputs", z.inputs * 2))


def test_invariant_4_or_11_a_function_that_suddenly_uses_its_inputs_less_often_than_was_counted():
    _, _, z = diamond()
    with pytest.raises(InvariantError, match="invariant (4 fails at z|11 fails at y)"):  # y waits for ever, so its contributions are lost
        meddle(z, "take", lambda step: setattr(z, "inputs", z.inputs[:1]))


def test_invariant_7_a_total_that_a_late_contribution_changes():
    """y becomes an input of its own function, so its total would grow after y passed it on."""
    _, y, z = diamond()

    def tie(step):
        y.inputs, y.partials = (y,), (1,)

    with pytest.raises(InvariantError, match="invariant (7|9) fails at y"):
        meddle(z, "take", tie)


def test_there_are_eleven_invariants():
    assert list(INVARIANTS) == list(range(1, 12))


@each("schedule", SCHEDULES)
def test_a_dead_branch_is_harmless(schedule):
    x, y, z = diamond()
    dead = [y * x, (y + 1) * z, x - y]
    assert run(z, schedule) == {"z": 1, "y": 18, "x": 108}
    z.backward()
    assert (x.grad, y.grad) == (108, 18) and all(d.grad == 0 for d in dead)


def test_the_tape_skips_what_z_does_not_depend_on():
    x, y, z = diamond()
    dead = y + 1
    trace = Trace(z, schedule="tape", recorded=[x, y, dead, z])
    assert [s.y for s in trace if s.act == "skip"] == [dead]
    assert {v: total.number for v, total in trace.computed.items()} == {z: 1, y: 18, x: 108}


def test_the_random_queue_is_the_same_for_the_same_seed_and_differs_between_seeds():
    v = figure1()
    orders = {tuple(s.y.name for s in finish(v["z"], queue="random", seed=seed) if s.act == "take") for seed in range(20)}
    assert orders == {("z", "y1", "y2"), ("z", "y2", "y1")}
    again = [[s.y for s in finish(v["z"], queue="random", seed=3) if s.act == "take"] for _ in range(2)]
    assert again[0] == again[1]


def test_a_tape_that_lacks_a_variable_or_its_order_is_refused():
    x, y, z = diamond()
    for tape in ([x, z], [y, x, z], [x, y]):
        with pytest.raises(ValueError, match="the tape must hold"):
            Trace(z, schedule="tape", recorded=tape)
    assert Trace(z, schedule="tape", recorded=[x, y, y + 1, z]).computed[x].number == 108


# The tutorial's algorithm for tensors


def nodes_after(trace, act):
    """Return [(name, what the node holds)] of the current node after each step with this act."""
    return [(s.y.name, s.state["nodes"][s.y]) for s in trace if s.act == act]


def test_under_propagate_a_node_is_disconnected_after_its_turn_and_drops_its_gradient():
    trace = Trace(figure1()["z"], schedule="propagate")
    assert [(name, node.connected, node.grad.number) for name, node in nodes_after(trace, "disconnect")] == [
        ("z", False, 1),
        ("y2", False, 1),
        ("y1", False, 3),
    ]
    assert all(node.grad is None and not node.keep_grad for _, node in nodes_after(trace, "keep"))
    end = {v.name: node for v, node in trace[-1].state["nodes"].items()}
    assert {name: node.grad.number for name, node in end.items() if node.grad} == {"x1": 9, "x2": 3, "x3": 3, "x4": 11}
    assert all(node.connected for node in trace[2].state["nodes"].values() if node.grad is not None)  # z alone, before the loop


def test_under_propagate_keep_grad_lists_the_variables_that_keep_their_gradients():
    v = figure1()
    trace = Trace(v["z"], schedule="propagate", keep_grad=[v["y1"]])
    end = {x.name: node.grad and node.grad.number for x, node in trace[-1].state["nodes"].items()}
    assert end == {"x1": 9, "x2": 3, "x3": 3, "x4": 11, "y1": 3, "y2": None, "z": None}
    with pytest.raises(ValueError, match="propagate: keep_grad lists other, which z does not depend on; leave it out"):
        Trace(v["z"], schedule="propagate", keep_grad=[Value(1, name="other")])


def test_under_propagate_each_node_has_one_turn_in_any_topological_order():
    v = figure1()
    order = [v[name] for name in ("z", "y1", "y2", "x4", "x3", "x2", "x1")]
    trace = Trace(v["z"], order, "propagate")
    assert [s.y.name for s in trace if s.act == "visit"] == ["z", "y1", "y2"]
    assert [[y.name for y in s.state["ordering"]] for s in trace if s.act == "visit"] == [["y1", "y2"], ["y2"], []]


class Printed:
    """A node of the tutorial's printed code; + passes its upstream gradient itself to both inputs."""

    def __init__(self, *inputs):
        self.grad, self.input_nodes, self.propagate_grad, self.topo_visited = None, inputs, bool(inputs), False

    def propagate(self):
        for node in self.input_nodes:
            if node.grad is None:
                node.grad = self.grad
            else:
                node.grad += self.grad

    def ordering(self):
        found = []

        def toposort_nodes(node):
            for input_node in node.input_nodes:
                if not node.topo_visited and input_node.propagate_grad:
                    toposort_nodes(input_node)
            node.topo_visited = True
            found.append(node)

        toposort_nodes(self)
        return found[::-1]


def test_the_two_mistakes_of_the_printed_code_are_mended():
    a = Printed()
    b = Printed(a, a)
    z = Printed(Printed(b), Printed(b))
    assert z.ordering().count(b) == 2  # the printed sort
    x = Value(1, name="x")
    y = x + x
    w = -y + y.exp()
    turns = [s.y for s in Trace(w, schedule="propagate", names={}) if s.act == "visit"]
    assert len(turns) == len({id(v) for v in turns}) == 4

    p, q = Printed(), Printed()
    inner, outer = Printed(p, q), Printed()
    inner.grad, outer.grad = np.ones(1), np.ones(1)
    inner.propagate()  # p.grad and q.grad are one array
    p.grad += outer.grad
    assert q.grad == 2  # the printed +=: q received 1


# The first entries of a tape


def test_the_first_entries_of_a_tape_start_from_the_gradients_of_the_others():
    v = figure1()
    whole, part = Trace(v["z"], schedule="tape"), Trace(v["z"], schedule="tape", first=5)
    assert {x: q.number for x, q in part.computed.items()} == {x: q.number for x, q in whole.computed.items()}
    assert [s.state["place"] for s in part if s.act == "visit"] == [4, 3, 2, 1, 0]
    given = next(s for s in part if s.act == "given")
    assert {x.name: q.number for x, q in given.computed.items()} == {"z": 1, "x1": 6, "y1": 3, "y2": 1, "x4": 8}
    add = next(i for i, s in enumerate(part) if s.act == "add" and s.x is v["x1"])
    assert [numbers for _, _, numbers in part.factors(add)] == [(1, 6), (3, 1)]  # the given term stands in the sum too


@at_most(40)
@given(recipes(), st.data())
def test_any_number_of_first_entries_gives_the_same_derivatives(recipe, data):
    z = build(recipe, Fraction)[-1]
    if type(z) is Value:
        first = data.draw(st.integers(1, len(Graph(z).variables)))
        assert run(z, "tape", first=first) == run(z, "tape")


@each("first", [0, 8, -1, True, 2.0, "3"])
def test_a_tape_has_as_many_first_entries_as_it_has_variables(first):
    with pytest.raises(ValueError, match=f"tape: first={first!r} must be a number of entries; this tape has 7, so from 1 to 7"):
        Trace(figure1()["z"], schedule="tape", first=first)


def test_numbers_are_names_in_the_order_of_the_tape():
    v = figure1()
    dead = v["x1"] * 2
    recorded = [*(v[name] for name in ("x4", "x3", "x2", "x1")), dead, *(v[name] for name in ("y2", "y1", "z"))]
    trace = Trace(v["z"], schedule="tape", names="numbers", recorded=recorded)
    assert [trace.names[x] for x in recorded] == [f"v{i}" for i in range(8)]
    assert str(trace.computed[v["x1"]].symbol) in ("v6 + v3", "v3 + v6")
    assert [Trace(v["z"], names="numbers").names[x] for x in Graph(v["z"]).variables] == [f"v{i}" for i in range(7)]
