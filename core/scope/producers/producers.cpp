// SPDX-License-Identifier: Apache-2.0
#include "core/scope/producers/producers.h"

#include "core/model/held_tensors.h"
#include "core/scope/producers/layer_names.h"
#include "core/scope/producers/tensorflow_names.h"

#include <algorithm>
#include <array>
#include <string>

namespace duo {
namespace {

constexpr std::array<Producer, 19> kProducers{{
    {"tf2onnx", "TensorFlow and Keras through tf2onnx", "tf2onnx", NameGrammar::TensorFlow,
        "whether a name scope is a layer or only a scope of the program, and the names of layers whose operations were "
        "all folded away, are not told"},
    {"keras2onnx", "Keras through keras2onnx", "keras2onnx", NameGrammar::TensorFlow,
        "which layers lie inside others is told by slashes only"},
    {"paddle2onnx", "PaddlePaddle through paddle2onnx", "paddle", NameGrammar::Paddle,
        "nodes have no names, so where a node runs is guessed from the parameters it reads; layers are not nested"},
    {"mxnet", "MXNet", "mxnet", NameGrammar::Layers, "blocks around layers are told by underscores only"},
    {"caffe", "Caffe", "caffe|onnx-caffe", NameGrammar::Layers,
        "layers are not nested, but for slashes in their names"},
    {"darknet", "Darknet", "nvidia tensorrt sample|darknet", NameGrammar::Layers, "layers are numbered and not nested"},
    {"coreml", "Core ML through onnxmltools", "onnxmltools", NameGrammar::Layers,
        "a layer is called by its kind and a number: the name it had is lost, and so is nesting"},
    {"layers", "a converter that calls nodes as their layers", "", NameGrammar::Layers,
        "layers are not nested, but for slashes and dots in their names"},
    {"skl2onnx", "scikit-learn through skl2onnx", "skl2onnx", NameGrammar::None,
        "models of scikit-learn have no modules: steps of a pipeline leave no names"},
    {"onnxruntime", "ONNX Runtime's optimizer", "onnxruntime|ort", NameGrammar::None,
        "a fused node keeps the name of one of the nodes it replaces"},
    {"onnxsim", "onnx-simplifier", "onnx-simplifier|onnxsim", NameGrammar::None,
        "what was folded into a constant lost its module"},
    {"onnxoptimizer", "the ONNX optimizer", "onnx-optimizer|onnxoptimizer", NameGrammar::None,
        "what was folded into a constant lost its module"},
    {"spox", "spox", "spox", NameGrammar::None,
        "modules are told only where a model from elsewhere was inlined and kept its names"},
    {"winml", "winml-cli", "", NameGrammar::None,
        "its tags name classes of modules, and none of PyTorch's own: where a node runs is told by its name",
        "winml.io.inputs"},
    {"aimet", "AIMET", "", NameGrammar::None,
        "the quantizers it puts in are of no module: they are shown beside what they quantize", "producer=aimet-onnx"},
    {"olive", "Olive", "", NameGrammar::None, "what it fuses keeps no name that tells a module", "olive_version"},
    {"ultralytics", "Ultralytics", "", NameGrammar::None, "", "author=Ultralytics"},
    {"pytorch", "PyTorch", "pytorch", NameGrammar::PyTorch, ""},
    {"unknown", "an unknown producer", "", NameGrammar::None, "the names in the file follow no form that is known"},
}};

const Producer& rowOf(std::string_view id)
{
    return *std::ranges::find(kProducers, id, &Producer::id);
}

bool isNamedBy(const Producer& producer, const std::string& name)
{
    for (std::size_t start = 0; start < producer.names.size();) {
        const std::size_t end = std::min(producer.names.find('|', start), producer.names.size());
        if (name.starts_with(producer.names.substr(start, end - start)))
            return true;
        start = end + 1;
    }
    return false;
}

bool hasMark(const Model& model, std::string_view mark)
{
    if (mark.empty())
        return false;
    const std::size_t equals = std::min(mark.find('='), mark.size());
    const std::string_view value = metadataValue(model.metadata, mark.substr(0, equals));
    return !value.empty() && value.starts_with(mark.substr(std::min(equals + 1, mark.size())));
}

bool readsOwnTensor(const Model& model, const Node& node)
{
    const std::string_view layer = layerOfNode(node.localName);
    return std::ranges::any_of(node.inputs, [&](ValueId input) {
        if (!input.valid() || model.constant(input) == nullptr)
            return false;
        const auto tensor = layerTensor(model.value(input).name);
        return tensor && tensor->layer == layer;
    });
}

/// "Conv", "Conv_3".
bool isNamedAfter(std::string_view part, std::string_view opType)
{
    return part.starts_with(opType);
}

/// Constant nodes are left out: whether a tensor stands in one or is an initializer says nothing.
void countNode(const Model& model, const Node& node, NameMarks& marks)
{
    if (isConstantNode(node))
        return;
    const std::string& name = node.localName;
    marks.classical += node.domain == "ai.onnx.ml" ? 1 : 0;
    if (name.empty())
        return;
    ++marks.named;
    const std::size_t slash = name.rfind('/');
    if (name.front() == '/')
        marks.torch += isNamedAfter(std::string_view(name).substr(slash + 1), node.opType) ? 1 : 0;
    else
        marks.slashed += slash != std::string::npos ? 1 : 0;
    marks.tensorFlow += isTensorFlowName(name) ? 1 : 0;
    marks.forward += isForward(name) ? 1 : 0;
    marks.layered += readsOwnTensor(model, node) ? 1 : 0;
}

} // namespace

NameMarks nameMarks(const Model& model)
{
    NameMarks marks;
    for (const Node& node : model.nodes)
        countNode(model, node, marks);
    const auto countName = [&marks](std::string_view name) {
        marks.numbered += hasOutputNumber(name) ? 1 : 0;
        marks.paddle += isPaddleName(name) ? 1 : 0;
    };
    for (const Value& value : model.values) {
        if (!value.producer.valid() && !value.initializer.valid())
            countName(value.name);
    }
    for (const HeldTensor& held : heldTensors(model)) {
        marks.tensorFlow += isTensorFlowName(held.name) ? 1 : 0;
        countName(held.name);
    }
    return marks;
}

std::span<const Producer> producers()
{
    return kProducers;
}

NameGrammar grammarOf(const NameMarks& marks)
{
    if (marks.torch > marks.slashed)
        return NameGrammar::PyTorch;
    if (marks.tensorFlow > 0 || (marks.slashed > 0 && marks.numbered > 0))
        return NameGrammar::TensorFlow;
    if (marks.layered > 0)
        return NameGrammar::Layers;
    return marks.paddle > 0 ? NameGrammar::Paddle : NameGrammar::None;
}

const Producer& producerOf(const Model& model, const NameMarks& marks)
{
    std::string name = model.producerName;
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    const auto row
        = std::ranges::find_if(kProducers, [&](const Producer& producer) { return isNamedBy(producer, name); });
    const NameGrammar grammar = grammarOf(marks);
    if (row != kProducers.end() && row->grammar == NameGrammar::TensorFlow && marks.slashed > marks.torch)
        return *row;
    if (row != kProducers.end() && (row->grammar == grammar || marks.named == 0))
        return *row;
    switch (grammar) {
    case NameGrammar::TensorFlow:
        return rowOf("tf2onnx");
    case NameGrammar::Paddle:
        return rowOf("paddle2onnx");
    case NameGrammar::Layers:
        return rowOf(marks.forward > 0 ? "mxnet" : "layers");
    case NameGrammar::PyTorch:
        return rowOf("pytorch");
    case NameGrammar::None:
        break;
    }
    if (row != kProducers.end())
        return *row;
    return marks.classical > 0 ? rowOf("skl2onnx") : rowOf("unknown");
}

std::vector<const Producer*> rewritersOf(const Model& model)
{
    std::vector<const Producer*> rewriters;
    for (const Producer& producer : kProducers) {
        if (hasMark(model, producer.metadata))
            rewriters.push_back(&producer);
    }
    return rewriters;
}

std::optional<Note> producerNote(const Model& model)
{
    std::string text;
    const auto say = [&](std::string_view how, const Producer& producer) {
        if (producer.cannotTell.empty() || producer.id == "unknown")
            return;
        text += text.empty() ? "" : "; ";
        text += how;
        text += producer.title;
        text += ": ";
        text += producer.cannotTell;
    };
    say("written by ", producerOf(model, nameMarks(model)));
    for (const Producer* rewriter : rewritersOf(model))
        say("rewritten by ", *rewriter);
    if (text.empty())
        return std::nullopt;
    return Note{"producer", std::move(text), {}};
}

} // namespace duo
