// SPDX-License-Identifier: Apache-2.0
#include "core/scope/parameters/read_parameters.h"

#include "core/model/key_names.h"
#include "core/model/model.h"
#include "core/scope/facts/parameters.h"
#include "core/scope/facts/python_text.h"
#include "core/scope/facts/sources.h"
#include "core/scope/parameters/key_list.h"
#include "core/scope/parameters/parameter_origins.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace duo {
namespace {

/// The tie of an embedding with the head that multiplies by its transpose shows so. Equality of all elements is the
/// proof; small matrices, and those of few different values, prove nothing and are left out.
class TransposedKeys
{
public:
    /// O(keys): looks at a few elements of each matrix that has a key.
    TransposedKeys(const Model& model, const Parameters& parameters);

    /// The key whose matrix is the transpose of `tensor`; kNoKey if there is none. Reads all elements of two matrices
    /// only where a few are equal.
    [[nodiscard]] std::int32_t find(const Tensor& tensor) const;

private:
    const Model& m_model;
    const Parameters& m_parameters;
    std::unordered_map<std::uint64_t, std::vector<std::int32_t>> m_bySample; // hash of some elements -> keys
};

constexpr std::int64_t kFewElements = 16;
constexpr std::size_t kFewValues = 4;
constexpr std::size_t kSamples = 16;

/// Elements of a matrix as bit patterns.
class Matrix
{
public:
    explicit Matrix(const Tensor& tensor)
        : m_bytes(tensor.bytes())
    {
        if (tensor.dims.size() != 2 || !isFloating(tensor.type) || tensor.elements() < kFewElements)
            return;
        m_rows = tensor.dims[0];
        m_columns = tensor.dims[1];
        m_width = m_bytes.size() / static_cast<std::size_t>(tensor.elements());
        m_isUsable = m_width > 0 && m_width <= sizeof(std::uint64_t)
            && m_bytes.size() == m_width * static_cast<std::size_t>(tensor.elements());
    }

    [[nodiscard]] bool isUsable() const { return m_isUsable; }
    [[nodiscard]] std::int64_t rows() const { return m_rows; }
    [[nodiscard]] std::int64_t columns() const { return m_columns; }
    [[nodiscard]] std::size_t width() const { return m_width; }

    [[nodiscard]] std::uint64_t at(std::int64_t row, std::int64_t column) const
    {
        std::uint64_t bits = 0;
        std::memcpy(&bits, m_bytes.data() + static_cast<std::size_t>(row * m_columns + column) * m_width, m_width);
        return bits;
    }

private:
    std::span<const std::byte> m_bytes;
    std::int64_t m_rows = 0;
    std::int64_t m_columns = 0;
    std::size_t m_width = 0;
    bool m_isUsable = false;
};

/// Some elements of a matrix, or of its transpose, at places that depend on the shape only.
std::array<std::uint64_t, kSamples> samples(const Matrix& matrix, bool transposed)
{
    const std::int64_t rows = transposed ? matrix.columns() : matrix.rows();
    const std::int64_t columns = transposed ? matrix.rows() : matrix.columns();
    std::array<std::uint64_t, kSamples> found{};
    for (std::size_t i = 0; i < kSamples; ++i) {
        const std::int64_t element = static_cast<std::int64_t>(i) * (rows * columns - 1) / (kSamples - 1);
        const std::int64_t row = element / columns;
        const std::int64_t column = element % columns;
        found[i] = transposed ? matrix.at(column, row) : matrix.at(row, column);
    }
    return found;
}

std::uint64_t hashOf(const Matrix& matrix, bool transposed)
{
    std::uint64_t hash = static_cast<std::uint64_t>(transposed ? matrix.columns() : matrix.rows());
    for (const std::uint64_t bits : samples(matrix, transposed))
        hash = (hash ^ bits) * 0x9E3779B97F4A7C15ULL;
    return hash;
}

bool isTelling(const Matrix& matrix)
{
    const auto found = samples(matrix, false);
    return std::set<std::uint64_t>(found.begin(), found.end()).size() >= kFewValues;
}

bool isTranspose(const Matrix& a, const Matrix& b)
{
    if (a.rows() != b.columns() || a.columns() != b.rows() || a.width() != b.width())
        return false;
    for (std::int64_t row = 0; row < a.rows(); ++row) {
        for (std::int64_t column = 0; column < a.columns(); ++column) {
            if (a.at(row, column) != b.at(column, row))
                return false;
        }
    }
    return true;
}

TransposedKeys::TransposedKeys(const Model& model, const Parameters& parameters)
    : m_model(model)
    , m_parameters(parameters)
{
    for (std::size_t k = 0; k < parameters.keys.size(); ++k) {
        if (!parameters.keys[k].tensor.valid())
            continue;
        const Matrix matrix(model.tensor(parameters.keys[k].tensor));
        if (matrix.isUsable() && isTelling(matrix))
            m_bySample[hashOf(matrix, true)].push_back(static_cast<std::int32_t>(k));
    }
}

std::int32_t TransposedKeys::find(const Tensor& tensor) const
{
    const Matrix matrix(tensor);
    if (!matrix.isUsable())
        return kNoKey;
    const auto found = m_bySample.find(hashOf(matrix, false));
    if (found == m_bySample.end())
        return kNoKey;
    for (const std::int32_t key : found->second) {
        if (isTranspose(matrix, Matrix(m_model.tensor(m_parameters.key(key).tensor))))
            return key;
    }
    return kNoKey;
}

/// Gives reads their keys by content. A name that values do not contradict stays; a parameter without a name gets the
/// keys found; a tensor that several keys went into (a folded batch norm) is read as each of them; a name the
/// checkpoint lacks, with the values of another of its keys, is a further key of that one's tensor and joined to it.
class ContentReads
{
public:
    ContentReads(const ScopeSources& sources, Parameters& parameters);
    void improve(NodeId reader, std::vector<ParameterRead>& reads) const;

private:
    void addMatch(const ContentMatch& match, const ParameterRead& read, std::vector<ParameterRead>& improved) const;
    [[nodiscard]] bool names(const ContentMatch& match, std::int32_t key) const;

    const ContentMatches* m_matches;
    Parameters& m_parameters;
};

ContentReads::ContentReads(const ScopeSources& sources, Parameters& parameters)
    : m_matches(sources.checkpoint != nullptr ? sources.matches : nullptr)
    , m_parameters(parameters)
{
    m_parameters.hasContent = m_matches != nullptr;
}

bool ContentReads::names(const ContentMatch& match, std::int32_t key) const
{
    return std::any_of(match.keys.begin(), match.keys.end(), [&](std::uint32_t stored) {
        const std::int32_t found = m_parameters.ofStored[stored];
        return found != kNoKey && m_parameters.firstOf(found) == m_parameters.firstOf(key);
    });
}

void ContentReads::addMatch(
    const ContentMatch& match, const ParameterRead& read, std::vector<ParameterRead>& improved) const
{
    const bool hasName = read.key != kNoKey;
    for (const std::uint32_t stored : match.keys) {
        const std::int32_t key = m_parameters.ofStored[stored];
        if (key == kNoKey || (hasName && m_parameters.firstOf(key) == m_parameters.firstOf(read.key)))
            continue;
        ParameterRead found = read;
        found.key = key;
        found.from = match.certainty <= Certainty::Witnessed ? Provenance::Content : Provenance::Guess;
        found.isRenamed = match.kind != MatchKind::Name;
        found.isFolded = match.keys.size() > 1;
        found.isEqualValues = read.isEqualValues && found.from == Provenance::Guess; // else it is known which it is
        improved.push_back(found);
    }
}

void ContentReads::improve(NodeId reader, std::vector<ParameterRead>& reads) const
{
    if (m_matches == nullptr)
        return;
    std::vector<ParameterRead> improved;
    for (const ParameterRead& read : reads) {
        const ContentMatch* match = read.tensor.valid() ? m_matches->find(read.tensor, reader) : nullptr;
        const bool hasName = read.key != kNoKey;
        const bool isAnswer
            = match != nullptr && !match->keys.empty() && (!hasName || match->certainty <= Certainty::Witnessed);
        if (!isAnswer) {
            improved.push_back(read);
            continue;
        }
        const bool isKept = hasName && (names(*match, read.key) || read.isEqualValues);
        const bool isTie = hasName && !isKept && m_parameters.key(read.key).stored == kNoKey && match->keys.size() == 1
            && match->kind <= MatchKind::Exact;
        if (isTie)
            m_parameters.join(read.key, m_parameters.ofStored[match->keys.front()]);
        if (isKept || isTie)
            improved.push_back(read);
        if (!isTie && !(hasName && read.isEqualValues))
            addMatch(*match, read, improved);
    }
    reads = std::move(improved);
}

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
