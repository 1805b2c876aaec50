# SPDX-License-Identifier: Apache-2.0
"""NNCF's quantizer setup of an ONNX model, in the form of `duoscope-cli plan --json`, reduced to what both must agree on.

A table is a list of lines, sorted: one per quantizer `<target>|<port or ->|<A or W><S or A><bits><c or t>[n][s] > <nodes it quantizes>`
(c per channel, t per tensor, n narrow range, s or u a forced sign), then one per unified scale group: `= <members>`.
Nodes are written as their index in the file, model inputs as i<index>."""
import copy
import functools
import logging

import nncf
import onnx
from nncf.common.graph.definitions import MODEL_INPUT_OP_NAME, MODEL_OUTPUT_OP_NAME
from nncf.common.graph.patterns.manager import PatternsManager
from nncf.onnx.graph.nncf_graph_builder import GraphConverter
from nncf.onnx.graph.passes import apply_preprocess_passes
from nncf.parameters import ModelType, TargetDevice
from nncf.common.quantization.structs import QuantizationPreset
from nncf.quantization.advanced_parameters import QuantizationParameters
from nncf.quantization.algorithms.min_max.algorithm import MinMaxQuantization

nncf.set_log_level(logging.ERROR)

# NNCF joins its 139 patterns anew for every model: that takes longer than all the rest for small ones.
PatternsManager.get_full_hw_pattern_graph = staticmethod(functools.cache(PatternsManager.get_full_hw_pattern_graph))
PatternsManager.get_full_ignored_pattern_graph = staticmethod(functools.cache(PatternsManager.get_full_ignored_pattern_graph))


def shorthand(config):
    """`S8c`, with n for a narrow range, s or u for a forced sign."""
    mode = "S" if config["mode"] == "symmetric" else "A"
    sign = {None: "", True: "s", False: "u"}[config.get("signedness_to_force")]
    return f"{mode}{config['num_bits']}{'c' if config['per_channel'] else 't'}{'n' if config['narrow_range'] else ''}{sign}"


class Names:
    """Indices of nodes and inputs by name."""

    def __init__(self, model):
        self.index = {node.name: str(i) for i, node in enumerate(model.graph.node)}

    def __call__(self, name):
        if name.startswith(MODEL_INPUT_OP_NAME):
            return "i" + name[len(MODEL_INPUT_OP_NAME) + 1:]
        return self.index[name]

    def all(self, names):
        return " ".join(sorted((self(name) for name in set(names)), key=lambda text: (text[0] == "i", int(text.lstrip("i")))))


def lines_of(points, groups, names):
    """`points`: {id: (target, port or None, is weight, config, [operators])}."""
    heads = {key: f"{names(target)}|{'-' if port is None else port}|{'W' if weight else 'A'}{shorthand(config)}"
             for key, (target, port, weight, config, _) in points.items()}
    lines = sorted(f"{heads[key]} > {names.all(points[key][4])}" for key in points)
    unified = {tuple(sorted({heads[member] for member in members if member in heads})) for members in groups}
    return lines + sorted("= " + ", ".join(group) for group in unified if len(group) > 1)


def preprocessed(model):
    """What NNCF quantizes: unnamed nodes named, casts to the same type gone."""
    model = copy.deepcopy(model)
    try:
        return apply_preprocess_passes(model)
    except KeyError:  # its cast pass wants the type of every value
        return onnx.shape_inference.infer_shapes(model)


def algorithm(settings, opset=13):
    """`settings` with the keys of a recipe's `quantization`."""
    choose = lambda key, kind: kind(settings[key]) if settings.get(key) else None
    def parameters(key):
        params = QuantizationParameters(**settings[key]) if settings.get(key) else None
        if opset < 13:  # as quantize() does
            params = params or QuantizationParameters()
            params.per_channel = False
        return params
    return MinMaxQuantization(
        preset=choose("preset", QuantizationPreset), model_type=choose("model_type", ModelType),
        target_device=TargetDevice(settings.get("target_device", "ANY")), quantize_outputs=settings.get("quantize_outputs", False),
        activations_quantization_params=parameters("activations_quantization_params"),
        weights_quantization_params=parameters("weights_quantization_params"))


def setup_of(model, settings, ignored=()):
    """(NNCF's graph, its final quantizer setup, the algorithm object)."""
    algo = algorithm(settings, model.opset_import[0].version)
    algo._set_backend_entity(model)
    algo._init_cache()
    if ignored:
        algo.set_ignored_scope(nncf.IgnoredScope(names=list(ignored)))
    graph = GraphConverter.create_nncf_graph(model)
    return graph, algo.find_quantization_setup(model, graph), algo


def points_of(graph, setup, algo):
    """Weight points with their ports, those of one tensor merged as NNCF does when it inserts them; unified groups; which
    points each of NNCF's ids has become."""
    points, weights, members = {}, {}, {}
    order = lambda item: (graph.get_node_by_name(item[1].insertion_point.target_node_name).node_id, item[0])
    for key, point in sorted(setup.quantization_points.items(), key=order):
        target = point.insertion_point.target_node_name
        port = None if point.is_weight_quantization_point() else point.insertion_point.input_port_id
        if target.startswith(MODEL_OUTPUT_OP_NAME):  # in front of an output is behind its producer
            target, port = graph.get_previous_nodes(graph.get_node_by_name(target))[0].node_name, None
        config = {"mode": point.qconfig.mode.value, "num_bits": point.qconfig.num_bits, "per_channel": point.qconfig.per_channel,
                  "narrow_range": point.qconfig.narrow_range, "signedness_to_force": point.qconfig.signedness_to_force}
        operators = [name for name in point.directly_quantized_operator_node_names if not name.startswith(MODEL_OUTPUT_OP_NAME)]
        members[key] = []
        if not point.is_weight_quantization_point():
            points[key, None] = (target, port, False, config, operators)
            members[key].append((key, None))
            continue
        node = graph.get_node_by_name(target)
        for port in sorted(algo._backend_entity.get_weight_tensor_port_ids(node, graph)):
            name = node.layer_attributes.weight_attrs[port]["name"]
            first = weights.setdefault(name, (key, port))
            if first in points:
                points[first][4].extend(operators)
            else:
                points[key, port] = (target, port, True, config, operators)
            members[key].append(first)
    groups = [[one for key in group for one in members.get(key, [])] for group in setup.unified_scale_groups.values()]
    return points, groups, members


def nncf_lines(model, settings, ignored=()):
    graph, setup, algo = setup_of(model, settings, ignored)
    points, groups, _ = points_of(graph, setup, algo)
    return lines_of(points, groups, Names(model))


def duoscope_lines(plan, model):
    """The same of the JSON that `plan --json` prints."""
    points = {}
    for key, point in plan["quantization_points"].items():
        qip = point["qip"]
        points[int(key)] = (qip["target_node_name"], qip.get("input_port_id"), point["qip_class"].startswith("Weight"),
                            point["qconfig"], point["directly_quantized_operator_node_names"])
    return lines_of(points, plan["unified_scale_groups"].values(), Names(model))
