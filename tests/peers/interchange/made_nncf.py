#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Quantizes float models with NNCF, with random samples. Usage: made_nncf.py OUT_FOLDER FLOAT.onnx..."""
import os
import sys

import nncf
import onnx

from made import Random


def main():
    for path in sys.argv[2:]:
        feeds = []
        reader = Random(path)
        while (feed := reader.get_next()) is not None:
            feeds.append(feed)
        model = nncf.quantize(onnx.load(path), nncf.Dataset(feeds), subset_size=len(feeds))
        onnx.save(model, os.path.join(sys.argv[1], os.path.basename(path)[: -len(".onnx")] + ".nncf.onnx"))


if __name__ == "__main__":
    main()
