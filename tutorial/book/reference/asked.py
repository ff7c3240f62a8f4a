"""How learners and other books say the words of this book. The search takes the ones for the others, and the glossary names them."""

# fmt: off
ALSO = {  # a word of the glossary: other words for it
    "accumulate":           "gradient accumulation, gradients add up",
    "activation":           "activation function, nonlinearity, non-linearity",
    "attention":            "self-attention, multi-head attention",
    "backward pass":        "reverse pass, reverse mode",
    "batch":                "mini-batch, minibatch",
    "batch normalisation":  "batch norm, batchnorm",
    "broadcasting":         "implicit repetition",
    "causal mask":          "look-ahead mask, autoregressive mask",
    "checkpoint":           "gradient checkpointing, activation checkpointing, rematerialisation",
    "convolution":          "cnn, convnet, convolutional network, convolutional layer",
    "data parallel":        "distributed training, multi-gpu, multiple gpus, several gpus, ddp",
    "dead unit":            "dying relu, dead relu, dead neuron",
    "dense layer":          "fully connected layer, linear layer",
    "embedding":            "word vector, lookup table",
    "engine":               "autograd, autodiff, automatic differentiation, algorithmic differentiation",
    "exploding gradient":   "gradients explode, gradient explosion",
    "finite differences":   "numerical derivative, numerical gradient, numerical differentiation, central difference",
    "forward mode":         "tangent mode, forward-mode differentiation",
    "gradient checking":    "gradcheck, gradient check, verify gradients",
    "gradient descent":     "steepest descent, sgd",
    "graph":                "computational graph, dag, directed acyclic graph",
    "initialisation":       "weight init, xavier, kaiming, he init",
    "jvp":                  "pushforward, directional derivative, jacobian times vector",
    "kernel":               "convolution filter",
    "kink":                 "not differentiable, non-differentiable, subgradient, derivative at 0, gradient at 0, at zero",
    "language model":       "gpt, llm, chatbot",
    "layer normalisation":  "layer norm, layernorm",
    "learning rate":        "step size, stepsize, lr",
    "local minimum":        "local minima, local optimum, global minimum",
    "log-sum-exp":          "logsumexp, stable softmax",
    "loss":                 "cost function, objective function, error function, loss function",
    "module":               "nn.module",
    "optimiser":            "optimizer",
    "overfitting":          "overfit, learning by heart, memorising",
    "parameter":            "trainable weight, learnable weight",
    "release":              "free the graph, backward twice, retain graph, second backward",
    "residual block":       "skip connection, shortcut connection, identity connection, residual connection",
    "saved tensors":        "saved arrays, cached activations",
    "slope":                "steepness, tangent line, rate of change",
    "tape":                 "gradient tape, wengert list",
    "topological order":    "topological sort, toposort",
    "underflow":            "rounds to zero",
    "vanishing gradient":   "gradients vanish, gradient becomes too small, gradient disappears",
    "vjp":                  "vector times jacobian",
    "weight decay":         "l2 regularisation, regularisation, ridge penalty",
}
ASKED = {  # words that the book has for a question: how it is asked
    "zero grad add grad":          "reset gradients, clear gradients, zero gradients, zeroing gradients, zero grad",
    "slope layer vanish deep":     "first layer does not learn, deep network does not train",
    "own model loss learn":        "loss does not go down, loss not decreasing, loss stuck, "
                                   "does not learn, not training, does not converge, plateau",
    "rate jumps arm descent":      "loss goes up, diverges, learning rate too high, learning rate too large, overshoot",
    "rate warm cosine optimiser":  "learning rate schedule, learning rate decay, lr scheduler, warmup, annealing",
    "train network loss step":     "train a neural network, training loop, train a model, train a net, fit a model, how to train",
    "share array museum":          "in-place operation, inplace, in place, modify in place, aliasing",
    "memory saved arrays":         "out of memory, oom, memory usage, memory leak, runs out of memory",
    "nan numerics":                "not a number, infinity, inf, division by zero, invalid value, loss becomes nan, nan loss, loss nan",
    "digits cancel float":         "rounding error, floating point, float precision, precision loss, float32",
    "too large float overflow":    "numerical stability, numerically stable, overflow",
    "recursion trunk dictionary":  "recursion error, recursionerror, recursion limit, stack overflow, recursion depth",
    "product matrices bulk":       "matrix multiplication derivative, derivative of matmul, "
                                   "matrix derivative, matrix calculus, gradient of a matrix product",
    "numbers bulk array tensor":   "what is a tensor, value and tensor, vectorise, vectorize, vectorisation",
    "leaf constant keep grad":     "requires grad, requires_grad, freeze weights, freeze layers, stop gradient, detach, no_grad",
    "wrong derivative check":      "wrong gradient, gradient is wrong, debug gradient, bug in backward",
    "network moons classifier":    "classification, classify, decision boundary, perceptron",
    "Newton's step bowl":          "newton's method, second order method, curvature, quadratic approximation",
    "Hessian times a vector":      "hessian vector product, hessian-vector product, hvp",
    "valley momentum":             "slow convergence, converges slowly, ill-conditioned, narrow valley, training is slow, zigzag",
    "sums backward functions":     "gradient of a sum, derivative of a sum",
    "order sum bits machines":     "deterministic, reproducible, same result every time, different results each run",
    "saving":                      "save a model, save model, load model, save weights, load weights, resume training",
    "softmax backward function":   "softmax gradient, softmax derivative, derivative of softmax",
    "shapes broadcasting repeat":  "shape mismatch, shapes do not match, wrong shape, dimension mismatch",
    "graph closure Value":         "build micrograd, micrograd",
    "inductive chain rule paths":  "multivariable chain rule, multiple paths, several paths, sum over paths, total derivative",
    "backpropagation dictionary":  "backprop, back propagation, how does backpropagation work",
    "engine forty lines":          "how does autograd work, how autograd works, "
                                   "autograd from scratch, autodiff from scratch, write an engine",
    "how fast thread":             "gpu, cuda, speed, benchmark, performance",
    "entries at an index":         "add.at, repeated index, repeated indices, fancy indexing",
    "training evaluation batch norm": "changes with batch, train mode, eval mode, batch size 1",
    "other engines":               "tensorflow, keras, tinygrad",
    "silu":                        "swish",
    "nll loss cross entropy":      "negative log likelihood, log loss, nll",
    "torch":                       "pytorch",
}
# fmt: on


def said():
    """Return {how it is said: words of the book}.

    >>> said()["step size"], said()["gradients vanish"]
    ('learning rate', 'vanishing gradient')
    """
    return {theirs.strip(): ours for table in (ALSO, ASKED) for ours, others in table.items() for theirs in others.split(",")}
