"""Names of the tutorial's library and what they are called here, which the help of tensorgrad.nn shows; advice for other names.

The tutorial builds a library up to a ResNet-50. Everything that it names has a counterpart, which a test looks up.
"""

COUNTERPARTS = {  # the tutorial's name: ours, in tensorgrad
    "Module": "nn.Module",
    "Module.print": "nn.Module.__repr__",
    "Module.disable_grad": "nn.Module.freeze",
    "Module.enable_grad": "nn.Module.thaw",
    "Parameter": "nn.Parameter",
    "Linear": "nn.Linear",
    "Convolution": "nn.Conv2d",
    "MaxPool": "nn.MaxPool2d",
    "Flatten": "nn.Flatten",
    "ReLU": "nn.ReLU",
    "Sigmoid": "nn.Sigmoid",
    "Tanh": "nn.Tanh",
    "SGD": "optim.SGD",
    "LRScheduler": "optim.LRScheduler",
    "BatchLoader": "data.DataLoader",
    "ComposeTransforms": "data.Compose",
    "RandomCrop": "data.RandomCrop",
    "RandomHorizontalFlip": "data.RandomHorizontalFlip",
    "Normalize": "data.Normalize",
    "ToFloat": "data.ToFloat",
    "train_val_split": "data.train_val_split",
    "accuracy": "data.accuracy",
}
# fmt: off
LAYERS = {  # what tensorgrad.nn answers
    **{theirs: f"it is called {ours} here" for theirs, ours in COUNTERPARTS.items() if ours != f"nn.{theirs}" and "." not in theirs},
    "functional F": "the functions are tensorgrad's: tensorgrad.relu(x), tensorgrad.cross_entropy(x, target)",
    "Dense FullyConnected Affine": "it is called Linear",
    "Conv Convolution2d Conv2D": "it is called Conv2d",
    "MaxPooling2D MaxPool2D": "it is called MaxPool2d",
    "BatchNorm BatchNormalization": "write BatchNorm1d, BatchNorm2d or BatchNorm3d for the number of axes",
    "SyncBatchNorm DataParallel": "training on several processes is in tensorgrad.parallel",
    "MultiHeadAttention": "it is called MultiheadAttention, as in PyTorch",
    "PackedSequence pack_padded_sequence pad_packed_sequence pack_sequence":
        "pad the sequences, and leave out the outputs beyond the length of each",
    "Transformer TransformerDecoder TransformerDecoderLayer":
        "there is TransformerEncoder, and the causal mask of L steps is np.triu(np.ones((L, L), bool), 1); build a decoder from "
        "MultiheadAttention, LayerNorm and Linear",
    "Softmax2d": "write Softmax(dim=-3)",
    "Swish": "it is called SiLU",
    "LazyLinear LazyConv2d LazyBatchNorm2d": "give the sizes; there are no layers that find them later",
    "EmbeddingBag": "write Embedding(...)(index).mean(-2)",
    "utils": "clip_grad_norm_ and clip_grad_value_ are in tensorgrad.optim; there are no packed sequences: pad them",
    "manual_seed": "write nn.seed(0)",
    "BCE MSE L1": "write BCELoss, MSELoss or L1Loss",
    "CrossEntropy": "it is called CrossEntropyLoss",
    "Value Neuron Layer MLP":
        "networks of numbers are scalargrad's: from scalargrad.nn import MLP; models of tensors are in tensorgrad.models",
}
MODULE = {  # what a module answers
    "print summary": "write print(model)",
    "enable_grad": "write thaw()",
    "disable_grad": "write freeze()",
    "requires_grad_ requires_grad trainable": "write freeze() or thaw(); for one parameter, parameter.keep_grad = False",
    "backward": "call it for the loss: loss.backward()",
    "step update": "an optimiser does it: from tensorgrad import optim; optim.SGD(model.parameters(), lr=0.1).step()",
    "fit": "write a loop: optimiser.zero_grad(), loss.backward(), optimiser.step()",
    "predict": "call it: model(x)",
    "to cuda cpu": "there is one device, the CPU; for another kind of floats write astype(np.float64)",
    "half float bfloat16": "write astype(np.float32)",
    "double": "write astype(np.float64)",
    "type": "write astype(np.float32) or astype(np.float64)",
    "register_forward_pre_hook": "write a module that changes the input and calls this one; register_forward_hook sees the output",
    "register_backward_hook register_full_backward_hook": "append a function to the .hooks of the tensor whose gradient it should see",
    "register_module": "it is called add_module",
    "params weights trainable_variables trainable_weights variables": "write parameters()",
    "num_parameters count_params": "write sum(p.size for p in model.parameters())",
    "get_parameter get_buffer": "write dict(model.named_parameters())[name]",
    "save load save_weights load_weights": "write tensorgrad.saving's save(path, model=model) and load(path, model=model)",
    "clone copy": "write copy.deepcopy(model)",
    "compile": "nothing is compiled; leave it out",
    "share_memory": "leave it out",
}
# fmt: on


def documented(docstring):
    """Return the docstring of a package with the table at its end. Python -OO leaves no docstring."""
    width = max(map(len, COUNTERPARTS))
    rows = "\n".join(f"    {theirs:{width}}  {ours}" for theirs, ours in COUNTERPARTS.items())
    return (
        docstring
        and f"{docstring}\nThe names of the tutorial's library, and what they are called here (print(model) for Module.print):\n\n{rows}\n"
    )
