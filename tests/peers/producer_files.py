# SPDX-License-Identifier: Apache-2.0
"""Small networks through the converters of other people, as the tests of producers use them (tests/data/producers/README.md).

Run: python producer_files.py NAME OUT.onnx; then `make_structure.py` keeps the structure. Every converter needs another
environment, which its function names; the versions used stand in that README. Where modules own weights, OUT.onnx.npz holds
them by path of the module: `scopes/told.py` compares."""
import json
import os
import pathlib
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("JAX_PLATFORMS", "cpu")


def mxnet_residual(out):
    """pip install mxnet "onnx==1.11.0" "numpy==1.23.5" "protobuf<3.20.2"   (Python 3.8)"""
    import numpy as np

    np.bool = bool  # which MXNet still asks for
    import mxnet as mx
    from mxnet import onnx as mx_onnx
    from mxnet.gluon import nn

    class Residual(nn.HybridBlock):
        def __init__(self, channels, **names):
            super().__init__(**names)
            with self.name_scope():
                self.body = nn.HybridSequential(prefix="")
                self.body.add(nn.Conv2D(channels, 3, padding=1, use_bias=False), nn.BatchNorm(), nn.Activation("relu"),
                              nn.Conv2D(channels, 3, padding=1), nn.BatchNorm())

        def hybrid_forward(self, F, x):
            return F.Activation(self.body(x) + x, act_type="relu")

    mx.random.seed(1)
    net = nn.HybridSequential(prefix="resnet_")
    with net.name_scope():
        net.add(nn.Conv2D(8, 3, padding=1), nn.BatchNorm(), nn.LeakyReLU(0.1))
        stage = nn.HybridSequential(prefix="stage1_")
        with stage.name_scope():
            stage.add(Residual(8, prefix="block0_"), Residual(8, prefix="block1_"))
        net.add(stage, nn.GlobalAvgPool2D(), nn.Dense(5, activation="tanh"))
    net.initialize(mx.init.Xavier())
    net.hybridize()
    net(mx.nd.ones((1, 3, 16, 16)))
    with tempfile.TemporaryDirectory() as folder:
        net.export(f"{folder}/net", epoch=0)
        mx_onnx.export_model(f"{folder}/net-symbol.json", f"{folder}/net-0000.params", [(1, 3, 16, 16)], [np.float32], out)


def caffe_residual(out):
    """pip install "onnx==1.11.0" "protobuf<3.20.2" "numpy==1.23.5"; pip install --no-deps caffe2onnx   (Python 3.8)"""
    import numpy as np
    from caffe2onnx.proto import caffe_upsample_pb2 as caffe
    from caffe2onnx.src.caffe2onnx import Caffe2Onnx
    from caffe2onnx.src.load_save_model import saveonnxmodel
    from google.protobuf import text_format

    random, layers = np.random.RandomState(1), []

    def layer(name, kind, bottoms, top, body="", blobs=()):
        bottom = " ".join(f'bottom: "{b}"' for b in bottoms)
        layers.append((f'layer {{ name: "{name}" type: "{kind}" {bottom} top: "{top}" {body} }}\n', blobs))

    def convolution(name, inputs, bottom, bias):
        blobs = [random.randn(8, inputs, 3, 3) * 0.2] + ([random.randn(8)] if bias else [])
        layer(name, "Convolution", [bottom], name,
              f"convolution_param {{ num_output: 8 kernel_size: 3 pad: 1 stride: 1 bias_term: {str(bias).lower()} }}", blobs)

    def norm(suffix, bottom, top):
        layer(f"bn{suffix}", "BatchNorm", [bottom], top, "batch_norm_param { use_global_stats: true eps: 1e-5 }",
              [random.randn(8), random.rand(8) + 0.5, np.ones(1)])
        layer(f"scale{suffix}", "Scale", [top], top, "scale_param { bias_term: true }", [random.rand(8) + 0.5, random.randn(8)])

    layer("data", "Input", [], "data", "input_param { shape { dim: 1 dim: 3 dim: 16 dim: 16 } }")
    convolution("conv1", 3, "data", False)
    norm("_conv1", "conv1", "bn1")
    layer("conv1_relu", "ReLU", ["bn1"], "relu1")
    last = "relu1"
    for block in ("2a", "2b"):
        convolution(f"res{block}_branch2a", 8, last, False)
        norm(f"{block}_branch2a", f"res{block}_branch2a", f"bn{block}")
        layer(f"res{block}_branch2a_relu", "ReLU", [f"bn{block}"], f"act{block}")
        convolution(f"res{block}_branch2b", 8, f"act{block}", True)
        layer(f"res{block}", "Eltwise", [last, f"res{block}_branch2b"], f"res{block}", "eltwise_param { operation: SUM }")
        layer(f"res{block}_relu", "ReLU", [f"res{block}"], f"out{block}")
        last = f"out{block}"
    layer("pool5", "Pooling", [last], "pool5", "pooling_param { pool: AVE global_pooling: true }")
    layer("fc5", "InnerProduct", ["pool5"], "fc5", "inner_product_param { num_output: 5 }", [random.randn(5, 8), random.randn(5)])
    layer("prob", "Softmax", ["fc5"], "prob")
    net, model = caffe.NetParameter(), caffe.NetParameter()
    text_format.Merge('name: "net"\n' + "".join(text for text, _ in layers), net)
    model.CopyFrom(net)
    for stored, (_, blobs) in zip(model.layer, layers):
        for values in blobs:
            blob = stored.blobs.add()
            blob.shape.dim.extend(values.shape)
            blob.data.extend(values.astype("f").ravel().tolist())
    saveonnxmodel(Caffe2Onnx(net, model, out).createOnnxModel(), out)


def coreml_net(out):
    """pip install coremltools==3.4 onnxmltools==1.7.0 onnxconverter-common==1.7.0 onnx==1.8.1 numpy==1.18.5   (Python 3.7)"""
    import coremltools
    import numpy as np
    import onnxmltools
    from coremltools.models import datatypes
    from coremltools.models.neural_network import NeuralNetworkBuilder

    random = np.random.RandomState(1)
    net = NeuralNetworkBuilder([("image", datatypes.Array(3, 16, 16))], [("scores", datatypes.Array(5))])

    def convolution(name, inputs, source, target, bias):
        net.add_convolution(name=name, kernel_channels=inputs, output_channels=8, height=3, width=3, stride_height=1,
                            stride_width=1, border_mode="same", groups=1, W=random.randn(3, 3, inputs, 8).astype("f") * 0.2,
                            b=random.randn(8).astype("f") if bias else None, has_bias=bias, input_name=source, output_name=target)

    convolution("stem/conv", 3, "image", "s0", False)
    net.add_batchnorm(name="stem/bn", channels=8, gamma=random.rand(8) + 0.5, beta=random.randn(8), mean=random.randn(8),
                      variance=random.rand(8) + 0.5, input_name="s0", output_name="s1")
    net.add_activation(name="stem/relu", non_linearity="RELU", input_name="s1", output_name="a0")
    for k in (1, 2):
        convolution(f"block{k}/conv", 8, f"a{k - 1}", f"c{k}", True)
        net.add_activation(name=f"block{k}/leaky", non_linearity="LEAKYRELU", params=[0.1], input_name=f"c{k}", output_name=f"p{k}")
        net.add_elementwise(name=f"block{k}/add", input_names=[f"a{k - 1}", f"p{k}"], output_name=f"a{k}", mode="ADD")
    net.add_pooling(name="pool", height=16, width=16, stride_height=1, stride_width=1, layer_type="AVERAGE",
                    padding_type="VALID", input_name="a2", output_name="pooled", is_global=True)
    net.add_flatten(name="flatten", mode=0, input_name="pooled", output_name="flat")
    net.add_inner_product(name="fc", W=random.randn(5, 8).astype("f"), b=random.randn(5).astype("f"), input_channels=8,
                          output_channels=5, has_bias=True, input_name="flat", output_name="logits")
    net.add_softmax(name="prob", input_name="logits", output_name="scores")
    converted = onnxmltools.convert_coreml(coremltools.models.MLModel(net.spec), "net", target_opset=11)
    onnxmltools.utils.save_model(converted, out)


DARKNET = """[net]
batch=1
width=64
height=64
channels=3
""" + "".join(f"""
[convolutional]
batch_normalize=1
filters={filters}
size={size}
stride={stride}
pad=1
activation={activation}
""" for filters, size, stride, activation in ((8, 3, 1, "mish"), (16, 3, 2, "leaky"), (8, 1, 1, "leaky"), (16, 3, 1, "leaky"))) + """
[shortcut]
from=-3
activation=linear

[maxpool]
size=2
stride=2

[convolutional]
batch_normalize=1
filters=16
size=1
stride=1
pad=1
activation=leaky

[upsample]
stride=2

[route]
layers=-1,-4

[convolutional]
size=1
stride=1
pad=1
filters=18
activation=linear

[yolo]
mask=0,1,2
anchors=4,5, 8,9, 14,12
classes=1
num=3
jitter=.3
ignore_thresh=.7
truth_thresh=1
scale_x_y=1.05
iou_thresh=0.213
"""


def darknet_net(out):
    """pip install torch onnx onnxscript opencv-python-headless; pip install --no-deps darknet2any"""
    import numpy as np
    from darknet2any.tool.darknet2onnx import transform_to_onnx
    from darknet2any.tool.darknet2pytorch import Darknet

    with tempfile.TemporaryDirectory() as folder:
        settings, weights = f"{folder}/net.cfg", f"{folder}/net.weights"
        pathlib.Path(settings).write_text(DARKNET)
        count = sum(p.numel() for name, p in Darknet(settings).state_dict().items() if "num_batches" not in name)
        with open(weights, "wb") as file:
            np.array([0, 2, 0, 0, 0], np.int32).tofile(file)
            (np.random.RandomState(1).rand(count).astype("f") * 0.2 + 0.05).tofile(file)
        transform_to_onnx(settings, weights, 1, out)


def skl_mlp(out):
    """pip install scikit-learn skl2onnx"""
    from skl2onnx import to_onnx
    from sklearn.datasets import load_digits
    from sklearn.decomposition import PCA
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline, make_union
    from sklearn.preprocessing import MinMaxScaler, StandardScaler

    images, labels = load_digits(return_X_y=True)
    images = images.astype("f")
    steps = make_pipeline(StandardScaler(), make_union(PCA(12), MinMaxScaler()),
                          MLPClassifier((24, 16), max_iter=60, random_state=1)).fit(images, labels)
    model = to_onnx(steps, images[:1], options={"zipmap": False}, target_opset=17)
    pathlib.Path(out).write_bytes(model.SerializeToString())


def skl_digits(out):
    """pip install scikit-learn skl2onnx. Trained; probabilities as a map (ZipMap). Writes 64 samples with labels too."""
    import numpy as np
    from skl2onnx import to_onnx
    from sklearn.datasets import load_digits
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    images, labels = load_digits(return_X_y=True)
    images = images.astype("f")
    steps = make_pipeline(StandardScaler(), MLPClassifier((16,), max_iter=400, random_state=0)).fit(images[:1200], labels[:1200])
    model = to_onnx(steps, images[:1], target_opset=17)
    pathlib.Path(out).write_bytes(model.SerializeToString())
    np.savez_compressed(pathlib.Path(out).with_suffix(".npz"), X=images[1200:1264], label=labels[1200:1264])


def varied(values, random):
    """Training leaves no biases of zero, which converters fold away."""
    return values + random.randn(*values.shape).astype("f") * 0.1


def flax_attention(out):
    """pip install tensorflow-cpu tf2onnx jax==0.4.34 jaxlib==0.4.34 flax==0.10.0"""
    import flax.linen as nn
    import jax
    import jax.numpy as jnp
    import numpy as np
    import tensorflow as tf
    import tf2onnx
    from jax.experimental import jax2tf

    class Block(nn.Module):
        @nn.compact
        def __call__(self, x):
            y = nn.LayerNorm()(x)
            x = x + nn.MultiHeadDotProductAttention(num_heads=2)(y, y)
            y = nn.Dense(32)(nn.LayerNorm()(x))
            return x + nn.Dense(16)(nn.gelu(y))

    class Encoder(nn.Module):
        @nn.compact
        def __call__(self, ids):
            x = nn.Embed(32, 16)(ids)
            for _ in range(2):
                x = Block()(x)
            return nn.Dense(5, name="head")(x.mean(1))

    random, ids = np.random.RandomState(1), jnp.zeros((1, 8), jnp.int32)
    weights = Encoder().init(jax.random.PRNGKey(0), ids)
    weights = jax.tree_util.tree_map(lambda values: varied(values, random), weights)
    paths = {"/".join(["Encoder", *(key.key for key in path[1:-1])]): values
             for path, values in jax.tree_util.tree_flatten_with_path(weights)[0] if path[-1].key == "kernel"}
    np.savez(f"{out}.npz", **paths)
    signature = [tf.TensorSpec((1, 8), tf.int32, name="ids")]
    program = tf.function(jax2tf.convert(lambda x: Encoder().apply(weights, x), enable_xla=False), input_signature=signature,
                          autograph=False)
    tf2onnx.convert.from_function(program, input_signature=signature, opset=15, output_path=out)


def keras2_attention(out):
    """pip install tensorflow-cpu tf_keras tf2onnx"""
    import subprocess

    import numpy as np
    import tensorflow as tf
    import tf_keras as keras

    class Block(keras.layers.Layer):
        def __init__(self, size, **names):
            super().__init__(**names)
            self.norm1, self.norm2 = keras.layers.LayerNormalization(), keras.layers.LayerNormalization()
            self.attention = keras.layers.MultiHeadAttention(2, size // 2)
            self.up, self.down = keras.layers.Dense(size * 2, activation="gelu"), keras.layers.Dense(size)

        def call(self, x):
            y = self.norm1(x)
            x = x + self.attention(y, y)
            return x + self.down(self.up(self.norm2(x)))

    class Encoder(keras.Model):
        def __init__(self):
            super().__init__(name="encoder")
            self.embed, self.head = keras.layers.Embedding(32, 16), keras.layers.Dense(5)
            self.blocks = [Block(16, name=f"block_{i}") for i in range(2)]

        def call(self, ids):
            x = self.embed(ids)
            for block in self.blocks:
                x = block(x)
            return self.head(tf.reduce_mean(x, 1))

    tf.random.set_seed(1)
    random, net = np.random.RandomState(1), Encoder()
    net(tf.zeros((1, 8), tf.int32))
    net.set_weights([varied(values, random) for values in net.get_weights()])
    np.savez(f"{out}.npz", **{w.name.rsplit("/", 1)[0]: w.numpy() for w in net.weights if "kernel" in w.name})
    program = tf.function(lambda ids: {"out": net(ids)}).get_concrete_function(tf.TensorSpec((None, 8), tf.int32, name="ids"))
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(net, folder, signatures=program)
        subprocess.run([sys.executable, "-m", "tf2onnx.convert", "--saved-model", folder, "--opset", "15", "--output", out], check=True)


def text_model(kind=None):
    import torch
    from transformers import BertConfig, BertModel

    torch.manual_seed(1)
    config = BertConfig(vocab_size=64, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
                        max_position_embeddings=32, num_labels=3, attn_implementation="eager")
    model = (kind or BertModel)(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    return model


def export(model, out, names, opset=17):
    import torch

    inputs = tuple(torch.ones(1, 8, dtype=torch.int64) for _ in names)
    torch.onnx.export(model, inputs, out, dynamo=False, opset_version=opset, input_names=names)


def without_dictionary(model):
    import torch

    class Plain(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.bert = model

        def forward(self, input_ids, attention_mask):
            return self.bert(input_ids=input_ids, attention_mask=attention_mask, return_dict=False)

    return Plain().eval()


def optimum_bert(out):
    """pip install torch onnx onnxscript "transformers<4.58" optimum-onnx==0.1.0"""
    from optimum.exporters.onnx import export as export_with_optimum
    from optimum.exporters.tasks import TasksManager
    from transformers import BertForSequenceClassification

    model = text_model(BertForSequenceClassification)
    settings = TasksManager.get_exporter_config_constructor("onnx", model, task="text-classification", library_name="transformers")
    export_with_optimum(model, settings(model.config, task="text-classification"), pathlib.Path(out), opset=17)


def olive_bert(out):
    """pip install torch onnx onnxscript transformers olive-ai==0.13.0"""
    import shutil

    from olive.hardware.accelerator import DEFAULT_CPU_ACCELERATOR
    from olive.model import ONNXModelHandler
    from olive.passes.olive_pass import create_pass_from_dict
    from olive.passes.onnx.peephole_optimizer import OnnxPeepholeOptimizer
    from olive.passes.onnx.transformer_optimization import OrtTransformersOptimization

    with tempfile.TemporaryDirectory() as folder:
        export(without_dictionary(text_model()), f"{folder}/bert.onnx", ["input_ids", "attention_mask"])
        model = ONNXModelHandler(f"{folder}/bert.onnx")
        for number, (kind, settings) in enumerate(((OnnxPeepholeOptimizer, {}), (OrtTransformersOptimization,
                dict(model_type="bert", num_heads=2, hidden_size=32, opt_level=0)))):
            step = create_pass_from_dict(kind, settings, disable_search=True, accelerator_spec=DEFAULT_CPU_ACCELERATOR)
            model = step.run(model, f"{folder}/{number}")
        shutil.copy(model.model_path, out)


def aimet_blocks(out):
    """pip install torch onnx onnxscript aimet-onnx==2.42.0"""
    import onnx
    import torch
    from aimet_onnx import QuantizationSimModel
    from torch import nn

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1, self.conv2, self.relu = nn.Conv2d(8, 8, 3, padding=1), nn.Conv2d(8, 8, 3, padding=1), nn.ReLU()

        def forward(self, x):
            return self.relu(x + self.conv2(self.relu(self.conv1(x))))

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.stem, self.blocks = nn.Conv2d(3, 8, 3, padding=1), nn.Sequential(Block(), Block())
            self.pool, self.fc = nn.AdaptiveAvgPool2d(1), nn.Linear(8, 5)

        def forward(self, x):
            return self.fc(self.pool(self.blocks(self.stem(x))).flatten(1))

    torch.manual_seed(1)
    image = torch.randn(1, 3, 16, 16)
    torch.onnx.export(Net().eval(), (image,), out, dynamo=False, opset_version=17, input_names=["image"])
    simulation = QuantizationSimModel(onnx.load(out))
    simulation.compute_encodings([{"image": image.numpy()}])
    onnx.save(simulation.to_onnx_qdq(), out)


def winml_bert(out):
    """pip install torch onnx onnxscript transformers; unpack the wheel of winml-cli 0.4.0 and name its folder in WINML: the
    package needs Windows, its hooks and its tagger do not"""
    import importlib
    import types

    import onnx
    import torch

    base = pathlib.Path(os.environ["WINML"])
    for name in ("winml", "winml.modelkit", "winml.modelkit.core", "winml.modelkit.export", "winml.modelkit.export.htp"):
        package = types.ModuleType(name)
        package.__path__ = [str(base.joinpath(*name.split(".")))]
        sys.modules[name] = package
    hierarchy = importlib.import_module("winml.modelkit.export.htp.hierarchy")
    tagger = importlib.import_module("winml.modelkit.core.onnx_node_tagger")
    model, names = without_dictionary(text_model()), ["input_ids", "attention_mask"]
    ids = torch.ones(1, 8, dtype=torch.int64)
    builder = hierarchy.TracingHierarchyBuilder(exceptions=None)
    builder.trace_model_execution(model, {name: ids for name in names})
    export(model, out, names)
    exported = onnx.load(out)
    tags = tagger.ONNXNodeTagger(builder.get_execution_summary()["module_hierarchy"]).tag_all_nodes(exported)
    for node in exported.graph.node:  # as HTPExporter._embed_tags_in_onnx and _embed_graph_metadata do
        tag = tags[node.name]
        node.metadata_props.add(key="winml.hierarchy.tag", value=tag)
        node.metadata_props.add(key="winml.hierarchy.depth", value=str(len([part for part in tag.split("/") if part])))
    inputs = [dict(name=name, dtype="int64", shape=[1, 8]) for name in names]
    exported.metadata_props.add(key="winml.io.inputs", value=json.dumps(inputs))
    onnx.save(exported, out)


if __name__ == "__main__":
    globals()[sys.argv[1]](sys.argv[2])
