# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/calibration/nncf_scales.json: what NNCF makes of ranges and of samples.

Needs nncf and numpy:  python make_nncf_scales.py OUT.json
`scales`: ranges -> scale and zero point of activations, by NNCF's own functions for ONNX.
`weights`: largest absolute value per channel -> scales of int8 weights, by the same functions. Biases stay float in NNCF.
`ranges`: samples -> ranges, by NNCF's reducers and aggregators. Sample k has COUNT values; value i is
    x = ((i * 7919 + k * 104729 + 13) % 1000 - 400) * (k % 5 + 1) / 64, and every 997th of them times 8:
integers over a power of two, so every program makes the same float32 numbers.
"""
import json
import sys

import numpy as np
import nncf
from nncf.common.quantization.structs import QuantizationScheme, QuantizerConfig, QuantizerGroup
from nncf.common.tensor_statistics import collectors as c
from nncf.common.tensor_statistics.statistics import MinMaxTensorStatistic
from nncf.onnx.quantization.quantizer_parameters import convert_fq_params_to_onnx_params
from nncf.quantization.fake_quantize import calculate_quantizer_parameters
from nncf.tensor import Tensor

COUNT = 4096
SAMPLES = 11
RANGES = [(0, 6), (-1, 1), (-0.3, 7.25), (-7.25, 0.3), (1e-5, 2e-5), (0, 0), (-1e-6, 1e-6), (3, 5), (-5, -3),
          (-128, 127), (0, 1e-3), (-1e30, 3e30), (-2.117904, 2.64), (0, 0.9999999), (-0.001, 1000), (-17.3, 0),
          (-0.5, 0.4980392), (0.0123, 54.321), (-54.321, 0.0123)]


def sample(k):
    i = np.arange(COUNT, dtype=np.int64)
    x = ((i * 7919 + k * 104729 + 13) % 1000 - 400) * (k % 5 + 1) / 64
    x[i % 997 == 0] *= 8
    return x.astype(np.float32).reshape(1, 4, 32, 32)


def scales():
    rows = []
    for low, high in RANGES:
        low, high = np.float32(low), np.float32(high)
        for mode in (QuantizationScheme.SYMMETRIC, QuantizationScheme.ASYMMETRIC):
            for narrow in (False, True):
                if narrow and mode == QuantizationScheme.ASYMMETRIC:
                    continue
                config = QuantizerConfig(num_bits=8, mode=mode, narrow_range=narrow)
                # NNCF measures abs_max instead of max for symmetric quantizers.
                top = max(abs(low), abs(high)) if mode == QuantizationScheme.SYMMETRIC else high
                statistics = MinMaxTensorStatistic(
                    min_values=Tensor(np.array([low], np.float32)), max_values=Tensor(np.array([top], np.float32)))
                try:
                    made = calculate_quantizer_parameters(statistics, config, QuantizerGroup.ACTIVATIONS)
                except Exception:
                    continue
                signed = bool(made.input_low.data < 0)
                onnx = convert_fq_params_to_onnx_params(made, 8, np.int8 if signed else np.uint8, None)
                rows.append({"min": float(low), "max": float(high), "mode": mode.name.lower(), "narrow_range": narrow,
                             "signed": signed, "scale": float(np.float32(onnx.scale)), "zero_point": int(onnx.zero_point)})
    return rows


# Largest |w| of channels: usual, one dead, one far below the others (NNCF's 1 % floor), all tiny (its absolute floor).
WEIGHTS = [[0.5], [1e-5], [0.0], [0.5, 0.25, 1.75], [0.5, 0.0, 1.0], [1.0, 1e-4, 0.3], [3e-4, 2e-4, 7e-5], [1e30, 1.0],
           [0.1171875, 0.0625, 0.2501, 0.33, 12.5, 7.75, 0.9]]


def weights():
    rows = []
    for tops in WEIGHTS:
        for narrow in (True, False):
            for half in (False, True):
                config = QuantizerConfig(num_bits=8, mode=QuantizationScheme.SYMMETRIC, narrow_range=narrow,
                                         signedness_to_force=True, per_channel=len(tops) > 1)
                top = np.array(tops, np.float32).reshape(-1, 1, 1, 1)
                statistics = MinMaxTensorStatistic(min_values=Tensor(-top), max_values=Tensor(top))
                made = calculate_quantizer_parameters(statistics, config, QuantizerGroup.WEIGHTS, half_range=half)
                onnx = convert_fq_params_to_onnx_params(made, 8, np.int8, (0,))
                rows.append({"max_abs": tops, "narrow_range": narrow, "half_range": half,
                             "scale": [float(s) for s in np.atleast_1d(np.float32(onnx.scale))],
                             "zero_point": [int(z) for z in np.atleast_1d(onnx.zero_point)]})
    return rows


def reducer(kind, quantile):
    if kind == "quantile":
        return c.QuantileReducer(quantile=[quantile])
    if kind == "abs_quantile":
        return c.AbsQuantileReducer(quantile=[quantile])
    return {"min": c.MinReducer, "max": c.MaxReducer, "abs_max": c.AbsMaxReducer, "mean": c.MeanReducer}[kind]()


def aggregator(kind, share):
    plain = {"mean": c.MeanAggregator, "median": c.MedianAggregator, "min": c.MinAggregator, "max": c.MaxAggregator}
    if kind in plain:
        return plain[kind]()
    return {"mean_no_outliers": c.MeanNoOutliersAggregator, "median_no_outliers": c.MedianNoOutliersAggregator}[kind](
        quantile=share)


def estimate(kind, how, share, is_min):
    taken = reducer(kind, share if is_min else 1 - share)
    all_samples = aggregator(how, share)
    for k in range(SAMPLES):
        all_samples.register_reduced_input(taken([Tensor(sample(k))])[0])
    return float(np.float32(np.asarray(all_samples.aggregate().data).squeeze()))


def ranges():
    rows = []
    for kind in ("min", "max", "abs_max", "quantile", "abs_quantile", "mean"):
        for how in ("mean", "max", "min", "median", "mean_no_outliers", "median_no_outliers"):
            for share in ((1e-4, 0.1) if how.endswith("outliers") and "quantile" not in kind else (1e-4,)):
                for is_min in (True, False):
                    if is_min and kind == "abs_quantile":
                        continue
                    rows.append({"side": "min" if is_min else "max", "statistics_type": kind, "aggregator_type": how,
                                 "quantile_outlier_prob": share, "value": estimate(kind, how, share, is_min)})
    return rows


with open(sys.argv[1], "w") as out:
    head = {"nncf": nncf.__version__, "count": COUNT, "samples": SAMPLES}
    body = {"scales": scales(), "weights": weights(), "ranges": ranges()}
    out.write("{" + json.dumps(head)[1:-1])
    for key, rows in body.items():
        out.write(f',\n"{key}": [\n' + ",\n".join(json.dumps(row) for row in rows) + "]")
    out.write("}\n")
