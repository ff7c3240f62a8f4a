"""PyTorch's models, with which ours are compared, are read only where PyTorch is installed."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("torch") else ["torch_gpt.py", "torch_resnet.py", "torchvision_resnet.py"]
