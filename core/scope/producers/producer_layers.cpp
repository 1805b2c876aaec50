// SPDX-License-Identifier: Apache-2.0
// Files whose nodes are called as their layers: by all names in a file, or by those of single nodes beside others.
#include "core/model/held_tensors.h"
#include "core/scope/producers/layer_names.h"
#include "core/scope/producers/producer_names.h"

#include <algorithm>
#include <array>

namespace duo {

/// keras2onnx calls a node as its layer, without the layers around it, and names what it adds by kind and number, as
/// "Relu4", or by a value it reads: where one node is a layer's, names without a slash are no operations.
void ProducerNames::findLayerNodes()
{
    for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
        const Node& node = m_model.nodes[n];
        if (node.localName.empty() || node.localName.find('/') != std::string::npos)
            continue;
        for (const ValueId input : node.inputs) {
            const auto tensor = input.valid() && m_model.constant(input) != nullptr
                ? layerTensor(m_model.value(input).name)
                : std::nullopt;
            if (tensor && tensor->layer.substr(tensor->layer.rfind('/') + 1) == node.localName)
                m_layerNodes.emplace(n, tensor->layer);
        }
    }
}

bool ProducerNames::nameAsLayer(std::size_t n)
{
    const auto layer = m_layerNodes.find(n);
    const auto atoms = layer == m_layerNodes.end() ? std::nullopt : layerAtoms(layer->second);
    if (!atoms)
        return false;
    m_named[n].scope = m_spellings->intern(*atoms);
    addOperation(n, m_model.nodes[n].opType);
    return true;
}

bool ProducerNames::mayBeLayer(NodeId node) const
{
    const std::string_view name = m_model.node(node).localName;
    if (name.empty() || (m_grammar != NameGrammar::Layers && m_layerNodes.empty()))
        return false;
    std::string_view kind = name.substr(0, name.find_last_not_of("_0123456789") + 1);
    if (kind.starts_with("Push")) // keras2onnx moves a Transpose
        kind.remove_prefix(4);
    return kind != m_model.node(node).opType;
}

/// "fc5" of "fc5_Reshape", which caffe2onnx puts in front of a layer; the name itself where nothing was put to it;
/// nothing where the name may be of either kind.
std::string_view ProducerNames::caffeLayer(NodeId id) const
{
    static constexpr std::array<std::string_view, 7> kAdded{
        "_Reshape", "_Transpose", "_add", "_middle", "_mul", "_output", "_power"};
    const std::string_view name = m_model.node(id).localName;
    const auto added = std::ranges::find_if(kAdded, [&](std::string_view end) { return name.ends_with(end); });
    if (added == kAdded.end())
        return name;
    const std::string_view base = name.substr(0, name.size() - added->size());
    const NodeId layer = m_model.findNode(base);
    if (!layer.valid())
        return name;
    const bool isInFront = std::ranges::any_of(m_model.node(layer).inputs,
        [&](ValueId input) { return input.valid() && m_model.value(input).producer == id; });
    return isInFront ? base : std::string_view{};
}

/// Whether the node reads tensors that begin with the name of the layer.
/// @param areAllNamed the producer names all tensors after their layers, whoever reads them
bool ProducerNames::vouchForTensors(const Node& node, std::string_view layer, bool areAllNamed)
{
    bool isLayer = false;
    for (const ValueId input : node.inputs) {
        if (!input.valid() || m_model.constant(input) == nullptr)
            continue;
        const auto tensor = layerTensor(m_model.value(input).name);
        if (!tensor || (tensor->layer != layer && !areAllNamed))
            continue;
        m_layers.emplace(m_model.value(input).name, tensor->layer);
        isLayer = isLayer || tensor->layer == layer;
    }
    return isLayer;
}

void ProducerNames::nameByLayers(const Producer& producer, const NameMarks& marks)
{
    const bool isGluon = producer.id == "mxnet" && marks.forward > 0;
    const bool isCaffe = producer.id == "caffe" && marks.layered > 0; // not those of Caffe2, which numbers its nodes
    m_spellings = std::make_unique<ScopeSpellings>(m_model.nodes.size());
    m_named.resize(m_model.nodes.size());
    for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
        const Node& node = m_model.nodes[n];
        if (isConstantNode(node))
            continue;
        const std::string_view layer = isCaffe ? caffeLayer(NodeId(n)) : layerOfNode(node.localName);
        const bool ownsTensors = vouchForTensors(node, layer, isGluon || isCaffe);
        const bool isCalledSo = !layer.empty() && (isCaffe || (isGluon && isForward(node.localName)));
        const auto atoms = ownsTensors || isCalledSo ? layerAtoms(layer) : std::nullopt;
        if (!atoms)
            continue;
        m_named[n].scope = m_spellings->intern(*atoms);
        addOperation(n, node.opType);
    }
}

} // namespace duo
