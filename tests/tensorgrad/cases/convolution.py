"""Cases of convolutions: every kernel's algorithm is met by some of them."""

from tensorgrad.rules.images.convolution import (
    conv,
    conv1d,
    conv2d,
    conv3d,
    conv_transpose,
    conv_transpose1d,
    conv_transpose2d,
    conv_transpose3d,
    convolution,
    correlation,
    transposed_convolution,
)
from tests.tensorgrad.case import Case

CASES = [
    # x, weight and bias; settings. In this order: one place (a product of matrices), columns, groups, rows, nothing to do
    Case(convolution, (2, 3, 2, 2), (4, 3, 1, 1), (4,)),
    Case(convolution, (2, 3, 3), (2, 3, 1)),
    Case(convolution, (2, 2, 5), (3, 2, 3), (3,), padding=1),
    Case(convolution, (2, 2, 7), (3, 2, 2), stride=2, dilation=2, padding=((0, 1),)),
    Case(convolution, (2, 2, 4, 5), (3, 2, 3, 2), (3,), padding=(1, 0)),
    Case(convolution, (1, 2, 5, 4), (3, 2, 2, 2), stride=(2, 1), padding=1),
    Case(convolution, (1, 2, 5, 5), (1, 2, 2, 3), dilation=(2, 1), padding=((1, 2), (0, 1))),
    Case(convolution, (1, 1, 3, 3), (2, 1, 1, 1), padding=1, stride=2),
    Case(convolution, (1, 1, 2, 2), (1, 1, 1, 1), padding=2, label="more padding than kernel"),
    Case(convolution, (1, 1, 5, 5), (1, 1, 1, 1), stride=3, label="entries that no window meets"),
    Case(convolution, (2, 4, 4), (6, 2, 2), (6,), groups=2),
    Case(convolution, (1, 3, 3, 3), (3, 1, 2, 2), groups=3, padding=1, label="depthwise"),
    Case(convolution, (1, 4, 5, 3), (2, 2, 3, 2), groups=2, stride=2, padding=1),
    Case(convolution, (1, 2, 3, 2, 3), (2, 2, 2, 1, 2), (2,), padding=(1, 0, 0)),
    Case(convolution, (1, 2, 3, 3, 3), (2, 1, 2, 2, 2), groups=2, stride=2, padding=1),
    Case(convolution, (1, 8, 3, 2), (8, 8, 2, 2), (8,), padding=1, second=False, label="rows"),
    Case(convolution, (0, 2, 3, 3), (2, 2, 2, 2), (2,)),
    Case(transposed_convolution, (2, 2, 3), (2, 3, 2), (3,), size=(4,)),
    Case(transposed_convolution, (2, 2, 3, 2), (2, 3, 3, 2), (3,), size=(7, 4), stride=2),
    Case(transposed_convolution, (1, 4, 2, 2), (4, 1, 3, 3), (2,), size=(4, 3), stride=2, padding=1, dilation=1, groups=2),
    Case(transposed_convolution, (1, 2, 3, 3), (2, 3, 1, 1), size=(3, 3)),
    Case(correlation, (2, 2, 4), (2, 3, 3), kernel=(2,)),
    Case(correlation, (2, 2, 4, 3), (2, 3, 2, 3), kernel=(3, 2), stride=(2, 1), padding=((1, 0), (0, 1))),
    Case(correlation, (1, 4, 3, 3), (1, 2, 2, 2), kernel=(2, 2), groups=2),
    Case(correlation, (1, 2, 3, 3), (1, 3, 3, 3), kernel=(1, 1)),
    # what the user calls
    Case(conv, (2, 5), (3, 2, 3), (3,), padding="same"),
    Case(conv1d, (1, 2, 4), (3, 2, 2), stride=2),
    Case(conv2d, (1, 2, 3, 4), (2, 1, 2, 3), padding="same", groups=2),
    Case(conv2d, (2, 3, 4), (3, 2, 2, 2), padding="valid", label="alone"),
    Case(conv3d, (1, 2, 2, 2, 3), (2, 2, 2, 1, 2)),
    Case(conv_transpose, (2, 3), (2, 3, 2), (3,), stride=2, output_padding=1),
    Case(conv_transpose1d, (1, 2, 3), (2, 3, 2), dilation=2, padding=1),
    *[Case(conv_transpose1d, (2, 2, 3), (2, 3, 2), (3,), dilation=3, output_padding=2, padding=p) for p in (0, 1, 3)],
    *[Case(conv_transpose1d, (1, 2, 1), (2, 2, 1), (2,), dilation=6, output_padding=5, padding=p) for p in (1, 2)],  # only bias
    Case(conv_transpose2d, (1, 2, 2, 3), (2, 1, 3, 3), (2,), stride=2, padding=1, output_padding=(0, 1), groups=2),
    Case(conv_transpose2d, (1, 2, 1, 2), (2, 3, 1, 2), dilation=(6, 1), output_padding=(5, 0), padding=(2, 0)),
    Case(conv_transpose3d, (1, 2, 2, 1, 2), (2, 1, 2, 2, 1)),
]
