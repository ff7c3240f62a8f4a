"""Load files of weights with the names of torchvision, nanoGPT and GPT-2, which Hugging Face publishes.

The tests load files that PyTorch and safetensors write, with the names and shapes of the published ones. No published file was tried.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tensorgrad import nn
from tensorgrad.saving import read
from tensorgrad.saving.checkpoint_file import FORMAT

WRAPPERS = ("_orig_mod.", "module.")  # in front of every name, after torch.compile and after data parallel training
MASKS = (".attn.bias", ".attn.masked_bias")  # the causal mask, which GPT-2's files hold as an array
OF_CONV1D = ("attn.c_attn.weight", "attn.c_proj.weight", "mlp.c_fc.weight", "mlp.c_proj.weight")  # GPT-2 has them transposed


def load_weights(model: nn.Module, path: str | Path, keep: Sequence[str] = ()) -> None:
    """Copy the weights of a .safetensors or .npz file into a model. Its numbers are converted to the dtype of the model.

    These files fit: the state_dict of torchvision's ResNets and of nanoGPT, saved with safetensors or NumPy, and GPT-2 of Hugging
    Face. Its transposed weights, the missing prefix and the stored masks are recognised. Files of float16 and bfloat16 fit, too.
    `keep` names modules that keep their own weights, such as a last layer for other classes.

    Raises ValueError, and loads nothing, if the file is damaged, or if entries are missing, unexpected or of another shape; the
    message lists all of them.

    >>> import tempfile
    >>> from tensorgrad.models import MLP
    >>> from tensorgrad.saving import write
    >>> path, trained = Path(tempfile.mkdtemp()) / "mlp.safetensors", MLP((2, 3))
    >>> write(path, trained.state_dict())
    >>> net = MLP((2, 3)); load_weights(net, path); bool((net.layer1.weight.data == trained.layer1.weight.data).all())
    True
    """
    try:
        arrays, metadata = read(path)
    except FileNotFoundError:
        advice = "no weights are downloaded; in PyTorch write safetensors.torch.save_file(model.state_dict(), 'a.safetensors')"
        raise FileNotFoundError(f"load_weights: {path} does not exist; {advice}") from None
    if metadata.get("format") == FORMAT:
        raise ValueError(f"load_weights: {path} is a checkpoint file; write tensorgrad.saving.load(path, model=model)")
    found = renamed(arrays)
    kept = tuple(f"{name}." for name in ([keep] if isinstance(keep, str) else keep))
    own = {name: array for name, array in model.state_dict().items() if name.startswith(kept)}
    model.load_state_dict({name: array for name, array in found.items() if not name.startswith(kept)} | own)


def renamed(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the arrays of a file under the names of our models, in their shapes.

    >>> {name: a.shape for name, a in renamed({"wte.weight": np.zeros((9, 2)), "h.0.attn.c_attn.weight": np.zeros((2, 6))}).items()}
    {'transformer.wte.weight': (9, 2), 'transformer.h.0.attn.c_attn.weight': (6, 2)}
    """
    for prefix in WRAPPERS:
        if arrays and all(name.startswith(prefix) for name in arrays):
            arrays = {name.removeprefix(prefix): array for name, array in arrays.items()}
    if not any(name.endswith("wte.weight") for name in arrays):
        return arrays
    arrays = {name: array for name, array in arrays.items() if not name.endswith(MASKS)}
    if "wte.weight" in arrays:
        arrays = {name if name.startswith("lm_head.") else f"transformer.{name}": array for name, array in arrays.items()}
    transposed = any(name.endswith("attn.c_attn.weight") and a.shape[0] < a.shape[1] for name, a in arrays.items())
    return {name: array.T if transposed and name.endswith(OF_CONV1D) else array for name, array in arrays.items()}
