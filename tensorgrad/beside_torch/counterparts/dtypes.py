"""PyTorch's dtypes of floats, and ours for each: half precision is computed in float32."""

import numpy as np
import torch

KINDS = {torch.float64: np.float64, torch.float32: np.float32, torch.float16: np.float32, torch.bfloat16: np.float32}
