// SPDX-License-Identifier: Apache-2.0
#include "core/scope/producers/producer_names.h"

#include "core/model/key_names.h"
#include "core/model/model.h"
#include "core/model/op_facts.h"
#include "core/scope/facts/module_paths.h"
#include "core/scope/facts/scopes.h"
#include "core/scope/producers/layer_names.h"
#include "core/scope/producers/node_clusters.h"
#include "core/scope/producers/rewritten_names.h"
#include "core/scope/producers/tensorflow_names.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace duo {
namespace {

/// Where an operation runs that has several names, and which of the names says so.
struct Resolved {
    OperationName name;
    Provenance from = Provenance::Name; // guess: several scopes have as many names
};

/// The scope that most of the names speak for, among those with an operation that fits the node. Merged constants add
/// names of layers that have nothing to do with it. Nothing if none fits and they do not agree.
/// @param opType of the node that has the names; "" for a tensor
std::optional<Resolved> resolve(std::string_view plain, std::string_view opType, const OperationNames& operations)
{
    std::vector<OperationName> names;
    for (const std::string_view part : joinedNames(plain)) {
        if (auto apart = takenApart(part, operations); apart && !isMadeByConverter(part))
            names.push_back(std::move(*apart));
    }
    if (names.empty())
        return std::nullopt;
    const auto speaksFor
        = [&](const OperationName& name) { return opType.empty() || fitsOpType(name.operation, opType); };
    std::map<std::vector<std::string_view>, int> count; // names per scope, -1000 where none of them fits
    for (const OperationName& name : names)
        ++count.try_emplace(name.scopes, -1000).first->second;
    for (const OperationName& name : names) {
        if (int& found = count[name.scopes]; speaksFor(name) && found < 0)
            found += 1000;
    }
    const auto isBetter = [&](const OperationName& a, const OperationName& b) {
        return count[a.scopes] < count[b.scopes]
            || (count[a.scopes] == count[b.scopes] && !speaksFor(a) && speaksFor(b));
    };
    const OperationName best = *std::max_element(names.begin(), names.end(), isBetter);
    if (count.size() == 1)
        return Resolved{best, Provenance::Name};
    if (count[best.scopes] < 0)
        return std::nullopt;
    const bool isTie
        = std::ranges::count_if(count, [&](const auto& entry) { return entry.second == count[best.scopes]; }) > 1;
    return Resolved{best, isTie ? Provenance::Guess : Provenance::Name};
}

bool isWeighted(const Node& node)
{
    return isFloatProduct(node) || opFacts(node).form == ProductForm::Fused;
}

SpellingId commonScope(const ScopeSpellings& spellings, SpellingId a, SpellingId b)
{
    while (a != b) {
        const bool isDeeper = spellings.depth(a) >= spellings.depth(b);
        (isDeeper ? a : b) = spellings.parent(isDeeper ? a : b);
    }
    return a;
}

/// "dense/MatMul/ReadVariableOp:0", "conv/kernel:0", "Conv2D_weights_fused_bn"; other names may be those of operations.
bool isVariableName(std::string_view name)
{
    for (const std::string_view mark : {"ReadVariableOp", "_fused_bn", "merged_input"}) {
        if (name.find(mark) != std::string_view::npos)
            return true;
    }
    return layerTensor(name).has_value();
}

std::optional<std::string> layerKey(const LayerTensor& tensor)
{
    const auto atoms = layerAtoms(tensor.layer);
    if (!atoms || tensor.layer.size() + tensor.leaf.size() >= ModulePaths::kLongest)
        return std::nullopt;
    std::string key;
    for (const std::string_view atom : *atoms)
        key = joinedPath(key, atom);
    return key + "." + std::string(tensor.leaf);
}

/// A name without a slash is an operation of the root if it is one of its operator's; tools give others.
bool mayBeOperation(std::string_view plain, std::string_view opType)
{
    return plain.find_first_of("/;") != std::string_view::npos || fitsOpType(withoutCount(plain), opType);
}

} // namespace

ProducerNames::ProducerNames(const Model& model)
    : m_model(model)
    , m_inlined(model)
{
    for (std::size_t n = 0; m_inlined.hasAny() && n < model.nodes.size(); ++n) {
        const std::string& name = model.nodes[n].localName;
        if (!m_inlined.split(name).prefix.empty())
            m_readable.emplace(n, m_inlined.node(name));
    }
    const NameMarks marks = nameMarks(model);
    const Producer& producer = producerOf(model, marks);
    m_grammar = producer.grammar;
    if (m_grammar == NameGrammar::TensorFlow)
        nameByTensorFlow();
    else if (m_grammar == NameGrammar::Layers)
        nameByLayers(producer, marks);
    if (!m_spellings)
        return;
    std::vector<SpellingId> scopes;
    scopes.reserve(m_named.size());
    for (const Named& named : m_named)
        scopes.push_back(named.scope);
    m_repeated = findRepeatedScopes(model, *m_spellings, scopes, m_operations);
    layOutPaths();
}

void ProducerNames::gatherOperationNames()
{
    const auto gather = [this](std::string_view name) {
        for (const std::string_view part : joinedNames(plainOperationName(name).text))
            m_operationNames.insert(part);
    };
    for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
        if (!m_layerNodes.contains(n))
            gather(m_model.nodes[n].localName);
    }
    for (const Value& value : m_model.values) {
        if (value.initializer.valid())
            gather(value.name);
    }
}

void ProducerNames::nameByTensorFlow()
{
    findLayerNodes();
    gatherOperationNames();
    m_spellings = std::make_unique<ScopeSpellings>(m_model.nodes.size());
    m_named.resize(m_model.nodes.size());
    std::unordered_map<std::string_view, std::size_t> primaries; // plain names -> nodes
    for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
        const Node& node = m_model.nodes[n];
        const bool isBare = node.localName.find('/') == std::string::npos;
        if (nameAsLayer(n) || (isBare && !m_layerNodes.empty()))
            continue;
        const PlainName plain = plainOperationName(node.localName);
        if (plain.isHelper || nodeName(NodeId(n)).starts_with('/') || isMadeByConverter(node.localName)
            || !mayBeOperation(plain.text, node.opType))
            continue;
        auto found = resolve(plain.text, node.opType, m_operationNames);
        if (!found)
            continue;
        if (isWeighted(node) && !fitsOpType(found->name.operation, node.opType)) {
            auto scopes = scopeOfWeight(node);
            if (!scopes)
                found->from = Provenance::Guess; // named after what was fused into it
            else if (*scopes != found->name.scopes) {
                found->name.scopes = std::move(*scopes);
                found->from = Provenance::Dataflow;
            }
        }
        m_named[n].scope = m_spellings->intern(found->name.scopes);
        m_named[n].from = found->from;
        addOperation(n, found->name.operation);
        primaries.emplace(plain.text, n);
    }
    for (std::size_t n = 0; n < m_model.nodes.size(); ++n)
        nameHelper(n, primaries);
    placeClusters();
    for (const NodeId id : m_model.order)
        guessLost(id);
}

/// Nodes without names that work with no weight run in the scope around what is beside them, if some of that runs in
/// just this scope: the rest are layers inside it. Those that do run where all that read them do, if these add a tensor
/// of their own to them, as a layer does its bias, and no other layer's weight is among them.
void ProducerNames::placeClusters()
{
    const auto isMember = [this](NodeId id) {
        const Node& node = m_model.node(id);
        const PlainName plain = plainOperationName(node.localName);
        return !m_named[id.index].scope.valid() && plain.isHelper && plain.text == node.opType
            && node.opType != "Constant";
    };
    std::vector<std::uint32_t> rank(m_model.nodes.size());
    for (std::size_t i = 0; i < m_model.order.size(); ++i)
        rank[m_model.order[i].index] = static_cast<std::uint32_t>(i);
    const auto toldScope = [this](NodeId id) {
        const Named& named = m_named[id.index];
        return named.from <= Provenance::Name && named.operation >= 0 ? named.scope : SpellingId{};
    };
    for (const NodeCluster& cluster : nodeClusters(m_model, isMember)) {
        if (!cluster.readsWeight) {
            placeBeside(cluster);
            continue;
        }
        for (const ClusterPart& part : partsOf(m_model, cluster, rank, toldScope))
            placeWithReaders(part);
    }
}

void ProducerNames::placeBeside(const NodeCluster& cluster)
{
    SpellingId common;
    bool isSure = true;
    for (const NodeId id : cluster.beside) {
        const Named& named = m_named[id.index];
        isSure = isSure && named.from <= Provenance::Name;
        if (named.scope.valid())
            common = common.valid() ? commonScope(*m_spellings, common, named.scope) : named.scope;
    }
    std::vector<std::int32_t> operations;
    for (const NodeId id : cluster.beside) {
        const Named& named = m_named[id.index];
        if (common.valid() && named.scope == common && named.operation >= 0)
            operations.push_back(named.operation);
    }
    if (isSure && !operations.empty())
        placeCluster(cluster.nodes, common, std::move(operations));
}

void ProducerNames::placeWithReaders(const ClusterPart& part)
{
    std::vector<std::int32_t> operations;
    for (const NodeId id : part.readers)
        operations.push_back(m_named[id.index].operation);
    const bool addsTensor = std::ranges::any_of(
        operations, [this](std::int32_t o) { return !m_operations[static_cast<std::size_t>(o)].tensors.empty(); });
    if (addsTensor && part.weights < 2)
        placeCluster(part.nodes, part.scope, std::move(operations));
}

void ProducerNames::placeCluster(
    const std::vector<NodeId>& nodes, SpellingId scope, std::vector<std::int32_t> operations)
{
    for (const NodeId id : nodes)
        m_named[id.index] = {scope, Provenance::Dataflow, -1, static_cast<std::int32_t>(m_clusters.size())};
    m_clusters.push_back(std::move(operations));
}

/// Operations whose names gave way to those of the model's outputs: taken to run where what they read comes from.
void ProducerNames::guessLost(NodeId id)
{
    const Node& node = m_model.node(id);
    const bool isLost = !node.localName.empty() && isMadeByConverter(node.localName)
        && !plainOperationName(node.localName).isHelper && node.opType != "Identity" && node.opType != "Constant";
    const NodeId producer
        = isLost && !node.inputs.empty() && node.inputs[0].valid() ? m_model.value(node.inputs[0]).producer : NodeId{};
    if (!producer.valid() || m_named[id.index].scope.valid())
        return;
    m_named[id.index] = m_named[producer.index];
    m_named[id.index].from = Provenance::Guess;
}

/// What a converter puts around an operation runs where that does.
void ProducerNames::nameHelper(std::size_t n, const std::unordered_map<std::string_view, std::size_t>& primaries)
{
    const Node& node = m_model.nodes[n];
    const PlainName plain = plainOperationName(node.localName);
    if (!plain.isHelper || nodeName(NodeId(n)).starts_with('/'))
        return;
    if (plain.text == node.opType)
        nameFused(n);
    if (isMadeByConverter(node.localName))
        return;
    if (const auto primary = primaries.find(plain.text); primary != primaries.end()) {
        m_named[n] = m_named[primary->second];
        return;
    }
    const auto found = resolve(plain.text, node.opType, m_operationNames);
    if (!found || found->from == Provenance::Guess)
        return;
    m_named[n].scope = m_spellings->intern(found->name.scopes);
}

/// "Relu__5" behind a node that bears the names of what TensorFlow Lite fused, "re_lu/Relu;conv/Conv2D": one of them is
/// its own.
void ProducerNames::nameFused(std::size_t n)
{
    const Node& node = m_model.nodes[n];
    const NodeId producer
        = !node.inputs.empty() && node.inputs[0].valid() ? m_model.value(node.inputs[0]).producer : NodeId{};
    if (!producer.valid())
        return;
    const std::string_view plain = plainOperationName(m_model.node(producer).localName).text;
    std::optional<OperationName> own;
    for (const std::string_view part : joinedNames(plain)) {
        auto apart = takenApart(part, m_operationNames);
        if (plain == part || !apart || !fitsOpType(apart->operation, node.opType))
            continue;
        if (own)
            return;
        own = std::move(apart);
    }
    if (!own)
        return;
    m_named[n].scope = m_spellings->intern(own->scopes);
    addOperation(n, own->operation);
}

/// A convolution that took in a batch norm may bear the name of that: its weight tells which layer it is.
std::optional<std::vector<std::string_view>> ProducerNames::scopeOfWeight(const Node& node) const
{
    if (node.inputs.size() < 2 || !node.inputs[1].valid() || m_model.constant(node.inputs[1]) == nullptr)
        return std::nullopt;
    const std::string_view name = m_model.value(node.inputs[1]).name;
    if (isMadeByConverter(name))
        return std::nullopt;
    auto found = resolve(plainOperationName(name).text, "", m_operationNames);
    if (!found || found->from == Provenance::Guess || found->name.scopes.empty())
        return std::nullopt;
    return std::move(found->name.scopes);
}

void ProducerNames::addOperation(std::size_t n, std::string_view operation)
{
    const Node& node = m_model.nodes[n];
    NamedOperation entry{NodeId(n), m_named[n].scope, operation, {}};
    for (const ValueId input : node.inputs) {
        const Tensor* tensor = input.valid() ? m_model.constant(input) : nullptr;
        if (tensor != nullptr && isFloating(tensor->type) && tensor->elements() > 1)
            entry.tensors.push_back(static_cast<TensorId>(static_cast<std::size_t>(tensor - m_model.tensors.data())));
    }
    m_named[n].operation = static_cast<std::int32_t>(m_operations.size());
    m_operations.push_back(std::move(entry));
}

std::optional<std::string> ProducerNames::tensorFlowKey(std::string_view name) const
{
    const auto found = resolve(plainOperationName(name).text, "", m_operationNames);
    if (!found || found->from == Provenance::Guess)
        return std::nullopt;
    SpellingId scope = ScopeSpellings::root();
    std::string owner;
    for (const std::string_view atom : found->name.scopes) {
        scope = scope.valid() ? m_spellings->find(scope, atom) : SpellingId{};
        owner = scope.valid() ? m_paths[scope.index] : joinedPath(owner, atom);
    }
    std::string leaf(name.substr(name.rfind(found->name.operation)));
    if (leaf.ends_with(":0"))
        leaf.resize(leaf.size() - 2);
    std::replace(leaf.begin(), leaf.end(), '.', '_');
    const std::string key = keyName(owner, leaf);
    return key.size() <= ModulePaths::kLongest ? std::optional(key) : std::nullopt;
}

TensorName ProducerNames::tensor(std::string_view name) const
{
    const InlinedName inlined = m_inlined.split(name);
    if (!inlined.prefix.empty()) {
        if (!isKeyName(inlined.name, Naming::Unknown))
            return {true, false, std::nullopt};
        return {false, false, m_inlined.tensor(name)};
    }
    if (isMadeByOptimizer(name))
        return {true, false, std::nullopt};
    if (m_grammar == NameGrammar::TensorFlow) {
        const bool isOperation = name.find_first_of("/:;") != std::string_view::npos;
        if (isMadeByConverter(name) || (!isOperation && name.find('.') == std::string_view::npos))
            return {true, false, std::nullopt};
        if (isOperation)
            return {false, isVariableName(name), tensorFlowKey(name)};
    }
    if (m_grammar == NameGrammar::Paddle && isMadeByPaddle(name))
        return {true, false, std::nullopt};
    if (m_grammar == NameGrammar::Paddle || m_layers.contains(name)) {
        const auto tensor = layerTensor(name);
        if (tensor && !tensor->layer.empty())
            return {false, true, layerKey(*tensor)};
    }
    return {};
}

} // namespace duo
