// SPDX-License-Identifier: Apache-2.0
#include "core/scope/scope_record.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <unordered_map>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr std::int64_t kMostElement = static_cast<std::int64_t>(ElementType::Int2);
constexpr std::int64_t kMostRank = 64;
constexpr std::int64_t kUnread = static_cast<std::int64_t>(Provenance::Guess) + 1;

std::int64_t bit(bool is, int place)
{
    return is ? std::int64_t{1} << place : 0;
}

/// Provenance in the three lowest bits, then one bit each.
std::int64_t flagsOf(const ScopeRecord::NodeEntry& node)
{
    return static_cast<std::int64_t>(node.from) | bit(node.isScoped, 3) | bit(node.isMade, 4)
        | bit(node.isPastForward, 5) | bit(node.isDirectCall, 6) | bit(node.isUnregistered, 7);
}

std::int64_t flagsOf(const ScopeRecord::ReadEntry& read)
{
    return static_cast<std::int64_t>(read.from) | bit(read.isStored, 3) | bit(read.isRenamed, 4)
        | bit(read.isEqualValues, 5) | bit(read.isFolded, 6);
}

std::int64_t flagsOf(const ScopeRecord::KeyEntry& key)
{
    return (key.readBy ? static_cast<std::int64_t>(*key.readBy) : kUnread) | bit(key.isRecorded, 3);
}

class RecordWriter
{
public:
    explicit RecordWriter(const ScopeRecord& record)
        : m_record(record)
    {
    }

    Json json()
    {
        const std::int64_t rootClass = classNumber(m_record.rootClass);
        Json paths = Json::array();
        for (const ScopeRecord::Path& path : m_record.paths) {
            paths.push_back({path.parent, path.atom});
            if (!path.className.empty())
                paths.back().push_back(classNumber(path.className));
        }
        Json all{{"version", kVersion},
            {"flags", bit(m_record.namesScopes, 0) | bit(m_record.hasRecords, 1) | bit(m_record.hasContent, 2)},
            {"root", rootClass}, {"classes", m_classes}, {"paths", std::move(paths)}, {"same", m_record.sameModules},
            {"never", m_record.neverExecuted}, {"modules", m_record.modules}, {"keys", keys()},
            {"order", m_record.order}, {"calls", calls()}, {"nodes", nodes()}, {"reads", reads()},
            {"merged", merged()}};
        if (!m_record.owners.empty())
            all["owners"] = owners();
        if (!m_record.signatures.empty())
            all["signatures"] = signatures();
        return all;
    }

private:
    /// From 1; 0 is none.
    std::int64_t classNumber(const std::string& name)
    {
        if (name.empty())
            return 0;
        const auto [entry, isNew] = m_numbers.emplace(name, m_numbers.size() + 1);
        if (isNew)
            m_classes.push_back(name);
        return static_cast<std::int64_t>(entry->second);
    }

    Json keys() const
    {
        Json all = Json::array();
        for (std::size_t k = 0; k < m_record.keys.size(); ++k) {
            const ScopeRecord::KeyEntry& key = m_record.keys[k];
            const bool isAlias = key.first != static_cast<std::int64_t>(k);
            Json entry = {key.owner, key.leaf, flagsOf(key)};
            if (isAlias || !key.label.empty())
                entry.push_back(key.first);
            if (!key.label.empty())
                entry.push_back(key.label);
            all.push_back(std::move(entry));
        }
        return all;
    }

    Json calls() const
    {
        Json all = Json::array();
        for (const ScopeRecord::CallEntry& call : m_record.calls) {
            all.push_back({call.parent, call.path});
            if (call.number > 0 || call.isGuess)
                all.back().push_back(call.number);
            if (call.isGuess)
                all.back().push_back(1);
        }
        return all;
    }

    /// Nodes alike that follow each other share an entry.
    Json nodes() const
    {
        Json all = Json::array();
        for (std::size_t n = 0; n < m_record.nodes.size(); ++n) {
            const ScopeRecord::NodeEntry& node = m_record.nodes[n];
            const bool isLikeLast
                = n > 0 && m_record.nodes[n - 1].call == node.call && flagsOf(m_record.nodes[n - 1]) == flagsOf(node);
            if (!isLikeLast)
                all.push_back({node.call, flagsOf(node)});
            all.back().push_back(node.name);
        }
        return all;
    }

    Json reads() const
    {
        Json all = Json::array();
        for (const ScopeRecord::ReadEntry& read : m_record.reads) {
            all.push_back({read.node, flagsOf(read), read.key});
            if (read.key == kNoKey || !read.tensor.empty() || !read.alias.empty())
                all.back().push_back(read.owner);
            if (!read.tensor.empty() || !read.alias.empty())
                all.back().push_back(read.tensor);
            if (!read.alias.empty())
                all.back().push_back(read.alias);
        }
        return all;
    }

    Json merged() const
    {
        Json all = Json::array();
        for (const ScopeRecord::MergedEntry& read : m_record.merged)
            all.push_back({read.producer, read.reader, read.port, read.name});
        return all;
    }

    Json owners() const
    {
        Json all = Json::array();
        for (const ScopeRecord::OwnerEntry& owner : m_record.owners)
            all.push_back({owner.node, owner.name, owner.whole});
        return all;
    }

    static Json valuesJson(const std::vector<SignatureValue>& values)
    {
        Json all = Json::array();
        for (const SignatureValue& value : values) {
            const std::int64_t rank = value.type.shape ? static_cast<std::int64_t>(value.type.shape->size()) : -1;
            all.push_back({value.value, value.module, bit(value.isInput, 0) | bit(!value.isRead, 1),
                static_cast<std::int64_t>(value.type.element), rank});
            if (!value.formal.empty())
                all.back().push_back(value.formal);
        }
        return all;
    }

    Json signatures() const
    {
        Json all = Json::array();
        for (const CallSignature& signature : m_record.signatures)
            all.push_back({signature.module, valuesJson(signature.inputs), valuesJson(signature.outputs),
                bit(signature.isClosed, 0)});
        return all;
    }

    const ScopeRecord& m_record;
    Json m_classes = Json::array();
    std::unordered_map<std::string, std::size_t> m_numbers;
};

/// Reads an entry's parts in order; the first that is missing or wrong spoils the whole text.
class RecordParser
{
public:
    explicit RecordParser(const nlohmann::json& json)
        : m_json(json)
    {
    }

    std::optional<ScopeRecord> parse()
    {
        if (!m_json.is_object() || m_json.value("version", nlohmann::json()) != kVersion)
            return std::nullopt;
        const std::int64_t flags = number(part(m_json, "flags"), 0, 7);
        m_record.namesScopes = (flags & 1) != 0;
        m_record.hasRecords = (flags & 2) != 0;
        m_record.hasContent = (flags & 4) != 0;
        for (const auto& name : list("classes"))
            m_classes.push_back(text(name));
        m_record.rootClass = className(part(m_json, "root"));
        readPaths();
        readKeys();
        readCalls();
        readNodes();
        readReads();
        readMerged();
        readOwners();
        readSignatures();
        return m_isBroken ? std::nullopt : std::optional<ScopeRecord>(std::move(m_record));
    }

private:
    using Part = nlohmann::json;

    const Part& part(const Part& object, const char* name)
    {
        const auto found = object.find(name);
        return found == object.end() ? broken() : *found;
    }

    const Part& at(const Part& entry, std::size_t i)
    {
        return entry.is_array() && i < entry.size() ? entry[i] : broken();
    }

    const Part& broken()
    {
        m_isBroken = true;
        return m_nothing;
    }

    const Part& list(const char* name)
    {
        const Part& found = part(m_json, name);
        return found.is_array() ? found : (m_isBroken = true, m_nothing);
    }

    std::int64_t number(const Part& part, std::int64_t least, std::int64_t most)
    {
        const bool isNumber = part.is_number_integer();
        const std::int64_t value = isNumber ? part.get<std::int64_t>() : least;
        m_isBroken = m_isBroken || !isNumber || value < least || value > most;
        return m_isBroken ? 0 : value;
    }

    std::string text(const Part& part)
    {
        m_isBroken = m_isBroken || !part.is_string();
        return m_isBroken ? std::string() : part.get<std::string>();
    }

    Provenance provenance(std::int64_t flags)
    {
        m_isBroken = m_isBroken || (flags & 7) > static_cast<std::int64_t>(Provenance::Guess);
        return m_isBroken ? Provenance::Guess : static_cast<Provenance>(flags & 7);
    }

    std::string className(const Part& part)
    {
        const auto n = static_cast<std::size_t>(number(part, 0, static_cast<std::int64_t>(m_classes.size())));
        return n == 0 || n > m_classes.size() ? std::string() : m_classes[n - 1];
    }

    template <typename T> static std::int64_t last(const std::vector<T>& items)
    {
        return static_cast<std::int64_t>(items.size());
    }

    void readPaths()
    {
        for (const Part& entry : list("paths")) {
            m_record.paths.push_back({number(at(entry, 0), 0, last(m_record.paths)), text(at(entry, 1)),
                entry.size() > 2 ? className(at(entry, 2)) : std::string()});
        }
        for (const Part& entry : list("same"))
            m_record.sameModules.emplace_back(
                number(at(entry, 0), 0, last(m_record.paths)), number(at(entry, 1), 1, last(m_record.paths)));
        for (const Part& entry : list("never"))
            m_record.neverExecuted.push_back(number(entry, 1, last(m_record.paths)));
        for (const Part& entry : list("modules"))
            m_record.modules.push_back(number(entry, 0, last(m_record.paths)));
    }

    void readKeys()
    {
        for (const Part& entry : list("keys")) {
            ScopeRecord::KeyEntry key;
            key.owner = number(at(entry, 0), 0, last(m_record.paths));
            key.leaf = text(at(entry, 1));
            const std::int64_t flags = number(at(entry, 2), 0, 15);
            if ((flags & 7) != kUnread)
                key.readBy = provenance(flags);
            key.isRecorded = (flags & 8) != 0;
            const std::int64_t own = last(m_record.keys);
            key.first = entry.size() > 3 ? number(at(entry, 3), 0, own) : own;
            if (entry.size() > 4)
                key.label = text(at(entry, 4));
            m_record.keys.push_back(std::move(key));
        }
        for (const Part& entry : list("order"))
            m_record.order.push_back(number(entry, -1 - last(m_record.paths), last(m_record.keys) - 1));
    }

    void readCalls()
    {
        for (const Part& entry : list("calls"))
            m_record.calls.push_back(
                {number(at(entry, 0), 0, last(m_record.calls)), number(at(entry, 1), 0, last(m_record.paths)),
                    entry.size() > 2 ? number(at(entry, 2), 0, INT32_MAX) : 0,
                    entry.size() > 3 && number(at(entry, 3), 0, 1) == 1});
    }

    void readNodes()
    {
        for (const Part& entry : list("nodes")) {
            ScopeRecord::NodeEntry node;
            node.call = number(at(entry, 0), 0, last(m_record.calls));
            const std::int64_t flags = number(at(entry, 1), 0, 255);
            node.from = provenance(flags);
            node.isScoped = (flags & 8) != 0;
            node.isMade = (flags & 16) != 0;
            node.isPastForward = (flags & 32) != 0;
            node.isDirectCall = (flags & 64) != 0;
            node.isUnregistered = (flags & 128) != 0;
            for (std::size_t i = 2; i < entry.size(); ++i) {
                node.name = text(at(entry, i));
                m_record.nodes.push_back(node);
            }
        }
    }

    void readReads()
    {
        for (const Part& entry : list("reads")) {
            ScopeRecord::ReadEntry read;
            read.node = number(at(entry, 0), 0, last(m_record.nodes) - 1);
            const std::int64_t flags = number(at(entry, 1), 0, 127);
            read.from = provenance(flags);
            read.isStored = (flags & 8) != 0;
            read.isRenamed = (flags & 16) != 0;
            read.isEqualValues = (flags & 32) != 0;
            read.isFolded = (flags & 64) != 0;
            read.key = number(at(entry, 2), kNoKey, last(m_record.keys) - 1);
            if (entry.size() > 3)
                read.owner = number(at(entry, 3), -1, last(m_record.paths));
            if (entry.size() > 4)
                read.tensor = text(at(entry, 4));
            if (entry.size() > 5)
                read.alias = text(at(entry, 5));
            m_record.reads.push_back(std::move(read));
        }
    }

    void readMerged()
    {
        for (const Part& entry : list("merged"))
            m_record.merged.push_back(
                {number(at(entry, 0), 0, last(m_record.nodes) - 1), number(at(entry, 1), 0, last(m_record.nodes) - 1),
                    number(at(entry, 2), 0, INT32_MAX), text(at(entry, 3))});
    }

    /// Records of models without bodies lack the list.
    void readOwners()
    {
        if (!m_json.contains("owners"))
            return;
        for (const Part& entry : list("owners"))
            m_record.owners.push_back(
                {number(at(entry, 0), 0, last(m_record.nodes) - 1), text(at(entry, 1)), text(at(entry, 2))});
    }

    std::vector<SignatureValue> values(const Part& list)
    {
        std::vector<SignatureValue> all;
        m_isBroken = m_isBroken || !list.is_array();
        for (const Part& entry : list) {
            SignatureValue& value = all.emplace_back();
            value.value = text(at(entry, 0));
            value.module = text(at(entry, 1));
            const std::int64_t flags = number(at(entry, 2), 0, 3);
            value.isInput = (flags & 1) != 0;
            value.isRead = (flags & 2) == 0;
            value.type.element = static_cast<ElementType>(number(at(entry, 3), 0, kMostElement));
            const std::int64_t rank = number(at(entry, 4), -1, kMostRank);
            if (rank >= 0)
                value.type.shape.emplace(static_cast<std::size_t>(rank));
            if (entry.size() > 5)
                value.formal = text(at(entry, 5));
        }
        return all;
    }

    /// Records of models without any lack the list.
    void readSignatures()
    {
        if (!m_json.contains("signatures"))
            return;
        for (const Part& entry : list("signatures")) {
            CallSignature& signature = m_record.signatures.emplace_back();
            signature.module = text(at(entry, 0));
            signature.inputs = values(at(entry, 1));
            signature.outputs = values(at(entry, 2));
            signature.isClosed = entry.size() > 3 && number(at(entry, 3), 0, 1) == 1;
        }
    }

    const Part& m_json;
    const Part m_nothing = Part::array();
    std::vector<std::string> m_classes;
    ScopeRecord m_record;
    bool m_isBroken = false;
};

} // namespace

std::string scopeRecordText(const ScopeRecord& record)
{
    return RecordWriter(record).json().dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<ScopeRecord> parseScopeRecord(std::string_view text)
{
    const auto json = nlohmann::json::parse(text, nullptr, false);
    return json.is_discarded() ? std::nullopt : RecordParser(json).parse();
}

} // namespace duo
