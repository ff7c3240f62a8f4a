"""One case or more for every layer: its settings and the shape of its input."""

import numpy as np

from tests.tensorgrad.nn.case import LayerCase as Case
from tests.tensorgrad.nn.case import Part, Within

ROWS, LINES, IMAGES, VOLUMES = (4, 3), (2, 4, 6), (2, 4, 5, 5), (2, 4, 3, 4, 3)
BY_AXES = (1, LINES), (2, IMAGES), (3, VOLUMES)
TOKENS = np.array([[1, 0, 3], [3, 3, 2]])

LINEAR = [
    Case("Linear", 3, 2, x=ROWS),
    Case("Linear", 3, 2, bias=False, x=(2, 2, 3)),
    Case("Embedding", 4, 3, x=TOKENS),
    Case("Embedding", 4, 3, padding_idx=-1, x=TOKENS),
    Case("Bilinear", 3, 2, 4, x=[ROWS, (4, 2)]),
    Case("Bilinear", 3, 2, 4, bias=False, x=[ROWS, (4, 2)]),
    Case("Flatten", x=IMAGES),
    Case("Flatten", 0, 1, x=LINES),
    Case("Unflatten", 1, (3, 2), x=(2, 6)),
    Case("Identity", 7, unused=1, x=ROWS),
]

CONVOLUTIONS = [
    Case("Conv1d", 4, 6, 3, x=LINES),
    Case("Conv1d", 4, 6, 3, padding=2, padding_mode="circular", x=LINES),
    Case("Conv1d", 4, 6, 2, stride=2, padding=3, padding_mode="replicate", dilation=2, groups=2, bias=False, x=LINES),
    Case("Conv2d", 4, 6, 3, stride=2, padding=1, x=IMAGES),
    Case("Conv2d", 4, 6, (2, 3), padding="same", padding_mode="reflect", groups=2, x=IMAGES),
    Case("Conv2d", 4, 4, 3, padding=(1, 2), padding_mode="replicate", dilation=(1, 2), bias=False, x=IMAGES),
    Case("Conv2d", 4, 2, 1, x=(4, 3, 3)),
    Case("Conv3d", 4, 2, 2, x=VOLUMES),
    Case("Conv3d", 4, 2, 2, (1, 2, 1), (1, 2, 1), (2, 1, 1), 2, bias=False, padding_mode="circular", x=VOLUMES),
    Case("ConvTranspose1d", 4, 6, 3, stride=2, output_padding=1, x=LINES),
    Case("ConvTranspose1d", 4, 6, 3, stride=2, padding=1, groups=2, bias=False, dilation=2, x=LINES, call={"output_size": (14,)}),
    Case("ConvTranspose2d", 4, 6, 3, stride=2, padding=1, groups=2, x=IMAGES, call={"output_size": (10, 9)}),
    Case("ConvTranspose2d", 4, 2, 2, dilation=2, bias=False, x=IMAGES),
    Case("ConvTranspose2d", 4, 2, 3, stride=2, output_padding=(1, 0), x=IMAGES),
    Case("ConvTranspose3d", 4, 2, 2, x=VOLUMES),
    Case("ConvTranspose3d", 4, 2, 2, 2, 1, (1, 0, 1), 2, False, (2, 1, 1), x=VOLUMES),
    Case("ConvTranspose3d", 4, 2, 2, stride=2, x=VOLUMES, call={"output_size": (7, 9, 6)}),
]

PADDINGS = [
    *[Case(f"{kind}Pad{d}d", 2, x=x) for kind in ("Zero", "Reflection", "Replication", "Circular") for d, x in BY_AXES],
    *[Case(f"ConstantPad{d}d", 1, 0.3, x=x) for d, x in BY_AXES],
    Case("ZeroPad1d", (-1, 2), x=LINES),
    *[Case(f"{kind}Pad2d", (1, 2, 0, 3), x=IMAGES) for kind in ("Reflection", "Replication", "Circular")],
    Case("ConstantPad3d", (0, -1, 2, 1, 0, 1), -1.5, x=(4, 3, 4, 3)),
]

NORMALISATIONS = [
    *[Case(f"BatchNorm{d}d", 4, x=x) for d, x in ((1, LINES), (1, (5, 4)), (2, IMAGES), (3, VOLUMES))],
    Case("BatchNorm2d", 4, x=IMAGES, evaluated=True),
    Case("BatchNorm2d", 4, eps=0.1, momentum=None, affine=False, x=IMAGES),
    Case("BatchNorm2d", 4, track_running_stats=False, x=IMAGES, evaluated=True),
    *[Case(f"BatchNorm{d}d", 4, eps=0.1, momentum=0.3, affine=False, x=x) for d, x in ((1, LINES), (3, VOLUMES))],
    *[Case(f"BatchNorm{d}d", 4, track_running_stats=False, x=x, evaluated=True) for d, x in ((1, LINES), (3, VOLUMES))],
    *[Case(f"InstanceNorm{d}d", 4, x=x) for d, x in ((1, LINES), (2, IMAGES), (3, VOLUMES), (2, (4, 3, 3)))],
    Case("InstanceNorm1d", 4, affine=True, track_running_stats=True, x=LINES),
    Case("InstanceNorm1d", 4, affine=True, track_running_stats=True, x=LINES, evaluated=True),
    *[Case(f"InstanceNorm{d}d", 4, eps=0.1, momentum=0.3, affine=True, track_running_stats=True, x=x) for d, x in BY_AXES],
    *[Case(f"BatchNorm{d}d", 4, bias=False, x=x) for d, x in ((1, LINES), (2, IMAGES), (3, VOLUMES))],
    *[Case(f"InstanceNorm{d}d", 4, affine=True, bias=False, x=x) for d, x in ((1, LINES), (2, IMAGES), (3, VOLUMES))],
    Case("GroupNorm", 2, 4, bias=False, x=IMAGES),
    Case("LayerNorm", 6, x=LINES),
    Case("LayerNorm", (4, 6), eps=0.1, bias=False, x=LINES),
    Case("LayerNorm", 6, elementwise_affine=False, x=LINES),
    Case("RMSNorm", 6, x=LINES),
    Case("RMSNorm", (4, 6), eps=0.1, elementwise_affine=False, x=LINES),
    Case("GroupNorm", 2, 4, x=IMAGES),
    Case("GroupNorm", 1, 4, affine=False, x=LINES),
    Case("GroupNorm", 2, 4, eps=0.1, x=LINES),
]

POOLINGS = [
    *[Case(f"MaxPool{d}d", 2, x=x) for d, x in ((1, LINES), (2, IMAGES), (3, VOLUMES))],
    Case("MaxPool2d", (2, 3), stride=1, padding=1, dilation=(1, 2), ceil_mode=True, x=IMAGES),
    Case("MaxPool1d", 3, stride=2, padding=1, dilation=2, ceil_mode=True, return_indices=True, x=LINES),
    Case("MaxPool2d", 2, ceil_mode=True, return_indices=True, x=IMAGES),
    Case("MaxPool3d", 2, (2, 1, 2), (0, 1, 1), (1, 2, 1), return_indices=True, ceil_mode=True, x=VOLUMES),
    *[Case(f"AvgPool{d}d", 2, x=x) for d, x in ((1, LINES), (2, IMAGES), (3, VOLUMES))],
    Case("AvgPool1d", 3, stride=2, padding=1, ceil_mode=True, count_include_pad=False, x=LINES),
    Case("AvgPool2d", 3, stride=2, padding=1, divisor_override=5, x=IMAGES),
    Case("AvgPool2d", 3, stride=2, padding=1, ceil_mode=True, count_include_pad=False, x=(2, 4, 6, 5)),
    Case("AvgPool3d", 2, (2, 1, 2), (0, 1, 1), ceil_mode=True, count_include_pad=False, x=VOLUMES),
    Case("AvgPool3d", 2, divisor_override=5, x=VOLUMES),
    *[Case(f"LPPool{d}d", 2, 2, x=x) for d, x in ((1, LINES), (2, IMAGES), (3, VOLUMES))],
    *[Case(f"LPPool{d}d", 3, 2, stride=1, x=Within(x, 0.1, 2.0)) for d, x in BY_AXES],  # PyTorch takes no |x|
    *[Case(f"Adaptive{kind}Pool{d}d", 2, x=x) for kind in ("Avg", "Max") for d, x in ((1, LINES), (2, IMAGES), (3, VOLUMES))],
    Case("AdaptiveAvgPool2d", (None, 1), x=IMAGES),
]

RANDOM = [
    *[Case(f"Dropout{d}", 0.3, x=x, evaluated=True) for d, x in (("", ROWS), ("1d", LINES), ("2d", IMAGES), ("3d", VOLUMES))],
    *[Case(f"Dropout{d}", 0.0, x=x) for d, x in (("", ROWS), ("1d", LINES), ("2d", IMAGES), ("3d", VOLUMES))],
]

IMAGE_MOVES = [
    Case("Upsample", scale_factor=2, x=IMAGES),
    Case("Upsample", (7, 3), x=IMAGES),
    Case("Upsample", scale_factor=1.5, mode="linear", x=LINES),
    *[Case("Upsample", (7, 3), mode=mode, align_corners=c, x=IMAGES) for mode in ("bilinear", "bicubic") for c in (True, False)],
    Case("Upsample", scale_factor=(2, 1.7), mode="bilinear", recompute_scale_factor=True, x=IMAGES),
    Case("Upsample", scale_factor=2, mode="trilinear", x=VOLUMES),
    Case("PixelShuffle", 2, x=IMAGES),
    Case("PixelUnshuffle", 5, x=IMAGES),
    Case("Unfold", 2, padding=1, x=IMAGES),
    Case("Unfold", 2, dilation=2, padding=1, stride=(1, 2), x=IMAGES),
    Case("Fold", (4, 4), 2, x=(2, 8, 9)),
    Case("Fold", (4, 5), 2, dilation=2, padding=1, stride=(1, 2), x=(2, 8, 12)),
]

PLAIN = ["ReLU", "ReLU6", "Hardswish", "SELU", "Sigmoid", "LogSigmoid", "Tanh", "SiLU", "Mish", "Softsign"]
ACTIVATIONS = [
    *[Case(name, x=LINES) for name in [*PLAIN, "LeakyReLU", "PReLU", "Hardtanh", "ELU", "CELU", "GELU", "Softplus", "GLU"]],
    Case("ReLU", inplace=True, x=ROWS, theirs={}),
    Case("LeakyReLU", 0.3, x=LINES),
    Case("PReLU", 4, x=LINES),
    Case("Hardtanh", -0.5, 0.7, x=LINES),
    Case("Hardsigmoid", x=LINES, exact=False),
    Case("ELU", 0.7, x=LINES),
    Case("CELU", 0.7, x=LINES, exact=False),
    Case("GELU", approximate="tanh", x=LINES),
    Case("Softplus", 2.0, 1.0, x=LINES),
    *[Case(name, dim=1, x=LINES) for name in ("Softmax", "Softmin", "LogSoftmax", "GLU")],
]

STEPS, H, C = (3, 2, 4), (1, 2, 3), (1, 2, 3)
DEEP = {"num_layers": 2, "bidirectional": True}
RECURRENT = [
    *[Case(kind, 4, 3, x=STEPS) for kind in ("RNN", "LSTM", "GRU")],
    *[Case(kind, 4, 3, x=[STEPS, H]) for kind in ("RNN", "GRU")],
    Case("LSTM", 4, 3, x=[STEPS, H, C], paired=2),
    *[Case(kind, 4, 3, **DEEP, x=STEPS) for kind in ("RNN", "LSTM", "GRU")],
    *[Case(kind, 4, 3, 2, bias=False, batch_first=True, bidirectional=True, x=[STEPS, (4, 3, 3)]) for kind in ("RNN", "GRU")],
    Case("LSTM", 4, 3, 2, bias=False, batch_first=True, bidirectional=True, x=[STEPS, (4, 3, 3), (4, 3, 3)], paired=2),
    Case("RNN", 4, 3, nonlinearity="relu", x=STEPS),
    *[Case(kind, 4, 3, x=STEPS[::2]) for kind in ("RNN", "LSTM", "GRU")],
    Case("GRU", 4, 3, 2, x=[(3, 4), (2, 3)]),
    Case("LSTM", 4, 3, 2, x=[(3, 4), (2, 3), (2, 3)], paired=2),
    Case("LSTM", 4, 3, 2, proj_size=2, bidirectional=True, x=[STEPS, (4, 2, 2), (4, 2, 3)], paired=2),
    *[Case(kind, 4, 3, 2, dropout=0.4, x=STEPS, evaluated=True) for kind in ("RNN", "LSTM", "GRU")],
    *[Case(f"{kind}Cell", 4, 3, x=(2, 4)) for kind in ("RNN", "LSTM", "GRU")],
    *[Case(f"{kind}Cell", 4, 3, x=[(2, 4), (2, 3)]) for kind in ("RNN", "GRU")],
    Case("LSTMCell", 4, 3, bias=False, x=[(2, 4), (2, 3), (2, 3)], paired=2),
    Case("RNNCell", 4, 3, nonlinearity="relu", x=(2, 4)),
    Case("RNNCell", 4, 3, bias=False, x=(2, 4)),
    *[Case(f"{kind}Cell", 4, 3, x=(4,)) for kind in ("RNN", "LSTM", "GRU")],
    # so large that the steps are one function
    *[Case(kind, 3, 4, x=(2, 130, 3)) for kind in ("RNN", "LSTM", "GRU")],
    Case("RNN", 3, 4, nonlinearity="relu", bias=False, bidirectional=True, x=(2, 130, 3)),
    Case("LSTM", 3, 4, bias=False, bidirectional=True, x=[(2, 130, 3), (2, 130, 4), (2, 130, 4)], paired=2),
    Case("GRU", 3, 4, 2, bias=False, bidirectional=True, x=[(2, 130, 3), (4, 130, 4)]),
    Case("LSTMCell", 3, 4, x=[(260, 3), (260, 4), (260, 4)], paired=2),
    Case("GRUCell", 3, 4, bias=False, x=[(260, 3), (260, 4)]),
]

QUERIES, KEYS, VALUES = (3, 2, 4), (5, 2, 4), (5, 2, 4)
CAUSAL = np.triu(np.ones((3, 3), bool), 1)  # True excludes a key
PADDING = np.array([[False, False, True, False, True], [False, False, False, False, True]])
ATTENTION = [
    Case("MultiheadAttention", 4, 2, x=[QUERIES, KEYS, VALUES]),
    Case("MultiheadAttention", 4, 2, bias=False, x=[QUERIES, KEYS, VALUES], call={"need_weights": False}),
    Case("MultiheadAttention", 4, 2, x=[QUERIES] * 3, call={"attn_mask": CAUSAL, "average_attn_weights": False}),
    Case("MultiheadAttention", 4, 2, x=[QUERIES] * 3, call={"attn_mask": CAUSAL, "is_causal": True, "need_weights": False}),
    Case("MultiheadAttention", 4, 2, x=[QUERIES, KEYS, VALUES], call={"key_padding_mask": PADDING}),
    Case("MultiheadAttention", 4, 1, kdim=3, vdim=2, batch_first=True, x=[(2, 3, 4), (2, 5, 3), (2, 5, 2)]),
    Case("MultiheadAttention", 4, 2, x=[(3, 4), (5, 4), (5, 4)]),
]

ENCODER = {"dim_feedforward": 5, "dropout": 0.0}
HIDDEN = np.array([[False, False, True], [False, False, False]])
ADDED = np.array([[0.5, -np.inf, -np.inf], [0.1, 0.2, -np.inf], [0.3, -0.4, 0.5]])
BATCH_FIRST = {"batch_first": True, "x": (2, 3, 4)}
LAYER = Part("TransformerEncoderLayer", 4, 2, **ENCODER)
TRANSFORMER = [
    Case("TransformerEncoderLayer", 4, 2, **ENCODER, x=QUERIES),
    Case("TransformerEncoderLayer", 4, 2, **ENCODER, norm_first=True, activation="gelu", bias=False, layer_norm_eps=0.1, x=QUERIES),
    Case("TransformerEncoderLayer", 4, 2, **ENCODER, x=QUERIES, call={"src_mask": CAUSAL, "is_causal": True}),
    Case("TransformerEncoderLayer", 4, 1, **ENCODER, **BATCH_FIRST, call={"src_key_padding_mask": HIDDEN}),
    Case("TransformerEncoderLayer", 4, 2, **ENCODER, **BATCH_FIRST, call={"src_mask": ADDED}),
    Case("TransformerEncoderLayer", 4, 2, 5, 0.3, x=QUERIES, evaluated=True),
    Case("TransformerEncoderLayer", 4, 2, **ENCODER, activation=Part("GELU", approximate="tanh"), x=(3, 4), call={"src_mask": ADDED}),
    Case("TransformerEncoder", LAYER, 2, enable_nested_tensor=False, x=QUERIES, call={"mask": CAUSAL, "src_key_padding_mask": HIDDEN}),
    Case("TransformerEncoder", LAYER, num_layers=2, norm=Part("LayerNorm", 4), enable_nested_tensor=False, x=QUERIES),
]

CLASSES, SIGNS = np.array([2, 0, 1, 2]), np.array([[1.0, -1.0, 1.0]] * 4)
SHARES, POSITIVE = Within(ROWS, 0.1, 0.9), Within(ROWS, 0.5, 2.0)
WEIGHTS = np.array([0.5, 1.0, 2.0])
LOSSES = [
    *[Case(name, reduction=r, x=[ROWS, ROWS]) for name in ("MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss") for r in ("mean", "sum")],
    Case("SmoothL1Loss", reduction="none", beta=0.3, x=[ROWS, ROWS]),
    Case("HuberLoss", delta=0.3, x=[ROWS, ROWS]),
    Case("BCELoss", x=[SHARES, SHARES]),
    Case("BCELoss", weight=WEIGHTS, reduction="none", x=[SHARES, SHARES]),
    Case("BCEWithLogitsLoss", x=[ROWS, SHARES]),
    Case("BCEWithLogitsLoss", weight=WEIGHTS, pos_weight=WEIGHTS[::-1].copy(), reduction="sum", x=[ROWS, SHARES]),
    Case("CrossEntropyLoss", x=[ROWS, CLASSES]),
    Case("CrossEntropyLoss", weight=WEIGHTS, ignore_index=1, label_smoothing=0.1, x=[ROWS, CLASSES]),
    Case("CrossEntropyLoss", reduction="sum", x=[ROWS, SHARES]),
    Case("NLLLoss", x=[ROWS, CLASSES]),
    Case("NLLLoss", weight=WEIGHTS, ignore_index=0, reduction="sum", x=[ROWS, CLASSES]),
    Case("KLDivLoss", reduction="batchmean", x=[ROWS, SHARES]),
    Case("KLDivLoss", reduction="sum", log_target=True, x=[ROWS, ROWS]),
    Case("PoissonNLLLoss", x=[ROWS, POSITIVE]),
    Case("PoissonNLLLoss", log_input=False, eps=0.3, x=[POSITIVE, POSITIVE]),
    Case("PoissonNLLLoss", log_input=False, full=True, reduction="sum", x=[POSITIVE, np.array([[1.5, 2.5, 3.5]] * 4)]),
    Case("GaussianNLLLoss", x=[ROWS, ROWS, POSITIVE]),
    Case("GaussianNLLLoss", eps=1.5, x=[ROWS, ROWS, np.array([[0.5, 1.0, 2.0]] * 4)]),
    Case("GaussianNLLLoss", full=True, reduction="sum", x=[ROWS, ROWS, POSITIVE]),
    Case("HingeEmbeddingLoss", x=[POSITIVE, SIGNS]),
    Case("HingeEmbeddingLoss", margin=2.5, reduction="none", x=[POSITIVE, SIGNS]),
    Case("CosineSimilarity", eps=0.5, x=[POSITIVE, np.array([[0.1, 0.2, -0.1]] * 4)]),
    Case("CosineSimilarity", x=[ROWS, ROWS]),
    Case("CosineSimilarity", dim=0, x=[ROWS, ROWS]),
]

CASES = [
    *LINEAR,
    *CONVOLUTIONS,
    *PADDINGS,
    *NORMALISATIONS,
    *POOLINGS,
    *RANDOM,
    *IMAGE_MOVES,
    *ACTIVATIONS,
    *RECURRENT,
    *ATTENTION,
    *TRANSFORMER,
    *LOSSES,
]
