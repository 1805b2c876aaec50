# SPDX-License-Identifier: Apache-2.0
"""Which nodes of an exported model an operation of the network became: those between values that both of them compute.
A batch norm folded into a convolution has no value of its own before it: then both belong to the node that is left."""
import collections

import onnx
import onnxruntime

import truth

READERS = {"Gather", "Conv", "ConvTranspose", "MatMul", "Gemm", "LSTM", "GRU", "RNN", "GatherElements", "Einsum"}


def size_of(dims):
    """What transposing and reshaping for a broadcast leave of a shape; empty for scalars."""
    return tuple(sorted(d for d in dims if d != 1))


def node_names(graph):
    """As duoscope names nodes: unnamed and repeated ones after their first output."""
    counts = collections.Counter(node.name for node in graph.node)
    return [node.name if node.name and counts[node.name] == 1 else f"{node.op_type}:{next(filter(None, node.output))}"
            for node in graph.node]


def values_of(path, inputs):
    """@return {value name: print of what the runtime computes}"""
    model = onnx.load(path)
    known = {value.name for value in model.graph.output}
    for node in model.graph.node:
        model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in node.output if name and name not in known)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    feeds = {value.name: tensor.numpy() for value, tensor in zip(session.get_inputs(), inputs)}
    names = [value.name for value in session.get_outputs()]
    prints = {name: truth.print_of(array) for name, array in zip(names, session.run(names, feeds))}
    return {name: known_print for name, known_print in prints.items() if known_print is not None}


class Alignment:
    def __init__(self, graph, values, recorder):
        self.graph, self.values, self.recorder = graph, values, recorder
        self.producer = {name: i for i, node in enumerate(graph.node) for name in node.output if name}
        stored = {t.name: t for t in graph.initializer}
        stored.update({node.output[0]: node.attribute[0].t for node in graph.node
                       if node.op_type == "Constant" and node.attribute[0].name == "value"})
        self.constant = set(stored)
        self.sizes = {name: {size_of(t.dims)} for name, t in stored.items() if t.data_type == onnx.TensorProto.FLOAT}
        self.by_size = collections.defaultdict(list)
        for name in sorted(values, key=lambda name: self.producer[name]):
            self.by_size[values[name][-1]].append(name)
        self.follow_constants()

    def follow_constants(self):
        """Sizes of the floats that each constant value is made of; lookups and products are readers of their own."""
        for node in self.graph.node:
            given = [name for name in node.input if name]
            if given and all(name in self.constant for name in given):
                sizes = set().union(*(self.sizes.get(name, set()) for name in given))
                self.constant.update(node.output)
                if node.op_type not in READERS:
                    self.sizes.update({name: sizes for name in node.output})

    def find(self, event):
        """@return names of values that are what the operation gave"""
        for known in event.prints:
            for name in self.by_size.get(known[-1], []):
                if name not in self.constant and truth.same(self.values[name], known):
                    yield name

    def regions(self):
        """@return [(nodes, keys)], one for each operation or fused row of them whose result the model computes too"""
        found = [list(self.find(event)) for event in self.recorder.events]
        boundary = {name for names in found for name in names} | {value.name for value in self.graph.input}
        carried, regions = {}, []
        for event, names in zip(self.recorder.events, found):
            keys = dict.fromkeys(key for before in event.taken for key in carried.get(id(before), []))
            keys.update(dict.fromkeys(event.keys))
            carried[id(event)] = [] if names else list(keys)
            if keys and names:
                regions.append((set().union(*(self.between(name, boundary) for name in names)), list(keys)))
        return regions

    def between(self, last, boundary):
        nodes, open_values = set(), [last]
        while open_values:
            name = open_values.pop()
            made_by = self.producer.get(name)
            if made_by is None or made_by in nodes or (name != last and name in boundary):
                continue
            nodes.add(made_by)
            open_values += [given for given in self.graph.node[made_by].input if given]
        return nodes

    def reads(self, node):
        """Sizes of the floats that a node works with; empty where it only prepares constants for another one."""
        if node.op_type in ("Shape", "Identity", "Constant"):
            return set()
        prepares = all(name in self.constant for name in node.input if name) and node.op_type not in READERS
        return set() if prepares else set().union(*(self.sizes.get(name, set()) for name in node.input))


def owner(key):
    return key.rpartition(".")[0]


def renamed(must, may, graph):
    """What was expected of a model, of the one that a quantizer made of it: nodes keep their names or get more
    behind them; what stands between new nodes and known ones belongs to these."""
    names, known = node_names(graph), {}
    for name in names:
        base = name
        while base not in may and "_" in base:
            base = base.rpartition("_")[0]
        known[name] = base if base in may else None
    consumers = collections.defaultdict(list)
    for i, node in enumerate(graph.node):
        for given in node.input:
            consumers[given].append(i)
    new_may = {}
    for i in reversed(range(len(names))):
        if known[names[i]] is not None:
            new_may[names[i]] = may[known[names[i]]]
        else:
            behind = [j for name in graph.node[i].output for j in consumers[name]]
            new_may[names[i]] = set().union(*(new_may.get(names[j], set()) for j in behind))
    must = {name: must[base] for name, base in known.items()
            if base in must and (name == base or name == base + "_quant")}
    return must, new_may


def expected_owners(path, recorder, inputs, model):
    """@return {node name: modules whose parameters the node works with, none missing},
    {node name: modules that it may have to do with}; the keys that no node could be found for"""
    graph = onnx.load(path).graph
    alignment = Alignment(graph, values_of(path, inputs), recorder)
    regions = alignment.regions()
    names = node_names(graph)
    sizes = {key: size_of(tensor.shape) for key, tensor in model.state_dict().items()}
    must, may = {}, {name: set() for name in names}
    for nodes, keys in regions:
        readers = {i: alignment.reads(graph.node[i]) for i in nodes}
        modules = set(map(owner, keys))
        real = [i for i, read in readers.items() if any(read) or (read and any(not sizes[key] for key in keys))]
        alike = [i for i in real if any(sizes[key] in readers[i] for key in keys)]
        real = alike or real  # the others read constants that the exporter made
        for i in nodes:
            may[names[i]].update(owner(tie) for key in keys for tie in recorder.ties[key])
        for i in real:
            if graph.node[i].op_type == "Expand" and not any(sizes[key] in readers[i] for key in keys):
                continue  # a state of zeros
            own = modules
            if len(modules) > 1 and len(real) > 1:  # several operations in one region: weights tell them apart
                own = {owner(key) for key in keys if sizes[key] in readers[i]}
            own and must.setdefault(names[i], set()).update(own)
    used = {key for event in recorder.events for key in event.keys}
    lost = used - {key for _, keys in regions for key in keys}
    return must, may, lost
