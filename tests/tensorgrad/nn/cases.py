"""One case or more for every layer: its settings and the shape of its input."""

import numpy as np

from tests.tensorgrad.nn.case import LayerCase as Case

ROWS, LINES, IMAGES, VOLUMES = (4, 3), (2, 4, 6), (2, 4, 5, 5), (2, 4, 3, 4, 3)
TOKENS = np.array([[1, 0, 3], [3, 3, 2]])

LINEAR = [
    Case("Linear", 3, 2, x=ROWS),
    Case("Linear", 3, 2, bias=False, x=(2, 2, 3)),
    Case("Embedding", 4, 3, x=TOKENS),
    Case("Embedding", 4, 3, padding_idx=-1, x=TOKENS),
    Case("Flatten", x=IMAGES),
    Case("Flatten", 0, 1, x=LINES),
    Case("Unflatten", 1, (3, 2), x=(2, 6)),
    Case("Identity", 7, unused=1, x=ROWS),
]

CONVOLUTIONS = [
    Case("Conv1d", 4, 6, 3, x=LINES),
    Case("Conv1d", 4, 6, 3, padding=2, padding_mode="circular", x=LINES),
    Case("Conv2d", 4, 6, 3, stride=2, padding=1, x=IMAGES),
    Case("Conv2d", 4, 6, (2, 3), padding="same", padding_mode="reflect", groups=2, x=IMAGES),
    Case("Conv2d", 4, 4, 3, padding=(1, 2), padding_mode="replicate", dilation=(1, 2), bias=False, x=IMAGES),
    Case("Conv2d", 4, 2, 1, x=(4, 3, 3)),
    Case("Conv3d", 4, 2, 2, x=VOLUMES),
    Case("ConvTranspose1d", 4, 6, 3, stride=2, output_padding=1, x=LINES),
    Case("ConvTranspose2d", 4, 6, 3, stride=2, padding=1, groups=2, x=IMAGES, call={"output_size": (10, 9)}),
    Case("ConvTranspose2d", 4, 2, 2, dilation=2, bias=False, x=IMAGES),
    Case("ConvTranspose3d", 4, 2, 2, x=VOLUMES),
]

NORMALISATIONS = [
    *[Case(f"BatchNorm{d}d", 4, x=x) for d, x in ((1, LINES), (1, (5, 4)), (2, IMAGES), (3, VOLUMES))],
    Case("BatchNorm2d", 4, x=IMAGES, evaluated=True),
    Case("BatchNorm2d", 4, eps=0.1, momentum=None, affine=False, x=IMAGES),
    Case("BatchNorm2d", 4, track_running_stats=False, x=IMAGES, evaluated=True),
    *[Case(f"InstanceNorm{d}d", 4, x=x) for d, x in ((1, LINES), (2, IMAGES), (3, VOLUMES), (2, (4, 3, 3)))],
    Case("InstanceNorm1d", 4, affine=True, track_running_stats=True, x=LINES),
    Case("InstanceNorm1d", 4, affine=True, track_running_stats=True, x=LINES, evaluated=True),
    Case("LayerNorm", 6, x=LINES),
    Case("LayerNorm", (4, 6), eps=0.1, bias=False, x=LINES),
    Case("LayerNorm", 6, elementwise_affine=False, x=LINES),
    Case("RMSNorm", 6, x=LINES),
    Case("RMSNorm", (4, 6), eps=0.1, elementwise_affine=False, x=LINES),
    Case("GroupNorm", 2, 4, x=IMAGES),
    Case("GroupNorm", 1, 4, affine=False, x=LINES),
]

POOLINGS = [
    *[Case(f"MaxPool{d}d", 2, x=x) for d, x in ((1, LINES), (2, IMAGES), (3, VOLUMES))],
    Case("MaxPool2d", (2, 3), stride=1, padding=1, dilation=(1, 2), ceil_mode=True, x=IMAGES),
    *[Case(f"AvgPool{d}d", 2, x=x) for d, x in ((1, LINES), (2, IMAGES), (3, VOLUMES))],
    Case("AvgPool1d", 3, stride=2, padding=1, ceil_mode=True, count_include_pad=False, x=LINES),
    Case("AvgPool2d", 3, stride=2, padding=1, divisor_override=5, x=IMAGES),
    *[Case(f"LPPool{d}d", 2, 2, x=x) for d, x in ((1, LINES), (2, IMAGES), (3, VOLUMES))],
    *[Case(f"Adaptive{kind}Pool{d}d", 2, x=x) for kind in ("Avg", "Max") for d, x in ((1, LINES), (2, IMAGES), (3, VOLUMES))],
    Case("AdaptiveAvgPool2d", (None, 1), x=IMAGES),
]

RANDOM = [
    Case("Dropout", 0.3, x=LINES, evaluated=True),
    Case("Dropout", 0.0, x=LINES),
]

ACTIVATIONS = [
    *[Case(name, x=LINES) for name in ("ReLU", "GELU", "Sigmoid", "Tanh")],
    Case("ReLU", inplace=True, x=ROWS, theirs={}),
    Case("GELU", approximate="tanh", x=LINES),
]

CASES = [*LINEAR, *CONVOLUTIONS, *NORMALISATIONS, *POOLINGS, *RANDOM, *ACTIVATIONS]
