"""Names that other libraries have and tensorgrad has not, and what to write here. (scalargrad/messages/foreign_names.py answers them.)"""

from scalargrad.messages.foreign_names import COMMON

# fmt: off
FROM_NUMPY = {  # functions that make arrays, and NumPy's call
    "zeros": "np.zeros((2, 3))", "ones": "np.ones((2, 3))", "empty": "np.empty((2, 3))", "full": "np.full((2, 3), 0.5)", "eye": "np.eye(3)",
    "arange": "np.arange(5)", "linspace": "np.linspace(0, 1, 5)", "logspace": "np.logspace(0, 1, 5)",
    "zeros_like": "np.zeros(x.shape)", "ones_like": "np.ones(x.shape)", "empty_like": "np.empty(x.shape)",
    "full_like": "np.full(x.shape, 0.5)",
    "rand": "rng.random((2, 3))", "randn": "rng.standard_normal((2, 3))", "normal": "rng.normal(size=(2, 3))",
    "rand_like": "rng.random(x.shape)", "randn_like": "rng.standard_normal(x.shape)", "bernoulli": "rng.random((2, 3)) < 0.5",
}
INTEGERS = {  # functions that make integers, which stay plain arrays
    "randint": "rng.integers(10, size=(2, 3))", "randperm": "rng.permutation(10)", "multinomial": "rng.choice(10, size=5)",
    "bincount": "np.bincount([1, 2, 2])", "unique": "np.unique([1, 2, 2])",
}


def made_by(call, after=""):
    """Return the advice to call NumPy."""
    return f"make the array with NumPy: {call}{'; rng = np.random.default_rng(0)' * ('rng.' in call)}{after}"


SHORTER = {"subtract": "sub", "multiply": "mul", "divide": "div", "negative": "neg", "power": "pow"}  # NumPy's name: ours
SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
NO_DERIVATIVE = "it has no derivative; give the array to NumPy's function, as in np.nonzero(t.data)"
BOTH = {  # what both answer
    "masked_select": "write t[mask]",
    "repeat_interleave": "it is called repeat, as in NumPy",
    "take_along_dim": "it is called take_along_axis, as in NumPy",
    "is_floating_point": "a Tensor always holds floats; leave it out",
}
TENSORGRAD = COMMON | BOTH | {  # what tensorgrad answers
    "tensor Variable as_tensor from_numpy array asarray Parameter Var":
        "write Tensor(data); it copies data; integers, such as labels, stay plain arrays",
    **{name: made_by(f"Tensor({call})") for name, call in FROM_NUMPY.items()},
    **{name: made_by(call, "; integers stay plain arrays") for name, call in INTEGERS.items()},
    "manual_seed seed initial_seed seed_everything":
        "write nn.seed(0) for all layers; data sets and DataLoader take seed=0; your own numbers come from rng = np.random.default_rng(0)",
    "random Generator": "random numbers are NumPy's: rng = np.random.default_rng(0); nn.seed(0) seeds the layers",
    "float16 float32 float64 double half bfloat16 float": "the types are NumPy's: Tensor(data, dtype=np.float32), or np.float64",
    "int8 int16 int32 int64 uint8 long bool LongTensor IntTensor BoolTensor ByteTensor":
        "a Tensor holds floats; integers and bools, such as labels and masks, are plain arrays: np.array([0, 1])",
    "FloatTensor DoubleTensor": "write Tensor(data, dtype=np.float32), or np.float64",
    "dtype Size": "a dtype and a shape are NumPy's: np.dtype, tuple",
    "get_default_dtype set_default_dtype set_default_tensor_type":
        "a Tensor has the dtype of its data; layers have float32, unless you write nn.Linear(2, 3, dtype=np.float64)",
    "set_printoptions": "tensors print as arrays: np.set_printoptions(precision=3)",
    "allclose isclose": "compare the arrays: np.allclose(a.data, b.data)",
    "autograd func":
        "write grad(z, x) for autograd.grad, check(z) for gradcheck, jacobian(f, x) and hessian(f, x), with detect_anomaly(): ..., "
        "and @function or @rule for a Function of your own",
    "set_detect_anomaly": "write a block: with detect_anomaly(): ...",
    "utils": "DataLoader and Dataset are in tensorgrad.data, clip_grad_norm_ in tensorgrad.optim, checkpoint in tensorgrad",
    "distributed multiprocessing": "training on several processes is in tensorgrad.parallel",
    "amp autocast backends": "there is one device, the CPU, and no mixed precision; leave it out",
    "inverse pinverse": "it is called inv, and pinv",
    "cdist": "write norm(a[:, None] - b[None], axis=-1)",
    "std_mean var_mean": "write std(x, axis) and mean(x, axis)",
    "nonzero count_nonzero histc searchsorted bucketize unique_consecutive": NO_DERIVATIVE,
    "meshgrid triu_indices tril_indices cartesian_prod combinations": "make the arrays with NumPy, as in np.meshgrid, and Tensors of them",
    "get_rng_state set_rng_state": "nn.default_generator() is the generator of layers; tensorgrad.saving saves it: save(path, rng=...)",
    "set_num_threads get_num_threads": "NumPy's matrix products take OPENBLAS_NUM_THREADS, set before the program starts",
    "is_tensor": "write isinstance(x, Tensor)",
    "Value": "numbers are scalargrad's: from scalargrad import Value",
    "Trace Graph ancestors topological_order backpropagation":
        "scalargrad's serves tensors too: from scalargrad import Trace, Graph, topological_order",
    "program": "program is scalargrad's: from scalargrad import program",
    "Module Parameter Linear Conv2d Sequential ReLU MLP Layer": "layers are in tensorgrad.nn: from tensorgrad import nn",
    "SGD Adam AdamW": "optimisers are in tensorgrad.optim: from tensorgrad import optim",
    "save load": "write save('a.safetensors', model=model, epoch=3), and load('a.safetensors', model=model), both from tensorgrad.saving",
    "functional": "the functions are here: tensorgrad.relu, tensorgrad.cross_entropy",
    "numpy": "NumPy's own functions take tensors: import numpy as np; np.sum(np.tanh(A @ B))",
    "linalg": "the functions are here, and NumPy's take tensors: tensorgrad.norm, np.linalg.norm(t)",
    "jit": "nothing is compiled; NumPy does the work array by array",
    "vmap pmap": "give the array another axis: functions of tensors broadcast and take batches",
    "defvjp defjvp custom_vjp custom_jvp custom_gradient": "give a rule its vjps with the decorator @rule",
    "ScalarFunction TensorFunction Context Operation": "give a rule its vjps with the decorator @rule",
    "Scalar Node connect": "variables are made by Tensor(data), and their nodes by the functions that take them",
    "arctan arcsin arccos arctan2 arcsinh arccosh arctanh":
        "it is called asin, acos, atan, atan2, asinh, acosh, atanh; NumPy's own, np.arctan(t), takes tensors",
    **{theirs: f"it is called {ours}; np.{theirs} takes tensors too" for theirs, ours in SHORTER.items()},
    "true_divide": "it is called div; np.divide takes tensors too",
    "absolute": "it is called abs; np.abs takes tensors too",
    "concat": "it is called concatenate, or cat",
    **{theirs: f"write a {sign} b" for theirs, sign in SIGNS.items()},
    "numel": "the number of entries is t.size",
}
TENSOR = BOTH | {  # what a Tensor answers
    # PyTorch
    "numpy": "its array is .data (read-only; .data.copy() to change it)",
    "requires_grad": "a Tensor is a variable unless made with keep_grad=False; .keep_grad says whether backward() keeps its gradient",
    "requires_grad_": "a Tensor is a variable unless made with keep_grad=False",
    "retain_grad retains_grad": "set .keep_grad = True",
    "register_hook": "append the function to .hooks",
    "is_leaf": "a leaf has .rule None",
    "grad_fn creator": "the function that made it is .rule, its inputs are .inputs",
    "clone copy": "no function changes a tensor, so none needs a copy; t + 0 is another variable, t.data.copy() an array to change",
    "contiguous is_contiguous": "every tensor is fit for view(); leave it out",
    "cpu cuda": "there is one device, the CPU; leave it out",
    "to": "there is one device, the CPU; for another kind of float write .astype(np.float32)",
    "device": "there is one device, the CPU",
    "float half": "write .astype(np.float32)",
    "double": "write .astype(np.float64)",
    "type": "write .astype(np.float32) or .astype(np.float64)",
    "type_as": "write .astype(other.dtype)",
    "long int bool byte": "a Tensor holds floats: .data.astype(int) is an array",
    "dim": "the number of axes is .ndim",
    "numel nelement": "the number of entries is .size",
    "t": "write .T",
    "is_cuda is_cpu get_device pin_memory": "there is one device, the CPU; leave it out",
    "ndimension": "the number of axes is .ndim",
    "new_zeros new_ones new_full new_empty new_tensor": "make the array with NumPy: Tensor(np.zeros(t.shape))",
    "clamp_min clamp_max": "write clamp(min=...) or clamp(max=...)",
    "nonzero count_nonzero unique histc bincount allclose isclose": NO_DERIVATIVE,
    "absolute multiply divide true_divide subtract negative": "write abs(t), a * b, a / b, a - b, -a",
    "expand_as": "write broadcast_to(other.shape), or let the operators broadcast",
    "view_as": "write .reshape(other.shape)",
    "reshape_as": "write .reshape(other.shape)",
    "eq ne lt le gt ge": "write a == b, a != b, a < b, a <= b, a > b, a >= b; the result is an array of bools",
    "add_ sub_ mul_ div_ zero_ fill_ copy_ clamp_ clip_ detach_ relu_ exp_ log_ abs_ neg_ sqrt_ pow_ square_ sigmoid_ tanh_ round_ floor_ "
    "uniform_ normal_ random_ bernoulli_ exponential_ masked_fill_ scatter_ scatter_add_ index_add_ index_put_ index_fill_ lerp_ addcmul_ "
    "addcdiv_ unsqueeze_ squeeze_ t_ transpose_ resize_ set_ share_memory_ tril_ triu_ nan_to_num_":
        "nothing is done in place here; take the result",
    # NumPy
    "fill put itemset resize": "entries of a tensor are not assigned to; write where(mask, new, t) or index_put(t, index, new)",
    "itemsize nbytes strides flags base": "it is that of the array: ask .data",
    # the tutorial, minitorch, MyGrad, micrograd, and slips
    "clear_grad cleargrad null_grad null_gradients zero_grad_":
        "write z.zero_grad(), which clears z and all its ancestors, or t.grad = None",
    "connect propagate_grad backward_fn":
        "the functions make the nodes; .inputs are its inputs, .rule is the function that made it, .node is None for a "
        "constant",
    "constant": "a constant is made with keep_grad=False; .node is None for one",
    "backwards backprop": "it is called backward()",
    "label": 'write name: Tensor(data, name="A"), A.name',
    "_prev children parents": "its inputs are .inputs",
    "_op": "the function that made it is .rule",
    "_backward _ctx history": "its rule computes the contributions, .rule; to write one use the decorator @rule",
    "value": "its array is .data",
}
# fmt: on
