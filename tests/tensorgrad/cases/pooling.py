"""Cases of pooling, of windows laid out, and of images made larger and smaller."""

import numpy as np

from tensorgrad.arrays.windows import Window
from tensorgrad.functions import pooling
from tensorgrad.rules.images import pooling as p
from tensorgrad.rules.images.resampling import interpolate, pixel_shuffle, pixel_unshuffle, weighted_entries, weighted_sums
from tensorgrad.rules.images.unfolding import fold, overlap_add, unfold, window_entries
from tests.tensorgrad.case import Case

side_by_side = Window((2, 2), (2, 2), ((0, 0), (0, 0)), (1, 1))
overlapping = Window((3, 2), (2, 1), ((1, 0), (1, 1)), (1, 2))
apart = Window((2,), (3,), ((0, 0),), (1,))
deep = Window((1, 2, 2), (1, 2, 1), ((0, 0), (1, 0), (0, 0)), (1, 1, 1))
apart_from_ties = lambda a: np.argsort(np.argsort(a.ravel())).reshape(a.shape) / 5 - 1  # no two entries lie close together
positive = lambda a: np.abs(a) + 0.5
ties = np.array([[1.0, 1.0, 2.0, 0.0, 1.0], [1.0, 1.0, 2.0, 2.0, 1.0], [0.0, 3.0, 3.0, 3.0, 1.0]])

CASES = [
    *[Case(p.window_max, s, window=w, domain=apart_from_ties) for s, w in [((2, 4, 4), side_by_side), ((1, 2, 5, 5), side_by_side)]],
    *[Case(p.window_max, s, window=w, domain=apart_from_ties) for s, w in [((5, 4), overlapping), ((2, 6), apart), ((2, 3, 3, 3), deep)]],
    *[
        Case(p.window_max, ties, window=w, smooth=False, label=label)
        for w, label in [(side_by_side, "ties"), (overlapping, "overlapping ties")]
    ],
    *[Case(p.window_max, np.zeros((2, 4, 4)), window=w, smooth=False, label=f"all equal {w.kernel}") for w in (side_by_side, overlapping)],
    Case(p.window_max, (0, 4, 4), window=side_by_side),
    *[
        Case(p.window_sum, s, window=w)
        for s, w in [((2, 4, 4), side_by_side), ((5, 4), overlapping), ((2, 7), apart), ((0, 4, 4), side_by_side)]
    ],
    Case(p.window_sum, (2, 3, 3, 3), window=deep),
    *[
        Case(p.window_share, s, size=n, window=w)
        for s, n, w in [((2, 2, 2), (4, 5), side_by_side), ((2, 4), (5, 4), overlapping), ((2,), (6,), apart)]
    ],
    *[Case(p.window_smooth_max, s, window=w, beta=2.0) for s, w in [((2, 4, 4), side_by_side), ((5, 4), overlapping), ((2, 6), apart)]],
    *[Case(window_entries, s, window=w) for s, w in [((2, 4, 5), side_by_side), ((5, 4), overlapping), ((0, 6), apart), ((2, 7), apart)]],
    *[Case(overlap_add, s, size=n, window=w) for s, n, w in [((2, 2, 2, 2), (4, 4), side_by_side), ((2, 4, 3, 2), (5, 4), overlapping)]],
    # what the user calls
    Case(pooling.max_pool1d, (2, 5), kernel_size=2, stride=1, domain=apart_from_ties),
    Case(pooling.max_pool2d, (1, 2, 5, 4), kernel_size=(2, 3), stride=2, padding=1, ceil_mode=True, domain=apart_from_ties),
    Case(pooling.max_pool3d, (2, 4, 3, 3), kernel_size=2, dilation=(2, 1, 1), domain=apart_from_ties),
    Case(pooling.max_pool2d, (1, 2, 5, 4), kernel_size=(2, 3), stride=2, padding=1, domain=apart_from_ties, total=True),
    Case(pooling.avg_pool1d, (2, 5), kernel_size=2, ceil_mode=True),
    Case(pooling.avg_pool2d, (1, 2, 5, 4), kernel_size=(3, 2), stride=2, padding=1, ceil_mode=True, count_include_pad=False),
    Case(pooling.avg_pool3d, (2, 4, 3, 3), kernel_size=2, padding=1, divisor_override=3),
    Case(pooling.lp_pool1d, (2, 5), norm_type=2, kernel_size=2),
    Case(pooling.lp_pool1d, np.array([[0.0, 0.0, 3.0, -4.0]]), norm_type=2, kernel_size=2, smooth=False, label="zeros"),
    Case(pooling.lp_pool2d, (1, 2, 5, 4), norm_type=3, kernel_size=(3, 2), stride=2, domain=positive),
    Case(pooling.lp_pool2d, (1, 3, 4), norm_type=1.5, kernel_size=2, stride=1, padding=1, domain=positive, label="padded"),
    Case(pooling.lp_pool3d, (2, 4, 3, 3), norm_type=2, kernel_size=2),
    Case(lambda x: pooling.lp_pool2d(x, np.inf, 2), (4, 4), domain=apart_from_ties, label="largest"),
    *[
        Case(pooling.max_pool, s, kernel_size=k, domain=apart_from_ties)
        for s, k in [((2, 5), (2,)), ((1, 2, 3, 4), (2, 2)), ((2, 2, 3, 2, 2), (2, 1, 2, 2))]
    ],
    Case(lambda x: pooling.max_pool(x, (2, 2), 1, return_indices=True)[0], (3, 4), domain=apart_from_ties, label="beside its indices"),
    Case(pooling.avg_pool, (2, 2, 3, 2, 2), kernel_size=(2, 1, 2, 2), padding=(1, 0, 0, 1), count_include_pad=False),
    Case(pooling.lp_pool, (2, 2, 3, 2, 2), norm_type=2, kernel_size=(2, 1, 2, 2), stride=1),
    Case(pooling.smooth_max_pool, (2, 2, 3, 2, 2), kernel_size=(2, 1, 2, 2)),
    Case(pooling.adaptive_avg_pool, (2, 3, 2, 4, 2), output_size=(2, None, 1, 1)),
    Case(pooling.adaptive_max_pool, (2, 3, 2, 4, 2), output_size=(2, None, 1, 1), domain=apart_from_ties),
    Case(pooling.smooth_max_pool1d, (2, 5), kernel_size=2, padding=1),
    Case(pooling.smooth_max_pool2d, (1, 2, 4, 4), kernel_size=(2, 3), stride=1, beta=3.0),
    Case(pooling.smooth_max_pool3d, (2, 3, 2, 2), kernel_size=2),
    Case(pooling.adaptive_avg_pool1d, (2, 5), output_size=3),
    Case(pooling.adaptive_avg_pool2d, (1, 2, 4, 6), output_size=(2, 3)),
    Case(pooling.adaptive_avg_pool3d, (2, 3, 2, 4), output_size=(2, None, 1)),
    Case(pooling.adaptive_max_pool1d, (2, 5), output_size=3, domain=apart_from_ties),
    Case(pooling.adaptive_max_pool2d, (1, 2, 4, 6), output_size=(2, 3), domain=apart_from_ties),
    Case(pooling.adaptive_max_pool3d, (2, 3, 2, 4), output_size=(2, None, 1), domain=apart_from_ties),
    Case(unfold, (1, 2, 4, 5), kernel_size=(2, 3), dilation=(2, 1), padding=1, stride=2),
    Case(unfold, (2, 5), kernel_size=(2,), label="alone, one axis"),
    Case(fold, (1, 8, 12), output_size=(4, 5), kernel_size=2),
    Case(fold, (4, 2), output_size=(5,), kernel_size=(2,), stride=3, label="alone, one axis"),
    Case(interpolate, (1, 2, 3), scale_factor=2),
    Case(interpolate, (1, 1, 3, 4), size=(5, 2)),
    Case(interpolate, (1, 1, 3, 4), scale_factor=(1.5, 0.5), label="factors"),
    Case(interpolate, (1, 1, 3, 4), scale_factor=(1.5, 0.8), recompute_scale_factor=True, label="factors"),
    *[Case(interpolate, (1, 1, 3, 4), scale_factor=f, label=str(f)) for f in (1.24, (1.3, 2.2))],
    Case(interpolate, (1, 2, 3), scale_factor=1.24, label="1.24"),
    Case(interpolate, (1, 2, 3), size=5, mode="linear"),
    Case(interpolate, (1, 2, 4), size=1, mode="linear", align_corners=True, label="one entry"),
    Case(interpolate, (1, 1, 3, 4), size=(5, 2), mode="bilinear"),
    Case(interpolate, (1, 1, 3, 4), size=(5, 2), mode="bilinear", align_corners=True),
    Case(interpolate, (1, 1, 3, 4), scale_factor=(1.5, 0.5), mode="bilinear", label="factors"),
    Case(interpolate, (1, 1, 3, 4), scale_factor=(1.5, 0.8), mode="bilinear", recompute_scale_factor=True, label="factors"),
    Case(interpolate, (1, 1, 2, 3, 2), size=(3, 2, 4), mode="trilinear"),
    Case(interpolate, (1, 1, 3, 4), size=(5, 2), mode="bicubic"),
    Case(interpolate, (1, 1, 3, 4), scale_factor=1.6, mode="bicubic", align_corners=True),
    Case(weighted_entries, (2, 3), axis=1, places=np.array([[0, 0], [0, 2]]), weights=np.array([[0.5, 2.0], [1.0, -1.0]])),
    Case(weighted_sums, (2, 2, 1), count=3, axis=1, places=np.array([[0, 0], [0, 2]]), weights=np.array([[0.5, 2.0], [1.0, -1.0]])),
    Case(pixel_shuffle, (1, 8, 2, 3), upscale_factor=2),
    Case(pixel_unshuffle, (2, 4, 6), downscale_factor=2),
]
