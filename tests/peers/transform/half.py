# SPDX-License-Identifier: Apache-2.0
"""Models of packages in floats of 16 bits: how many nodes compute in them, and how far outputs move on other data.

Trained models of rapidocr-onnxruntime, basic-pitch, swift-f0, pipecat-ai, magika and silero-vad (pip download --no-deps), and the
samples of this project. Data are drawn here: pages of random letters, tones that glide, and noise where neither is at hand; halved on
one draw, compared on another. float16 runs in ONNX Runtime; it has no bfloat16 on a CPU, so that such files run in the reference
evaluator of the package onnx, where that can. Writes half.md.
Usage: half.py DUOSCOPE_CLI FOLDER (which keeps the packages). Needs: pip install onnx onnxruntime numpy pillow ml_dtypes.
"""
import json
import pathlib
import subprocess
import sys
import time
import zipfile

import numpy as np
import onnx
import onnxruntime
from onnx.reference import ReferenceEvaluator
from PIL import Image, ImageDraw, ImageFont

HERE = pathlib.Path(__file__).resolve().parent
SAMPLES = HERE.parents[2] / "resources" / "samples"
PACKAGES = {"rapidocr-onnxruntime": "1.4.4", "basic-pitch": "0.4.0", "swift-f0": "0.3.0", "pipecat-ai": "1.14.0",
            "magika": "1.0.3", "silero-vad": "6.2.3"}
HEAD = """# Floats of 16 bits

Made by `half.py` with onnxruntime {} and onnx {}; what was done stands there.

| model | data | nodes in 16 bits | in 32 bits by a rule | for what outputs lose | s | measured, dB | on other data, worst output, dB |
|---|---|--:|--:|--:|--:|--:|--:|
"""


def page(height, width, size, lines, numbers):
    image = Image.new("RGB", (width, height), tuple(int(v) for v in numbers.integers(180, 255, 3)))
    draw = ImageDraw.Draw(image)
    for line in range(lines):
        text = "".join(numbers.choice(list("abcdefghijklmnopqrstuvwxyz  0123456789"), 14))
        draw.text((4 + int(numbers.integers(0, 20)), 4 + line * (size + 10)), text, font=ImageFont.load_default(size),
                  fill=tuple(int(v) for v in numbers.integers(0, 90, 3)))
    pixels = np.asarray(image).astype(np.float32) / 255 + numbers.normal(0, 0.01, (height, width, 3))
    return ((pixels - 0.5) / 0.5).transpose(2, 0, 1).astype(np.float32)


def tone(length, rate, numbers):
    at = np.arange(length) / rate
    pitch = numbers.uniform(90, 400) * (1 + 0.1 * np.sin(2 * np.pi * numbers.uniform(1, 5) * at))
    phase = 2 * np.pi * np.cumsum(pitch) / rate
    sound = sum(np.sin(k * phase) / k for k in range(1, 9)) * (0.5 + 0.5 * np.sin(4 * np.pi * at))
    return (0.2 * sound + numbers.normal(0, 0.003, length)).astype(np.float32)


def made(kind, numbers):
    """Feeds of one sample."""
    if kind == "pages":
        return {"x": page(320, 320, 22, 8, numbers)}
    if kind == "lines":
        return {"x": page(48, 320, 26, 1, numbers)}
    if kind == "lines, upside down":
        return {"x": page(48, 192, 26, 1, numbers)[:, ::-1, ::-1].copy()}
    if kind == "tones":
        return {"serving_default_input_2:0": tone(43844, 22050, numbers)[:, None]}
    return {"audio": tone(16000, 16000, numbers), "fmin": np.float32(46.875), "fmax": np.float32(2093.75)}


def drawn(kind, seed, folder):
    if kind == "noise":
        return f"random:8:{seed}"
    if kind == "digits":
        return str(SAMPLES / ("digits_calibration.npz" if seed == 1 else "digits_test.npz"))
    target = folder / f"{kind.replace(' ', '_').replace(',', '')}_{seed}.npz"
    numbers = np.random.default_rng(seed)
    samples = [made(kind, numbers) for _ in range(8)]
    np.savez(target, **{name: np.stack([each[name] for each in samples]) for name in samples[0]})
    return str(target)


def take(folder):
    for name, version in PACKAGES.items():
        target = folder / name.replace("-", "_")
        if not target.exists():
            subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", f"{name}=={version}", "-d", str(folder)],
                           check=True)
            with zipfile.ZipFile(next(folder.glob(f"{name.replace('-', '_')}-*.whl"))) as archive:
                archive.extractall(target)
    one = lambda pattern: next(iter(sorted(folder.rglob(pattern))))
    return [(one("*cls_infer.onnx"), "lines, upside down"), (one("*rec_infer.onnx"), "lines"), (one("*det_infer.onnx"), "pages"),
            (one("*det_infer.onnx"), "noise"), (one("nmp.onnx"), "tones"), (one("swift_f0/model.onnx"), "tones of speech"),
            (one("smart-turn-*.onnx"), "noise"), (one("standard_v3_3/model.onnx"), "noise"),
            (one("silero_vad_16k_sequence.onnx"), "noise"), (one("silero_vad_16k_op15.onnx"), "noise"),
            (SAMPLES / "digits_conv.onnx", "digits"), (SAMPLES / "digits_transformer.onnx", "digits")]


def told(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode > 1 or not done.stdout:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return json.loads(done.stdout)


def worst(outputs):
    """None: not finite; all the same is infinitely good."""
    numbers = [float("inf") if each["identical"] else each.get("sqnr_db") for each in outputs]
    return None if None in numbers else min(numbers)


def number(decibels):
    return "not finite" if decibels is None else "all the same" if decibels == float("inf") else f"{decibels:.1f}"


def row(cli, model, kind, folder):
    out = folder / "half.onnx"
    at = time.perf_counter()
    report = told([cli, "transform", str(model), "--half", "float16", "--data", drawn(kind, 1, folder), "-o", str(out), "--json"])
    seconds = time.perf_counter() - at
    half = report["passes"][-1]
    lost = sum("in 16 bits outputs" in node["why"] for node in half["skipped"])
    apart = told([cli, "compare", str(model), str(out), "--data", drawn(kind, 2, folder), "--json"])
    return (f"| {model.name if model.name != 'model.onnx' else model.parent.name} | {kind} | {half['applied']} |"
            f" {len(half['skipped']) - lost} | {lost} | {seconds:.1f} | {number(half.get('sqnr_db', float('inf')))} |"
            f" {number(worst(apart['outputs']))} |"), worst(apart["outputs"])


def bfloat(cli, model, kind, folder):
    """The reference evaluator on the file in bfloat16 and on the original."""
    out = folder / "bfloat.onnx"
    report = told([cli, "transform", str(model), "--half", "bfloat16", "--data", drawn(kind, 1, folder), "-o", str(out), "--json"])
    made_nodes = report["passes"][-1]["applied"]
    feeds = np.load(drawn(kind, 2, folder))
    try:
        running, original = ReferenceEvaluator(str(out)), ReferenceEvaluator(str(model))
        name = original.input_names[0]
        sample = {name: feeds[name][:1]}
        a = original.run(None, sample)[0].astype(np.float64)
        b = running.run(None, sample)[0].astype(np.float64)
        return f"{model.name}: {made_nodes} nodes, {10 * np.log10((a * a).sum() / ((a - b) ** 2).sum()):.1f} dB"
    except Exception as error:
        return f"{model.name}: {made_nodes} nodes, refused by the evaluator: {str(error).strip().splitlines()[0][:120]}"


def main():
    cli, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    rows, numbers = [], []
    for model, kind in take(folder):
        line, decibels = row(cli, model, kind, folder)
        print(line, flush=True)
        rows.append(line)
        numbers.append(decibels)
    good = sum(each is not None and each >= 45 for each in numbers)
    tries = [bfloat(cli, SAMPLES / name, "digits", folder) for name in ("digits_conv.onnx", "digits_transformer.onnx")]
    print("\n".join(tries))
    (HERE / "half.md").write_text(
        HEAD.format(onnxruntime.__version__, onnx.__version__) + "\n".join(rows)
        + f"\n\nOutputs finite and 45 dB or more on other data: {good} of {len(rows)}.\n\nIn bfloat16, by onnx's reference evaluator:\n\n"
        + "\n".join(f"- {each}" for each in tries) + "\n")


main()
