// SPDX-License-Identifier: Apache-2.0
#include "core/scope/parameters/read_parameters.h"

#include "core/model/key_names.h"
#include "core/scope/facts/python_text.h"
#include "core/scope/parameters/content_reads.h"
#include "core/scope/parameters/key_list.h"
#include "core/scope/parameters/parameter_origins.h"
#include "core/scope/parameters/transposed_keys.h"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace duo {
namespace {

constexpr std::string_view kFxNode = "pkg.torch.onnx.fx_node";
constexpr std::string_view kRuleName = "pkg.onnxscript.rewriter.rule_name";
constexpr std::size_t kMostCompared = 256; // parameters of one operation; real ones have a dozen

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
    ReadsOfNode(const ParameterOrigins& origins, const ContentReads& content, Parameters& parameters)
        : m_origins(origins)
        , m_content(content)
        , m_parameters(parameters)
    {
    }

    std::vector<ParameterRead> gather(const Model& model, NodeId id, const NodeRecord& record)
    {
        const Node& node = model.node(id);
        std::vector<ParameterRead> reads;
        for (std::size_t port = 0; port < node.inputs.size(); ++port) {
            for (const ParameterOrigin& origin : m_origins.atPort(node, port))
                reads.push_back(readOf(origin));
        }
        if (!record.keys.empty() && record.keys.size() + reads.size() <= kMostCompared)
            useRecord(node, record, reads);
        m_content.improve(id, reads);
        for (ParameterRead& read : reads)
            findTransposed(model, read);
        for (ParameterRead& read : reads)
            settle(read);
        dropRepeats(reads);
        return reads;
    }

private:
    ParameterRead readOf(const ParameterOrigin& origin) const
    {
        ParameterRead read;
        read.key = origin.key;
        read.tensor = origin.tensor;
        read.isRenamed = origin.isRenamed;
        read.isEqualValues = origin.isEqualValues;
        if (read.key != kNoKey)
            read.from = m_parameters.key(read.key).isRecorded ? Provenance::Recorded : Provenance::Name;
        return read;
    }

    bool isInFile(std::int32_t key) const { return m_parameters.key(key).tensor.valid(); }

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
                read.from = Provenance::Recorded;
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
        const auto leaf = [&](std::int32_t k) { return keyLeaf(m_parameters.key(k).name); };
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
        Key& key = m_parameters.key(read.key);
        key.readBy = std::min(key.readBy.value_or(read.from), read.from);
        read.owner = key.owner;
    }

    void findTransposed(const Model& model, ParameterRead& read)
    {
        if (read.key != kNoKey || !read.tensor.valid() || model.tensor(read.tensor).dims.size() != 2)
            return;
        if (!m_transposed)
            m_transposed.emplace(model, m_parameters);
        read.key = m_transposed->find(model.tensor(read.tensor));
        if (read.key != kNoKey)
            read.from = Provenance::Content;
    }

    static void dropRepeats(std::vector<ParameterRead>& reads)
    {
        if (reads.size() < 2)
            return;
        std::set<std::pair<std::int32_t, TensorId>> seen;
        std::erase_if(reads, [&](const ParameterRead& read) {
            return !seen.emplace(read.key, read.key == kNoKey ? read.tensor : TensorId{}).second;
        });
    }

    const ParameterOrigins& m_origins;
    const ContentReads& m_content;
    Parameters& m_parameters;
    std::optional<TransposedKeys> m_transposed; // made when it is needed
};

} // namespace

Parameters readParameters(
    const Model& model, const ScopeSources& sources, const ProducerNames& names, ModulePaths& paths)
{
    Parameters parameters;
    const Placeholders placeholders = listKeys(model, sources, names, paths, parameters);
    const ParameterOrigins origins(model, parameters, sources.checkpoint != nullptr ? sources.matches : nullptr);
    const ContentReads content(sources, parameters);
    ReadsOfNode gatherer(origins, content, parameters);
    parameters.reads.resize(model.nodes.size());
    parameters.hasRecords = !model.keys.empty();
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        const NodeRecord record = recordOf(model.nodes[n], placeholders);
        parameters.reads[n] = gatherer.gather(model, NodeId(n), record);
        parameters.hasRecords = parameters.hasRecords || !record.keys.empty();
        for (const std::int32_t key : record.keys)
            parameters.key(key).readBy = Provenance::Recorded;
    }
    for (const std::int32_t key : origins.foldedKeys())
        parameters.key(key).readBy = Provenance::Recorded;
    return parameters;
}

} // namespace duo
