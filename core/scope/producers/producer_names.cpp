// SPDX-License-Identifier: Apache-2.0
#include "core/scope/producers/producer_names.h"

#include "core/model/key_names.h"
#include "core/model/model.h"
#include "core/model/op_facts.h"
#include "core/scope/facts/module_paths.h"
#include "core/scope/facts/scopes.h"
#include "core/scope/producers/layer_names.h"
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

struct NodeCluster {
    std::vector<NodeId> nodes; // connected by the values they hand on
    std::vector<NodeId> beside; // nodes outside that hand values to these or read theirs; constants are none
    std::vector<NodeId> readers; // those that read theirs
    bool readsWeight = false; // a float constant with two dimensions or more: work of a layer of its own
};

class Walk
{
public:
    Walk(const Model& model, const std::function<bool(NodeId)>& isMember)
        : m_model(model)
        , m_isMember(isMember)
        , m_wasSeen(model.nodes.size(), false)
    {
    }

    bool wasSeen(NodeId id) const { return m_wasSeen[id.index]; }

    NodeCluster from(NodeId start)
    {
        NodeCluster cluster;
        m_wasSeen[start.index] = true;
        m_open = {start};
        while (!m_open.empty()) {
            const NodeId id = m_open.back();
            m_open.pop_back();
            cluster.nodes.push_back(id);
            for (const ValueId input : m_model.node(id).inputs)
                lookAtInput(input, cluster);
            for (const ValueId output : m_model.node(id).outputs) {
                if (!output.valid())
                    continue;
                for (const Use& use : m_model.value(output).uses) {
                    if (!m_isMember(use.node))
                        cluster.readers.push_back(use.node);
                    meet(use.node, cluster);
                }
            }
        }
        return cluster;
    }

private:
    void lookAtInput(ValueId input, NodeCluster& cluster)
    {
        if (!input.valid())
            return;
        const Tensor* constant = m_model.constant(input);
        if (constant != nullptr)
            cluster.readsWeight = cluster.readsWeight || (isFloating(constant->type) && constant->dims.size() > 1);
        else if (m_model.value(input).producer.valid())
            meet(m_model.value(input).producer, cluster);
    }

    void meet(NodeId id, NodeCluster& cluster)
    {
        if (!m_isMember(id))
            cluster.beside.push_back(id);
        else if (!m_wasSeen[id.index]) {
            m_wasSeen[id.index] = true;
            m_open.push_back(id);
        }
    }

    const Model& m_model;
    const std::function<bool(NodeId)>& m_isMember;
    std::vector<bool> m_wasSeen;
    std::vector<NodeId> m_open;
};

/// O(nodes + uses).
std::vector<NodeCluster> nodeClusters(const Model& model, const std::function<bool(NodeId)>& isMember)
{
    std::vector<NodeCluster> clusters;
    Walk walk(model, isMember);
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        if (isMember(NodeId(n)) && !walk.wasSeen(NodeId(n)))
            clusters.push_back(walk.from(NodeId(n)));
    }
    return clusters;
}

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

constexpr std::size_t kDeepest = 64;

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

/// The parts of a layer's name, at slashes and dots; nothing if one is empty or there are too many.
std::optional<std::vector<std::string_view>> layerAtoms(std::string_view layer)
{
    std::vector<std::string_view> atoms;
    for (std::size_t start = 0; start <= layer.size();) {
        const std::size_t end = std::min(layer.find_first_of("/.", start), layer.size());
        if (end == start || atoms.size() == kDeepest)
            return std::nullopt;
        atoms.push_back(layer.substr(start, end - start));
        start = end + 1;
    }
    return atoms;
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
        if (!inlinedName(name).prefix.empty())
            m_readable.emplace(n, m_inlined.node(name));
    }
    m_grammar = producerOf(model, nameMarks(model)).grammar;
    if (m_grammar == NameGrammar::TensorFlow)
        nameByTensorFlow();
    else if (m_grammar == NameGrammar::Layers)
        nameByLayers();
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
    for (const Node& node : m_model.nodes)
        gather(node.localName);
    for (const Value& value : m_model.values) {
        if (value.initializer.valid())
            gather(value.name);
    }
}

void ProducerNames::nameByTensorFlow()
{
    gatherOperationNames();
    m_spellings = std::make_unique<ScopeSpellings>(m_model.nodes.size());
    m_named.resize(m_model.nodes.size());
    std::unordered_map<std::string_view, std::size_t> primaries; // plain names -> nodes
    for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
        const Node& node = m_model.nodes[n];
        const PlainName plain = plainOperationName(node.localName);
        if (plain.isHelper || node.localName.starts_with('/') || isMadeByConverter(node.localName)
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
/// of their own to them, as a layer does its bias.
void ProducerNames::placeClusters()
{
    const auto isMember = [this](NodeId id) {
        const Node& node = m_model.node(id);
        const PlainName plain = plainOperationName(node.localName);
        return !m_named[id.index].scope.valid() && plain.isHelper && plain.text == node.opType
            && node.opType != "Constant";
    };
    for (const NodeCluster& cluster : nodeClusters(m_model, isMember)) {
        const auto& around = cluster.readsWeight ? cluster.readers : cluster.beside;
        SpellingId common;
        bool isSure = true;
        for (const NodeId id : around) {
            const Named& named = m_named[id.index];
            isSure = isSure && named.from <= Provenance::Name && (named.scope.valid() || !cluster.readsWeight);
            if (named.scope.valid())
                common = common.valid() ? commonScope(*m_spellings, common, named.scope) : named.scope;
        }
        std::vector<std::int32_t> operations;
        for (const NodeId id : around) {
            const Named& named = m_named[id.index];
            if (common.valid() && named.scope == common && named.operation >= 0)
                operations.push_back(named.operation);
            else
                isSure = isSure && !cluster.readsWeight;
        }
        const bool addsTensor = std::ranges::any_of(
            operations, [this](std::int32_t o) { return !m_operations[static_cast<std::size_t>(o)].tensors.empty(); });
        if (!isSure || operations.empty() || (cluster.readsWeight && !addsTensor))
            continue;
        for (const NodeId id : cluster.nodes)
            m_named[id.index] = {common, Provenance::Dataflow, -1, static_cast<std::int32_t>(m_clusters.size())};
        m_clusters.push_back(std::move(operations));
    }
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
    if (!plain.isHelper || node.localName.starts_with('/'))
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

void ProducerNames::nameByLayers()
{
    m_spellings = std::make_unique<ScopeSpellings>(m_model.nodes.size());
    m_named.resize(m_model.nodes.size());
    for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
        const Node& node = m_model.nodes[n];
        const std::string_view layer = layerOfNode(node.localName);
        bool isLayer = false;
        for (const ValueId input : node.inputs) {
            if (!input.valid() || m_model.constant(input) == nullptr)
                continue;
            const auto tensor = layerTensor(m_model.value(input).name);
            if (!tensor || tensor->layer != layer)
                continue;
            m_layers.emplace(m_model.value(input).name, tensor->layer);
            isLayer = true;
        }
        const auto atoms = isLayer ? layerAtoms(layer) : std::nullopt;
        if (!atoms)
            continue;
        m_named[n].scope = m_spellings->intern(*atoms);
        addOperation(n, node.opType);
    }
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
    const std::string key = owner.empty() ? leaf : owner + "." + leaf;
    return key.size() <= ModulePaths::kLongest ? std::optional(key) : std::nullopt;
}

TensorName ProducerNames::tensor(std::string_view name) const
{
    const InlinedName inlined = inlinedName(name);
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
