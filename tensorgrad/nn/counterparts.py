"""The one table of the names in the tutorial's library, and what they are called here. The help of tensorgrad.nn shows it.

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


def documented(docstring):
    """Return the docstring of a package with the table at its end. Python -OO leaves no docstring."""
    width = max(map(len, COUNTERPARTS))
    rows = "\n".join(f"    {theirs:{width}}  {ours}" for theirs, ours in COUNTERPARTS.items())
    return (
        docstring
        and f"{docstring}\nThe names of the tutorial's library, and what they are called here (print(model) for Module.print):\n\n{rows}\n"
    )
