"""Run a jaxpr call by call, with JAX's values and a variable of ours beside each."""

from dataclasses import dataclass

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, Literal, jaxpr_as_fun

import tensorgrad as tg
from scalargrad import modes
from scalargrad.callers import is_users, place
from scalargrad.checking.check import Check, Problem, names_of
from scalargrad.user_names import made_at
from tensorgrad import backward
from tensorgrad.beside_jax.primitives import FUNCTIONS, PRIMITIVES
from tensorgrad.rules.elsewhere import Elsewhere, rule_of
from tensorgrad.tensor import Tensor

OURS, THEIRS = "a rule of tensorgrad", "JAX's own derivative"
BY_JAX = Elsewhere("theirs", "derivative by JAX", "JAX", "JAX computes this derivative")
MOST_STEPS = 1000  # of a scan that is run step by step
TOLERANCE = {np.dtype(np.float64): 1e-7, np.dtype(np.float32): 1e-3}  # relative to the largest entry
OPENED = ("jaxpr", "call_jaxpr", "fun_jaxpr")  # where a call has the jaxpr of the function that it calls
INNER = {"jit", "pjit", "closed_call", "core_call", "remat2", "checkpoint", "custom_jvp_call"}


@dataclass
class JaxCall:
    """One call of a primitive that takes part in the graph, its line in the program, and who computes its derivative."""

    name: str
    file: str
    line: int
    by: str
    why: str = ""


class JaxRecording:
    """What `from_jax` saw: `z`, the result as our tensor; `leaves`, {name: tensor}; `calls`; and `value`, JAX's own result."""

    def __init__(self, f, args, z, value, leaves, calls):
        self.f, self.args, self.z, self.value, self.leaves, self.calls = f, args, z, value, leaves, calls

    def __graph__(self):
        """Return what pictures and pages show of a recording in the place of a variable."""
        return self.z

    def __repr__(self):
        ours = sum(call.by == OURS for call in self.calls)
        return f"<recording of {len(self.calls)} calls: {ours} by {OURS}, {len(self.calls) - ours} by {THEIRS}>"

    def check(self):
        """Return a Check of our gradients against JAX's."""
        z = self.z.node
        found = dict(backward.totals(z, np.ones(z.shape, z.dtype), retain=True, wanted={x.node for x in self.leaves.values()}))
        flat, tree = jax.tree_util.tree_flatten(self.args)
        slots = [i for i, a in enumerate(flat) if is_variable(a)]

        def of_leaves(xs):
            given = list(flat)
            for i, x in zip(slots, xs):
                given[i] = x
            return self.f(*jax.tree_util.tree_unflatten(tree, given))

        problems = []
        for (name, x), g in zip(self.leaves.items(), jax.grad(of_leaves)([flat[i] for i in slots])):
            theirs, ours = np.asarray(g), np.asarray(found.get(x.node, np.zeros(x.shape)))
            if far(ours, theirs) > TOLERANCE[x.dtype]:
                place = np.unravel_index(np.argmax(np.abs(ours - theirs)), x.shape)
                problems.append(
                    Problem("from_jax", f"dz/d{name} at {list(map(int, place))}", float(ours[place]), float(theirs[place]), "JAX's")
                )
        return Check(problems, sum(x.size for x in self.leaves.values()))


def recorded(f, args):
    """Return the JaxRecording of a function at these arguments."""
    flat, _ = jax.tree_util.tree_flatten_with_path(args)
    closed = jax.make_jaxpr(f)(*args)
    if [v.aval.shape for v in closed.jaxpr.outvars] != [()]:
        shapes = ", ".join(str(v.aval.shape) for v in closed.jaxpr.outvars)
        raise TypeError(f"from_jax: the function returned arrays of shape {shapes}; it must return the loss, one number")
    parameters, leaves, given = names_of(f, len(args))[1], {}, []
    for path, x in flat:
        x, name = np.asarray(x), name_of(path, parameters)
        if is_variable(x):
            leaves[name] = Tensor(x, name=name)
        given.append((x, leaves.get(name, x)))
    run = Run()
    ((value, z),) = run.of_closed(closed, given)
    if not is_ours(z):
        raise RuntimeError("from_jax: the result does not depend on an array of floats among the arguments")
    z.name = z.name or "loss"
    return JaxRecording(f, args, z, value, leaves, run.calls)


class Run:
    """Runs jaxprs. In place of an array it has a pair: JAX's array, and our variable for it, or the array again for a constant."""

    def __init__(self):
        self.calls = []

    def of_closed(self, closed, given):
        return self.of(closed.jaxpr, [(c, np.asarray(c)) for c in closed.consts], given)

    def of(self, jaxpr, consts, given):
        """Return the pairs of the results of a jaxpr."""
        known = dict(zip([*jaxpr.constvars, *jaxpr.invars], [*consts, *given]))
        read = lambda v: (v.val, np.asarray(v.val)) if isinstance(v, Literal) else known[v]
        for eqn in jaxpr.eqns:
            known.update(zip(eqn.outvars, self.called(eqn, alone(jaxpr, eqn), list(map(read, eqn.invars)))))
        return list(map(read, jaxpr.outvars))

    def called(self, eqn, values_at, given):
        """Return the pairs of the results of one call."""
        name, params = eqn.primitive.name, eqn.params
        if not any(is_ours(x) for _, x in given) or name == "stop_gradient":
            return [(y, np.asarray(y)) for y in values_at([a for a, _ in given])]
        if name == "scan":
            return self.scan(params, given)
        if name == "cond":
            index, *given = given
            return self.of_closed(params["branches"][int(index[0])], given)
        if name == "while":
            raise RuntimeError(
                f"from_jax: JAX has no reverse derivative of a while_loop{at(eqn)}; use lax.scan or fori_loop with fixed bounds"
            )
        inner = next((params[key] for key in OPENED if key in params), None)
        if name in INNER and inner is not None:
            return self.inner(eqn, values_at, inner, given)
        return self.primitive(eqn, values_at, given)

    def inner(self, eqn, values_at, inner, given):
        """Run a function that the program called, in a scope of its name."""
        inner = inner if isinstance(inner, ClosedJaxpr) else ClosedJaxpr(inner, ())
        known = FUNCTIONS.get(function_name(inner)) if eqn.primitive.name == "custom_jvp_call" else None
        if known is not None and len(given) == 1:
            return self.primitive(eqn, values_at, given, lambda params, x: known(x), function_name(inner))
        if "name" not in eqn.params:
            return self.of_closed(inner, given)
        with modes.scope(eqn.params["name"]):
            return self.of_closed(inner, given)

    def scan(self, params, given):
        """Run a scan step by step."""
        consts, carry = params["num_consts"], params["num_carry"]
        if params["length"] > MOST_STEPS:
            raise RuntimeError(f"from_jax: a scan of {params['length']} steps is longer than {MOST_STEPS}; record fewer steps")
        fixed, state, xs = given[:consts], given[consts : consts + carry], given[consts + carry :]
        steps, stacked = range(params["length"]), []
        for i in reversed(steps) if params["reverse"] else steps:
            state_and_ys = self.of_closed(params["jaxpr"], [*fixed, *state, *[(a[i], x[i]) for a, x in xs]])
            state = state_and_ys[:carry]
            stacked.append(state_and_ys[carry:])
        if params["reverse"]:
            stacked.reverse()
        return state + [(jax.numpy.stack([a for a, _ in ys]), stack([x for _, x in ys])) for ys in zip(*stacked)]

    def primitive(self, eqn, values_at, given, ours=None, name=None):
        """Call a primitive, and our function for it beside it; a box whose derivative JAX computes if there is none or it differs."""
        name, values = name or eqn.primitive.name, values_at([a for a, _ in given])
        ours = ours or PRIMITIVES.get(eqn.primitive.name)
        floats = [np.issubdtype(np.asarray(y).dtype, np.floating) for y in values]
        if not any(floats):
            return [(y, np.asarray(y)) for y in values]
        file, line = line_of(eqn)
        call = JaxCall(name, file, line, OURS)
        self.calls.append(call)
        if ours is not None and len(values) == 1:
            try:
                y = ours(eqn.params, *[x for _, x in given])
                if y.shape == values[0].shape and far(np.asarray(y.data), np.asarray(values[0])) <= TOLERANCE[y.dtype]:
                    return [(values[0], noted(y, call))]
                call.why = f"our {name} differs from JAX's"
            except Exception as reason:  # our function does not take these arguments
                call.why = f"our {name} raised {type(reason).__name__}: {reason}"
        call.by = THEIRS
        return [(y, noted(box(values_at, given, i, name, y), call) if floats[i] else np.asarray(y)) for i, y in enumerate(values)]


def box(values_at, given, place, name, value):
    """Return result number `place` of a call as a variable whose derivative JAX computes."""
    slots = [i for i, (_, x) in enumerate(given) if is_ours(x)]

    def at_arrays(*xs):
        arrays = [a for a, _ in given]
        for slot, x in zip(slots, xs):
            arrays[slot] = x
        return values_at(arrays)[place]

    def backward(G, xs, wanted):
        passed = jax.vjp(at_arrays, *map(jax.numpy.asarray, xs))[1](jax.numpy.asarray(G))
        return [np.asarray(passed[i]) for i in wanted]

    rule = rule_of(name, len(slots), np.asarray(value), lambda *xs: np.asarray(at_arrays(*map(jax.numpy.asarray, xs))), backward, BY_JAX)
    return rule(*[given[slot][1] for slot in slots])


def alone(jaxpr, eqn):
    """Return a function of arrays that gives JAX's results of one call of a jaxpr."""
    places = {v: i for i, v in enumerate(eqn.invars) if not isinstance(v, Literal)}
    one = jaxpr_as_fun(ClosedJaxpr(jaxpr.replace(constvars=(), invars=list(places), outvars=eqn.outvars, eqns=[eqn]), ()))
    return lambda arrays: one(*[jax.numpy.asarray(arrays[i]) for i in places.values()])


def stack(xs):
    return tg.stack(xs) if any(map(is_ours, xs)) else np.stack(xs)


def is_ours(x):
    return isinstance(x, Tensor) and x.node is not None


def is_variable(x):
    return np.issubdtype(np.asarray(x).dtype, np.floating)


def noted(y, call):
    """Note the line of the program that made a variable of ours."""
    if is_ours(y) and call.line:
        made_at.note(y, call.file, call.line)
    return y


def line_of(eqn):
    """Return (file, line) of the program's line that made a call."""
    frames = eqn.source_info.traceback.frames if eqn.source_info.traceback else []
    return next(((f.file_name, f.line_num) for f in frames if is_users(f.file_name)), ("", 0))


def at(eqn):
    file, line = line_of(eqn)
    return f" ({place(file, line)})" if line else ""


def function_name(closed):
    return str(getattr(closed.jaxpr.debug_info, "func_src_info", "")).partition(" ")[0]


def name_of(path, parameters):
    """Return the name of a leaf: params.layers.0.w for params["layers"][0]["w"]."""
    first, *keys = [str(getattr(key, "key", getattr(key, "idx", getattr(key, "name", key)))) for key in path]
    return ".".join([parameters[int(first)] if int(first) < len(parameters) else f"x{int(first) + 1}", *keys])


def far(a, b):
    """Return the largest difference of two arrays, relative to the largest entry."""
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    scale = np.abs(b[np.isfinite(b)]).max(initial=0) or 1.0
    return float(np.nan_to_num(np.abs(np.where(same, 0, a - b)), nan=np.inf).max(initial=0) / scale)
