"""Advice for names of other libraries that do not exist here: PyTorch, micrograd, autograd, MyGrad, JAX, the tutorial.

A package or a class may have a table, {names: what to write}. Reading one of the names raises AttributeError with the advice, and
importing one raises ImportError, also as a module: import tensorgrad.nn.functional. Reading any other name takes no longer than
without a table.
"""

import sys
from opcode import opmap
from types import ModuleType


class Elsewhere:
    """An attribute that classes of other libraries have. Reading it raises AttributeError, which says what to write here.

    A __getattr__ of the class could do the same, but it would make every attribute of every variable slower to read.
    A subclass with a __dict__ may use the name for an attribute of its own.
    """

    def __init__(self, name, advice):
        self.name, self.advice = name, advice
        self.__doc__ = f"Not here: {advice}."

    def __get__(self, x, kind=None):
        own = getattr(x, "__dict__", {})
        if self.name in own:
            return own[self.name]
        raise AttributeError(f"{(kind or type(x)).__name__} has no {self.name}: {self.advice}", name=self.name)

    def __set__(self, x, value):
        if not hasattr(x, "__dict__"):
            self.__get__(x)
        x.__dict__[self.name] = value


def answer(kind, table):
    """Give a class the names of a table. dir() of an object does not list them."""
    table = by_name(table)
    for name, advice in table.items():
        if not hasattr(kind, name):
            setattr(kind, name, Elsewhere(name, advice))
    kind.__dir__ = lambda self: sorted(set(object.__dir__(self)) - table.keys() | getattr(self, "__dict__", {}).keys())


def answering(package, table):
    """Return the __getattr__ (PEP 562) of a package that gives the advice of a table."""
    table = advice_of[package] = by_name(table)
    for name in table:  # one of our modules may have such a name, but package.name does not mean the module
        if isinstance(vars(sys.modules[package]).get(name), ModuleType):
            delattr(sys.modules[package], name)

    def __getattr__(name):
        if name not in table:
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name, obj=sys.modules[package])
        message = f"{package} has no {name}: {table[name]}"
        imported = imports(sys._getframe(1), hasattr(sys.modules[package], "__path__"))
        raise ImportError(message, name=package) if imported else AttributeError(message, name=name)

    return __getattr__


class Unknown:
    """A finder of modules that Python asks last: for a module that is not here, it raises ModuleNotFoundError with the advice."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        package, _, last = name.rpartition(".")
        if last in advice_of.get(package, ()):
            raise ModuleNotFoundError(f"{package} has no {last}: {advice_of[package][last]}", name=name)


advice_of: dict[str, dict[str, str]] = {}  # package: its table
sys.meta_path.append(Unknown)


def imports(frame, package):
    """Return whether a frame runs `from module import name`, which would hide the message of an AttributeError.

    For a package, Python's import system reads the name. For a module, the user's line reads it.
    """
    code = frame.f_code
    return code.co_name == "_handle_fromlist" if package else code.co_code[frame.f_lasti] == opmap["IMPORT_FROM"]


def by_name(table):
    """Return the table with one name in each key, from a table with several names in each key."""
    return {name: advice for names, advice in table.items() for name in names.split()}


# fmt: off
COMMON = {  # advice of both packages
    # PyTorch, and what others have like it
    "set_grad_enabled enable_grad is_grad_enabled inference_mode using_config no_autodiff":
        "everything is recorded, except in a block: with no_grad()",
    "manual_seed seed random":
        "all random numbers come from Python and NumPy; seed those: random.seed(0), np.random.default_rng(0)",
    "autograd func": "the functions that return derivatives are grad, jacobian, hessian, vjp, jvp, hvp",
    "device cuda mps": "there is one device, the CPU; leave it out",
    "save load": "variables can be pickled: pickle.dump(x, file)",
    "Function": "the decorator @function makes a Python function one function of the graph",
    # autograd of HIPS, MyGrad
    "elementwise_grad egrad": "write grad(f(x).sum(), x) for tensors, and grad(z, x) for numbers",
    "primitive extend": "the decorator @function makes a Python function one function of the graph",
    "make_vjp": "vjp(f, point, upstream) is dz/dx for each x of the point",
    "make_jvp": "jvp(f, point, direction) says how f changes along the direction",
    "make_hvp hessian_vector_product": "hvp(f, point, direction)",
    "holomorphic_grad complex64 complex128": "complex numbers are not supported; keep their real and imaginary parts as two variables",
    "null_gradients": "z.zero_grad() clears the gradients of z and of all its ancestors",
    # JAX
    "compile pmap": "nothing is compiled; leave it out",
    "jacfwd jacrev": "write jacobian(f, *point)",
    "stop_gradient": "write x.detach()",
    "tree_util tree_map": "keep variables in lists, tuples and dictionaries, and write a comprehension",
    "make_jaxpr": "viz.draw(z) draws the graph, and viz.play(z) steps through it",
    # Training
    "zero_grad": "it is a method: z.zero_grad() clears z and all its ancestors, model.zero_grad() the parameters",
    "check_grads gradcheck check_grad derivative_check central_difference grad_check test_util gradgradcheck check_derivative":
        "check(z) compares every derivative in the graph of z with finite differences",
    # minitorch, DeZero, the tutorial
    "topological_sort toposort toposort_nodes build_topo": "scalargrad.topological_order(z)",
}
FUNCTIONS = {  # advice of scalargrad and of a Value
    "arcsin arccos arctan arctan2 arcsinh arccosh arctanh":
        "it is called as in Python's math: asin, acos, atan, atan2, asinh, acosh, atanh",
    "ln": "it is called log",
    "power": "it is called pow",
    "absolute": "it is called abs",
}
SHORTER = {"subtract": "sub", "multiply": "mul", "divide true_divide": "div", "negative": "neg"}  # NumPy's name: ours
SCALARGRAD = COMMON | FUNCTIONS | {  # advice of scalargrad
    "Variable Scalar Var Node Number Parameter": "write Value(3.0)",
    "Tensor tensor as_tensor from_numpy array": "it is for numbers; write Value(3.0), or import Tensor from tensorgrad for arrays",
    "Linear Neuron Layer MLP Module SGD": "the layers and SGD are in scalargrad.nn: from scalargrad.nn import MLP, SGD",
    "optim Adam AdamW": "the optimiser here is scalargrad.nn.SGD(parameters, lr)",
    "ScalarFunction ScalarHistory Context": "the decorator @function makes a Python function one function of the graph",
    "jit": "nothing is compiled; program(f) writes f and its derivatives as one plain Python function",
    "vmap": "program(f) writes f and its derivatives as one Python function, which takes arrays too",
    "defvjp defjvp custom_vjp custom_jvp custom_gradient": "give the partials with @function(partials=...)",
    "backpropagate": "write z.backward(), or backpropagation(z) for the dictionary of total derivatives",
    **{name: f"it is called {ours}" for name, ours in SHORTER.items()},
    "gelu_tanh": 'write gelu(x, approximate="tanh")',
    "min": "write minimum(a, b), or Python's min(a, b)",
    "mean": "write sum(xs) / len(xs)",
    "softmax": "write exp(x - logsumexp(*xs)) for each x of xs, or use tensorgrad.softmax for tensors",
    "matmul linear stack cat concatenate mse_loss cross_entropy numpy": "it is for numbers; use tensorgrad for arrays",
}
VALUE = FUNCTIONS | {  # advice of a Value
    # micrograd and its lecture
    "label": 'write name: Value(2.0, name="x"), x.name',
    "_prev": "its inputs are .inputs",
    "_op": "the function that made it is .rule, and its name is .rule.name; the rule of a leaf is None",
    "_backward":
        ".partials has the partial in each of its .inputs, and z.backward() uses them; to give your own partials "
        "write @function(partials=...)",
    "children parents _parents _children prev": "its inputs are .inputs; Graph(z).children lists the variables that were computed from it",
    "value val v": "its number is .data",
    "op": "the function that made it is .rule",
    # PyTorch
    "item numpy tolist": "its number is .data",
    "requires_grad requires_grad_ constant": "a leaf is a variable unless made with keep_grad=False; set .keep_grad to freeze or thaw it",
    "grad_fn creator": "the function that made it is .rule, its inputs are .inputs",
    "is_leaf": "a leaf has .inputs ()",
    "retain_grad": "backward() fills .grad of every variable",
    "register_hook": "there are no hooks for numbers; Trace(z).steps shows every contribution, and a Tensor has .hooks",
    "clone copy": "no function changes a Value, so you need no copy; x + 0 makes another variable",
    "cpu cuda to device": "there is one device, the CPU; leave it out",
    "float double": "its number is .data; make another with Value(float(x.data))",
    "detach_ add_ sub_ mul_ zero_": "nothing is done in place here; take the result, or assign to .data",
    "mean": "a Value is one number; write sum(xs) / len(xs)",
    "softmax": "a Value is one number; write exp(x - logsumexp(*xs)) for each x of xs",
    # the tutorial, minitorch, DeZero, MyGrad, and slips
    "clear_grad cleargrad null_grad zero_grad_": "write z.zero_grad(), which clears z and all its ancestors, or x.grad = 0",
    "derivative gradient deriv adjoint": "its derivative dz/dx is .grad, after z.backward()",
    "backwards backprop": "it is called backward()",
    "propagate_grad connect history": "a Value is its own node; its inputs are .inputs",
    "gelu_tanh": 'write x.gelu(approximate="tanh")',
}
LAYERS = {  # advice of scalargrad.nn
    "Linear Dense": "a layer without relu is Layer(nin, nout, nonlin=False)",
    "ReLU Tanh Sigmoid":
        "a layer has its relu unless nonlin=False; other functions are methods of its outputs: [y.tanh() for y in layer(x)]",
    "Sequential": "write MLP(nin, [nout1, nout2]) for layers one after the other",
    "Adam AdamW RMSprop optim": "the optimiser here is SGD(parameters, lr, momentum, weight_decay)",
    "Parameter": "a parameter is a Value; parameters() of a Module lists them",
    "MSELoss CrossEntropyLoss BCELoss": "write the loss with Values: sum((y - t) ** 2 for y, t in zip(ys, ts))",
    "Conv2d BatchNorm2d LayerNorm Dropout Embedding":
        "it is for numbers; tensorgrad has the functions conv2d, batch_norm, layer_norm, dropout, embedding",
}
MODULE = {  # advice of a Module
    "forward predict": "call it: model(x)",
    "backward": "call it for the loss: loss.backward()",
    "step update": "write SGD(model.parameters(), lr=0.1).step()",
    "fit": "write a loop: model.zero_grad(), loss.backward(), sgd.step()",
    "train eval": "a layer does the same in training and afterwards; leave it out",
    "params weights trainable_variables named_parameters": "write model.parameters()",
    "state_dict": "write [p.data for p in model.parameters()], or pickle the model",
    "load_state_dict": "assign p.data for each p of model.parameters()",
    "to cuda cpu": "there is one device, the CPU; leave it out",
    "requires_grad_": "a parameter is a variable; one made with keep_grad=False is a constant",
}
# fmt: on
