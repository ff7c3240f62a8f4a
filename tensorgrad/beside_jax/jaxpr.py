"""Run a jaxpr call by call, with JAX's values and a variable of ours beside each, which our function for each primitive makes."""

from string import ascii_letters

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, Literal, jaxpr_as_fun

import tensorgrad as tg
from scalargrad import modes
from scalargrad.callers import is_users, place
from scalargrad.checking.check import names_of
from tensorgrad.beside.call import Call, Library, is_ours
from tensorgrad.beside.recording import Recording
from tensorgrad.tensor import Tensor

JAX = Library("JAX")
MOST_STEPS = 1000  # of a scan that is run step by step
OPENED = ("jaxpr", "call_jaxpr", "fun_jaxpr")  # where a call has the jaxpr of the function that it calls
INNER = {"jit", "pjit", "closed_call", "core_call", "remat2", "checkpoint", "custom_jvp_call"}


def recorded(f, args):
    flat, tree = jax.tree_util.tree_flatten_with_path(args)
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
    slots = [i for i, (_, x) in enumerate(given) if is_ours(x)]

    def of_leaves(xs):
        return f(*jax.tree_util.tree_unflatten(tree, put([x for _, x in flat], slots, xs)))

    return Recording("from_jax", JAX, z, value, leaves, run.calls, lambda: jax.grad(of_leaves)([flat[i][1] for i in slots]))


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
        values, ours = values_at([a for a, _ in given]), ours or PRIMITIVES.get(eqn.primitive.name)
        results = {i: np.asarray(y) for i, y in enumerate(values) if is_variable(y)}
        if not results:
            return [(y, np.asarray(y)) for y in values]
        call = Call(name or eqn.primitive.name, *line_of(eqn))
        self.calls.append(call)
        slots = [i for i, (_, x) in enumerate(given) if is_ours(x)]

        def at(place, *xs):
            return values_at(put([a for a, _ in given], slots, xs))[place]

        def vjp(place, G, xs, wanted):
            passed = jax.vjp(lambda *xs: at(place, *xs), *map(jax.numpy.asarray, xs))[1](jax.numpy.asarray(G))
            return [np.asarray(passed[i]) for i in wanted]

        beside = ours and len(values) == 1 and (lambda: [ours(eqn.params, *[x for _, x in given])])
        found = JAX.variables(call, beside, results, [given[i][1] for i in slots], lambda *xs: np.asarray(at(*xs)), vjp)
        of_place = dict(zip(results, found))
        return [(y, of_place[i] if i in of_place else np.asarray(y)) for i, y in enumerate(values)]


def put(given, slots, xs):
    """Return a list with other items at these places."""
    return [dict(zip(slots, xs)).get(i, x) for i, x in enumerate(given)]


def alone(jaxpr, eqn):
    """Return a function of arrays that gives JAX's results of one call of a jaxpr."""
    places = {v: i for i, v in enumerate(eqn.invars) if not isinstance(v, Literal)}
    one = jaxpr_as_fun(ClosedJaxpr(jaxpr.replace(constvars=(), invars=list(places), outvars=eqn.outvars, eqns=[eqn]), ()))
    return lambda arrays: one(*[jax.numpy.asarray(arrays[i]) for i in places.values()])


def stack(xs):
    return tg.stack(xs) if any(map(is_ours, xs)) else np.stack(xs)


def is_variable(x):
    return np.issubdtype(np.asarray(x).dtype, np.floating)


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


SAME_NAME = "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp log log1p expm1 sqrt rsqrt abs sign floor ceil erf square exp2"
SAME_NAME += " neg add sub mul div pow atan2"
OTHER_NAME = {"logistic": "sigmoid", "max": "maximum", "min": "minimum", "add_any": "add"}
REDUCTIONS = {"reduce_sum": "sum", "reduce_max": "max", "reduce_min": "min", "reduce_prod": "prod"}


def of_entries(ours):
    return lambda params, *xs: ours(*xs)


def of_axes(ours):
    return lambda params, x: ours(x, axis=tuple(params["axes"])) if params["axes"] else x


def broadcast_in_dim(params, x, *sizes):
    shape, kept = tuple(params["shape"]), params["broadcast_dimensions"]
    lengths = dict(zip(kept, x.shape))
    return tg.broadcast_to(tg.reshape(x, tuple([lengths.get(axis, 1) for axis in range(len(shape))])), shape)


def dot_general(params, a, b):
    """Contract, as einsum with a letter for each axis."""
    (a_summed, b_summed), (a_batch, b_batch) = params["dimension_numbers"]
    letters = iter(ascii_letters)
    a_names = [next(letters) for _ in a.shape]
    b_names = [next(letters) for _ in b.shape]
    for i, j in [*zip(a_summed, b_summed), *zip(a_batch, b_batch)]:
        b_names[j] = a_names[i]
    gone = {a_names[i] for i in (*a_summed, *a_batch)}
    result = [a_names[i] for i in a_batch] + [n for n in a_names if n not in gone] + [n for n in b_names if n not in gone]
    if len(a.shape) == len(b.shape) == 2 and not a_batch and tuple(a_summed) == (1,) and tuple(b_summed) == (0,):
        return tg.matmul(a, b)
    return tg.einsum(f"{''.join(a_names)},{''.join(b_names)}->{''.join(result)}", a, b)


def select_n(params, which, *cases):
    if len(cases) != 2:
        raise NotImplementedError("select_n of more than two cases")
    return tg.where(np.asarray(which, bool), cases[1], cases[0])


def concatenate(params, *xs):
    return tg.concatenate(xs, axis=params["dimension"])


def slice_of(params, x):
    steps = params["strides"] or (1,) * len(x.shape)
    return tg.getitem(x, tuple([slice(*bounds) for bounds in zip(params["start_indices"], params["limit_indices"], steps)]))


def cumsum(params, x):
    if params["reverse"]:
        raise NotImplementedError("a reversed cumsum")
    return tg.cumsum(x, axis=params["axis"])


def reshape(params, x):
    return tg.reshape(x, tuple(params["new_sizes"]))


PRIMITIVES = {
    **{name: of_entries(getattr(tg, ours)) for name, ours in [*zip(*[SAME_NAME.split()] * 2), *OTHER_NAME.items()]},
    **{name: of_axes(getattr(tg, ours)) for name, ours in REDUCTIONS.items()},
    "integer_pow": lambda params, x: x ** params["y"],
    "convert_element_type": lambda params, x: x if np.dtype(params["new_dtype"]) == x.dtype else x.astype(params["new_dtype"]),
    "copy": lambda params, x: x,
    "transpose": lambda params, x: tg.transpose(x, tuple(params["permutation"])),
    "squeeze": lambda params, x: tg.squeeze(x, tuple(params["dimensions"])),
    "slice": slice_of,
    **{function.__name__: function for function in (broadcast_in_dim, dot_general, select_n, concatenate, cumsum, reshape)},
}
FUNCTIONS = {"relu": tg.relu, "silu": tg.silu}  # that JAX differentiates by a rule of its own, with its choice at the kink
