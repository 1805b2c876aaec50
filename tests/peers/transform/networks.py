# SPDX-License-Identifier: Apache-2.0
"""Twenty networks of torchvision, timm and transformers with drawn weights, exported and transformed by us.

Each by torch's TorchScript exporter (opset 17) or its newer one (opset 20), small where their authors give sizes. Checked
of every one, with its sizes open and with --static-shapes: outputs on drawn inputs within 1e-5 of the largest value, in
onnxruntime without its own optimization; a second run changes nothing; common and then target give what target alone
gives; nodes in another order give the same nodes. Writes networks.md.
Usage: networks.py DUOSCOPE_CLI [FOLDER] [NAME...]. FOLDER keeps the exports; what lies in it already is not made again.
Needs: pip install torch torchvision timm transformers onnx onnxscript onnxruntime numpy.
"""
import collections
import pathlib
import sys
import tempfile

import numpy
import onnxruntime

from checks import BOUND, findings, session

TABLE = pathlib.Path(__file__).with_name("networks.md")
VISION = {"resnet18": 17, "mobilenet_v3_small": 17, "shufflenet_v2_x0_5": 17, "squeezenet1_1": 17, "mnasnet0_5": 17,
          "densenet121": 20, "efficientnet_b0": 20, "regnet_y_400mf": 20}
TIMM = {"vit_tiny_patch16_224": 17, "deit_tiny_patch16_224": 20, "swin_tiny_patch4_window7_224": 20, "convnext_atto": 17,
        "levit_128s": 17, "mixer_s32_224": 20, "ghostnet_050": 17, "edgenext_xx_small": 20}
SIZES = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 500}
TEXT = {"bert": 20, "roberta": 20, "distilbert": 17, "gpt2": 20}


def network(name):
    import torch
    torch.manual_seed(1)
    if name in VISION:
        import torchvision
        return getattr(torchvision.models, name)(), (torch.randn(1, 3, 64, 64),)
    if name in TIMM:
        import timm
        side = 224 if name.endswith("224") or name.startswith("levit") else 96
        return timm.create_model(name, pretrained=False), (torch.randn(1, 3, side, side),)
    import transformers
    if name == "distilbert":
        config = transformers.DistilBertConfig(dim=64, n_layers=2, n_heads=4, hidden_dim=128, vocab_size=500)
    elif name == "gpt2":
        config = transformers.GPT2Config(n_embd=64, n_layer=2, n_head=4, vocab_size=500, use_cache=False)
    else:
        config = transformers.AutoConfig.for_model(name, **SIZES)
    config._attn_implementation = "eager"
    config.return_dict = False
    return transformers.AutoModel.from_config(config), (torch.randint(0, 500, (1, 12)),)


def export(name, opset, path):
    import torch
    model, inputs = network(name)
    kept = {"input_names": ["x"], "opset_version": opset, "dynamo": opset == 20}
    torch.onnx.export(model.eval(), inputs, str(path), **kept, **({"external_data": False} if opset == 20 else {}))


def inputs(path):
    first = session(path).get_inputs()[0]
    numbers = numpy.random.default_rng(1)
    shape = [size if isinstance(size, int) else 1 for size in first.shape]
    is_float = first.type == "tensor(float)"
    return {first.name: numbers.standard_normal(shape).astype(numpy.float32) if is_float else numbers.integers(0, 500, shape)}


def main():
    cli, *rest = sys.argv[1:]
    kept = pathlib.Path(rest[0]) if rest else pathlib.Path(tempfile.mkdtemp())
    kept.mkdir(parents=True, exist_ok=True)
    names = rest[1:] or [*VISION, *TIMM, *TEXT]
    lines, counts, holds = [], collections.Counter(), 0
    for name in names:
        opset = (VISION | TIMM | TEXT)[name]
        source = kept / f"{name}.onnx"
        try:
            if not source.exists():
                export(name, opset, source)
        except Exception as error:
            lines.append(f"| {name} | {opset} | | | | not exported: {str(error).splitlines()[0][:80]} |")
            continue
        with tempfile.TemporaryDirectory() as folder:
            left, wrong, most = [], [], 0.0
            for options in ([], ["--static-shapes"]):
                try:
                    found, report, far = findings(cli, source, folder, [inputs(source)], options)
                except Exception as error:
                    wrong.append(str(error).splitlines()[0][:120])
                    continue
                wrong += found
                if far > BOUND:
                    wrong.append(f"outputs differ by {far:.0e}")
                most = max(most, far)
                left.append(str(report["nodes_after"]))
                if not options:
                    before = report["nodes_before"]
                    counts.update({each["id"]: each["applied"] for each in report["passes"] if each["applied"]})
        holds += not wrong
        lines.append(f"| {name} | {opset} | {before} | {' and '.join(left)} | {most:.0e} | {'; '.join(wrong) or 'holds'} |")
        print(lines[-1], flush=True)
    if rest[1:]:
        return
    table = [f"# Networks, transformed\n\nMade by `networks.py` with onnxruntime {onnxruntime.__version__}; what is checked stands there.\n"
             f"\nAll holds of {holds} of {len(names)} networks.\n", "| network | opset | nodes | left, with open sizes and fixed ones | outputs moved by | |",
             "|---|--:|--:|---|--:|---|", *lines, "", "| pass | nodes |", "|---|--:|", *(f"| {name} | {count} |" for name, count in counts.most_common())]
    TABLE.write_text("\n".join(table) + "\n")


main()
