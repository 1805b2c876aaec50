// SPDX-License-Identifier: Apache-2.0
#include "core/scope/parameters/parameters.h"

#include "core/scope/parameters/key_names.h"
#include "core/scope/parameters/parameter_origins.h"
#include "core/scope/reading/python_text.h"
#include "core/scope/reading/recorded_frames.h"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace duo {
namespace {

constexpr std::string_view kSignature = "pkg.torch.export.ExportedProgram.graph_signature";
constexpr std::string_view kFxNode = "pkg.torch.onnx.fx_node";
constexpr std::size_t kMostCompared = 256; // parameters of one operation; real ones have a dozen
constexpr std::string_view kRuleName = "pkg.onnxscript.rewriter.rule_name";

void addKey(Parameters& parameters, ModulePaths& paths, std::string_view name, bool isRecorded)
{
    const auto number = static_cast<std::int32_t>(parameters.keys.size());
    if (!parameters.index.emplace(name, number).second)
        return;
    Key key;
    key.name = name;
    key.owner = paths.intern(keyOwner(name));
    key.first = number;
    key.isRecorded = isRecorded;
    parameters.keys.push_back(std::move(key));
}

/// TorchScript's exporter keeps one of several equal tensors and names the others through `Identity_<n>` nodes at the
/// head of the graph; their outputs are keys. They stand in reverse definition order.
void addIdentityAliases(const Model& model, Parameters& parameters, ModulePaths& paths)
{
    const auto& nodes = model.mainGraph().nodes;
    for (std::size_t i = nodes.size(); i-- > 0;) {
        const Node& node = model.node(nodes[i]);
        if (!isIdentityAlias(model, node))
            continue;
        const std::string& name = model.value(node.outputs[0]).name;
        if (isKeyName(name))
            addKey(parameters, paths, name, false);
    }
}

/// Scales and zero points of quantizers have names like keys, but belong to the file, not to the model's parameters.
std::vector<bool> quantizerSettings(const Model& model)
{
    std::vector<bool> isSetting(model.tensors.size(), false);
    for (const Value& value : model.values) {
        if (!value.initializer.valid() || value.uses.empty())
            continue;
        isSetting[value.initializer.index] = std::all_of(value.uses.begin(), value.uses.end(), [&](const Use& use) {
            const std::string& type = model.node(use.node).opType;
            return use.port > 0 && (type == "QuantizeLinear" || type == "DequantizeLinear");
        });
    }
    return isSetting;
}

using Placeholders = std::unordered_map<std::string, std::int32_t>; // placeholder -> key

Placeholders addKeys(const Model& model, Parameters& parameters, ModulePaths& paths)
{
    Placeholders placeholders;
    const auto signature = parseGraphSignature(metadataValue(model.graphMetadata, kSignature));
    for (const SignatureEntry& entry : signature) {
        if (!entry.isPersistent || !isKeyName(entry.target))
            continue;
        addKey(parameters, paths, entry.target, true);
        placeholders.emplace(entry.placeholder, parameters.find(entry.target));
    }
    const std::vector<bool> isSetting = quantizerSettings(model);
    for (const TensorId id : model.initializers) {
        if (isSetting[id.index])
            continue;
        const std::string_view name = withoutQuantizedSuffix(model.tensor(id).name);
        if (signature.empty() && isKeyName(name))
            addKey(parameters, paths, name, false);
        const std::int32_t key = parameters.find(std::string(name));
        if (key != kNoKey)
            parameters.keys[static_cast<std::size_t>(key)].tensor = id;
    }
    if (signature.empty())
        addIdentityAliases(model, parameters, paths);
    return placeholders;
}

/// What the exporter recorded about one node's parameters.
struct NodeRecord {
    std::vector<std::int32_t> keys; // in argument order, without repeats
    bool isFused = false; // a rewrite rule merged several operations into the node
};

NodeRecord recordOf(const Node& node, const Placeholders& placeholders)
{
    NodeRecord record;
    if (placeholders.empty() || node.metadata.empty())
        return record;
    std::unordered_set<std::int32_t> seen;
    for (const std::string_view argument : fxArguments(metadataValue(node.metadata, kFxNode))) {
        const auto found = placeholders.find(std::string(argument));
        if (found != placeholders.end() && seen.insert(found->second).second)
            record.keys.push_back(found->second);
    }
    record.isFused = metadataValue(node.metadata, kRuleName).starts_with("Fuse");
    return record;
}

/// Gathers the reads of one node.
class ReadsOfNode
{
public:
    ReadsOfNode(const ParameterOrigins& origins, Parameters& parameters)
        : m_origins(origins)
        , m_parameters(parameters)
    {
    }

    std::vector<ParameterRead> gather(const Node& node, const NodeRecord& record)
    {
        std::vector<ParameterRead> reads;
        for (std::size_t port = 0; port < node.inputs.size(); ++port) {
            const ParameterOrigin* origin = m_origins.atPort(node, port);
            if (origin == nullptr)
                continue;
            for (const std::int32_t key : origin->keys)
                reads.push_back(readOf(*origin, key));
            if (origin->keys.empty())
                reads.push_back(readOf(*origin, kNoKey));
        }
        if (!record.keys.empty() && record.keys.size() + reads.size() <= kMostCompared)
            useRecord(node, record, reads);
        for (ParameterRead& read : reads)
            settle(read);
        dropRepeats(reads);
        return reads;
    }

private:
    static ParameterRead readOf(const ParameterOrigin& origin, std::int32_t key)
    {
        ParameterRead read;
        read.key = key;
        read.tensor = origin.tensor;
        read.isRenamed = origin.isRenamed;
        read.isEqualValues = origin.isEqualValues;
        return read;
    }

    bool isInFile(std::int32_t key) const { return m_parameters.keys[static_cast<std::size_t>(key)].tensor.valid(); }

    /// The record names the parameters the operation had before equal tensors were merged and operations fused.
    void useRecord(const Node& node, const NodeRecord& record, std::vector<ParameterRead>& reads) const
    {
        const auto isRecorded = [&](std::int32_t key) {
            return std::find(record.keys.begin(), record.keys.end(), key) != record.keys.end();
        };
        if (record.isFused) {
            std::vector<std::int32_t> missing = record.keys;
            for (const ParameterRead& read : reads)
                std::erase(missing, read.key);
            for (const std::int32_t key : missing) {
                ParameterRead read;
                read.key = key;
                read.isFolded = true;
                reads.push_back(read);
            }
            return;
        }
        const bool isOneToOne = reads.size() == record.keys.size() && reads.size() + 1 >= node.inputs.size();
        for (std::size_t i = 0; i < reads.size(); ++i) {
            if (reads[i].key == kNoKey || isRecorded(reads[i].key))
                continue;
            const std::int32_t meant = isOneToOne ? record.keys[i] : sameLeaf(reads[i].key, record);
            if (meant == kNoKey || isInFile(meant))
                continue;
            reads[i].key = meant;
            reads[i].isEqualValues = true;
        }
    }

    std::int32_t sameLeaf(std::int32_t key, const NodeRecord& record) const
    {
        const auto leaf = [&](std::int32_t k) { return keyLeaf(m_parameters.keys[static_cast<std::size_t>(k)].name); };
        for (const std::int32_t candidate : record.keys) {
            if (!isInFile(candidate) && leaf(candidate) == leaf(key))
                return candidate;
        }
        return kNoKey;
    }

    void settle(ParameterRead& read)
    {
        if (read.key == kNoKey)
            return;
        Key& key = m_parameters.keys[static_cast<std::size_t>(read.key)];
        key.isRead = true;
        read.owner = key.owner;
        read.from = key.isRecorded ? Provenance::Recorded : Provenance::Name;
    }

    static void dropRepeats(std::vector<ParameterRead>& reads)
    {
        std::set<std::pair<std::int32_t, TensorId>> seen;
        std::erase_if(reads, [&](const ParameterRead& read) {
            return !seen.emplace(read.key, read.key == kNoKey ? read.tensor : TensorId{}).second;
        });
    }

    const ParameterOrigins& m_origins;
    Parameters& m_parameters;
};

} // namespace

std::int32_t Parameters::find(const std::string& name) const
{
    const auto found = index.find(name);
    return found == index.end() ? kNoKey : found->second;
}

Parameters readParameters(const Model& model, ModulePaths& paths)
{
    Parameters parameters;
    const Placeholders placeholders = addKeys(model, parameters, paths);
    const ParameterOrigins origins(model, parameters);
    ReadsOfNode gatherer(origins, parameters);
    parameters.reads.resize(model.nodes.size());
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        const NodeRecord record = recordOf(model.nodes[n], placeholders);
        parameters.reads[n] = gatherer.gather(model.nodes[n], record);
        parameters.hasRecords = parameters.hasRecords || !record.keys.empty();
        for (const std::int32_t key : record.keys)
            parameters.keys[static_cast<std::size_t>(key)].isRead = true;
    }
    for (const std::int32_t key : origins.foldedKeys())
        parameters.keys[static_cast<std::size_t>(key)].isRead = true;
    return parameters;
}

} // namespace duo
