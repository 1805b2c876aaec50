// SPDX-License-Identifier: Apache-2.0
#include "core/graph/alike.h"

#include "core/graph/pages.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>

namespace duo {
namespace {

constexpr const char* kMark = "//fold "; // before the key of a fold
constexpr const char* kFold = "//x"; // after the key of the first one, before how many there are
constexpr const char* kRest = "/rest"; // after the key of a fold

using Kind = ContainedItem::Kind;

std::uint64_t joined(std::uint64_t seed, std::uint64_t value)
{
    value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
    value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
    return (seed * 0x9E3779B97F4A7C15U + 1) ^ (value ^ (value >> 31U));
}

std::uint64_t hashOf(std::string_view text)
{
    return std::hash<std::string_view>()(text);
}

/// What of a tensor its like has too: all but its numbers.
std::uint64_t hashOf(const Tensor& tensor)
{
    std::uint64_t hash = static_cast<std::uint64_t>(tensor.type);
    for (const std::int64_t dim : tensor.dims)
        hash = joined(hash, static_cast<std::uint64_t>(dim));
    return hash;
}

class Reader
{
public:
    Reader(const Model& model, const Containment& containment)
        : m_model(model)
        , m_containment(containment)
        , m_place(model.nodes.size(), 0)
        , m_inside(model.nodes.size(), 0)
        , m_hash(model.nodes.size(), 0)
    {
        for (std::uint32_t i = 0; i < model.order.size(); ++i)
            m_place[model.order[i].index] = i;
    }

    /// The same for containers with the same inside, whatever the order of their nodes in the file.
    std::uint64_t insideOf(std::uint32_t container)
    {
        ++m_stamp;
        std::vector<std::uint32_t> nodes;
        std::uint64_t sum = scopesAndNodes(container, nodes);
        for (const std::uint32_t node : nodes)
            m_inside[node] = m_stamp;
        std::ranges::sort(nodes, {}, [&](std::uint32_t node) { return m_place[node]; });
        for (const std::uint32_t node : nodes) {
            m_hash[node] = hashOfNode(m_model.nodes[node]);
            sum += joined(1, m_hash[node]);
        }
        return sum;
    }

private:
    /// @return what the scopes inside come to
    std::uint64_t scopesAndNodes(std::uint32_t container, std::vector<std::uint32_t>& nodes) const
    {
        std::uint64_t sum = 0;
        std::vector<std::uint32_t> pending{container};
        while (!pending.empty()) {
            const Container& at = m_containment.containers[pending.back()];
            pending.pop_back();
            for (const ContainedItem& item : at.items) {
                if (item.kind == Kind::Node)
                    nodes.push_back(item.index);
                if (item.kind != Kind::Container)
                    continue;
                pending.push_back(item.index);
                const auto inside = static_cast<std::uint64_t>(m_containment.containers[item.index].nodes);
                sum += joined(2, joined(at.items.size(), inside));
            }
        }
        return sum;
    }

    [[nodiscard]] std::uint64_t hashOfNode(const Node& node) const
    {
        std::uint64_t hash = joined(hashOf(node.opType), hashOf(node.domain));
        for (const Attribute& attribute : node.attributes)
            hash += joined(hashOf(attribute.name), hashOfValue(attribute));
        for (const ValueId input : node.inputs)
            hash = joined(hash, hashOfInput(input));
        for (const ValueId output : node.outputs)
            hash = joined(hash, isReadOutside(output) ? 1 : 0);
        return hash;
    }

    [[nodiscard]] std::uint64_t hashOfInput(ValueId id) const
    {
        constexpr std::uint64_t kOmitted = 3;
        constexpr std::uint64_t kFromOutside = 4;
        if (!id.valid())
            return kOmitted;
        if (const Tensor* constant = m_model.constant(id))
            return joined(5, hashOf(*constant));
        const Value& value = m_model.value(id);
        const bool isInside = value.producer.valid() && m_inside[value.producer.index] == m_stamp;
        return isInside ? joined(m_hash[value.producer.index], value.producerPort) : kFromOutside;
    }

    [[nodiscard]] bool isReadOutside(ValueId id) const
    {
        if (!id.valid())
            return false;
        const Value& value = m_model.value(id);
        return value.isOutput
            || std::ranges::any_of(value.uses, [&](const Use& use) { return m_inside[use.node.index] != m_stamp; });
    }

    [[nodiscard]] std::uint64_t hashOfValue(const Attribute& attribute) const
    {
        return std::visit(
            [&](const auto& value) -> std::uint64_t {
                using Type = std::decay_t<decltype(value)>;
                if constexpr (std::is_same_v<Type, std::monostate>)
                    return 0;
                else if constexpr (std::is_same_v<Type, TensorId>)
                    return value.valid() ? hashOf(m_model.tensor(value)) : 0;
                else if constexpr (std::is_same_v<Type, std::string>)
                    return hashOf(value);
                else if constexpr (std::is_arithmetic_v<Type>)
                    return std::hash<Type>()(value);
                else {
                    std::uint64_t hash = value.size();
                    for (const auto& element : value)
                        hash = joined(hash, std::hash<typename Type::value_type>()(element));
                    return hash;
                }
            },
            attribute.value);
    }

    const Model& m_model;
    const Containment& m_containment;
    std::vector<std::uint32_t> m_place; // [nodes] in topological order
    std::vector<std::uint32_t> m_inside; // [nodes] the last container looked at that holds it, by m_stamp
    std::vector<std::uint64_t> m_hash; // [nodes] inside that one, once it was met
    std::uint32_t m_stamp = 0;
};

bool isScope(const Containment& containment, const ContainedItem& item)
{
    return item.kind == Kind::Container && !containment.containers[item.index].isGroup
        && containment.containers[item.index].nodes > 0;
}

void addRuns(Reader& reader, const Containment& containment, std::uint32_t parent, std::vector<AlikeRun>& runs)
{
    const auto& items = containment.containers[parent].items;
    std::vector<std::optional<std::uint64_t>> inside(items.size());
    const auto insideOf = [&](std::size_t i) {
        if (!inside[i])
            inside[i] = reader.insideOf(items[i].index);
        return *inside[i];
    };
    const auto isLikeTheNext = [&](std::size_t i) {
        return i + 1 < items.size() && isScope(containment, items[i]) && isScope(containment, items[i + 1])
            && containment.containers[items[i].index].nodes == containment.containers[items[i + 1].index].nodes
            && insideOf(i) == insideOf(i + 1);
    };
    for (std::size_t first = 0; first < items.size(); ++first) {
        if (!isLikeTheNext(first))
            continue;
        AlikeRun run{parent, {items[first].index}, {}};
        for (; isLikeTheNext(first); ++first)
            run.containers.push_back(items[first + 1].index);
        run.mark = kMark + containment.containers[run.containers.front()].key + kFold
            + std::to_string(run.containers.size());
        runs.push_back(std::move(run));
    }
}

std::string titleOf(const Containment& containment, const Scopes& scopes, const std::vector<std::uint32_t>& containers)
{
    const auto nameOf = [&](std::uint32_t c) { return scopes.execution.scope(containment.containers[c].scope).name; };
    if (containers.size() == 1)
        return nameOf(containers.front());
    std::vector<PageItem> items;
    for (const std::uint32_t container : containers)
        items.push_back({nameOf(container), true, 0, {}});
    const std::string title = pageTitle(items);
    const std::string times = " ×" + std::to_string(containers.size());
    return title.ends_with(times) ? title : title + times;
}

/// Folds one run in place; what the mark says must stand there.
class Folder
{
public:
    Folder(Containment& containment, const Scopes& scopes)
        : m_containment(containment)
        , m_scopes(scopes)
    {
        for (std::uint32_t c = 0; c < containment.containers.size(); ++c)
            m_containers.emplace(containment.containers[c].key, c);
    }

    void fold(const std::string& mark)
    {
        const std::string key = foldOfMark(mark);
        const std::size_t end = key.rfind(kFold);
        const auto first = m_containers.find(end == std::string::npos ? std::string() : key.substr(0, end));
        const std::string digits = end == std::string::npos ? "" : key.substr(end + std::string_view(kFold).size());
        constexpr std::size_t kMostDigits = 6;
        if (first == m_containers.end() || digits.empty() || digits.size() > kMostDigits
            || digits.find_first_not_of("0123456789") != std::string::npos)
            return;
        foldFrom(first->second, std::stoul(digits), key);
    }

private:
    void foldFrom(std::uint32_t first, std::size_t count, const std::string& key)
    {
        const std::uint32_t parent = m_containment.containers[first].parent;
        auto& items = m_containment.containers[parent].items;
        const auto at = std::ranges::find_if(
            items, [&](const ContainedItem& item) { return item.kind == Kind::Container && item.index == first; });
        if (first == 0 || count < 2 || at == items.end() || count > static_cast<std::size_t>(items.end() - at))
            return;
        const std::vector<ContainedItem> folded(at, at + static_cast<std::ptrdiff_t>(count));
        if (!std::ranges::all_of(folded, [&](const ContainedItem& item) { return isScope(m_containment, item); }))
            return;
        std::vector<std::uint32_t> containers;
        for (const ContainedItem& item : folded)
            containers.push_back(item.index);
        const auto group = static_cast<std::uint32_t>(m_containment.containers.size());
        items.erase(at + 1, at + static_cast<std::ptrdiff_t>(count));
        *at = {Kind::Container, group};
        addGroup(parent, key, titleOf(m_containment, m_scopes, containers), {folded.front()});
        const std::uint32_t rest = group + 1;
        containers.erase(containers.begin());
        addGroup(group, key + kRest, titleOf(m_containment, m_scopes, containers), {});
        for (std::size_t i = 1; i < folded.size(); ++i)
            take(rest, folded[i]);
        m_containment.containers[group].items.push_back({Kind::Container, rest});
        m_containment.containers[group].nodes += m_containment.containers[rest].nodes;
    }

    void addGroup(
        std::uint32_t parent, const std::string& key, const std::string& title, const std::vector<ContainedItem>& items)
    {
        Container group;
        group.key = key;
        group.scope = m_containment.containers[parent].scope;
        group.isGroup = true;
        group.title = title;
        group.parent = parent;
        const auto index = static_cast<std::uint32_t>(m_containment.containers.size());
        m_containment.containers.push_back(std::move(group));
        for (const ContainedItem& item : items)
            take(index, item);
    }

    void take(std::uint32_t group, const ContainedItem& item)
    {
        m_containment.containers[group].items.push_back(item);
        m_containment.containers[group].nodes += m_containment.containers[item.index].nodes;
        m_containment.containers[item.index].parent = group;
    }

    Containment& m_containment;
    const Scopes& m_scopes;
    std::unordered_map<std::string, std::uint32_t> m_containers; // by key, those from before
};

} // namespace

std::vector<AlikeRun> alikeIn(const Model& model, const Containment& containment, std::uint32_t container)
{
    std::vector<AlikeRun> runs;
    Reader reader(model, containment);
    addRuns(reader, containment, container, runs);
    return runs;
}

std::vector<AlikeRun> allAlike(const Model& model, const Containment& containment)
{
    std::vector<AlikeRun> runs;
    Reader reader(model, containment);
    for (std::uint32_t c = 0; c < containment.containers.size(); ++c)
        addRuns(reader, containment, c, runs);
    return runs;
}

std::optional<std::string> markOfFold(const std::string& key)
{
    const std::size_t end = key.rfind(kFold);
    if (end == std::string::npos || isRestOfFold(key))
        return std::nullopt;
    return kMark + key;
}

std::string foldOfMark(const std::string& mark)
{
    return mark.substr(std::string_view(kMark).size());
}

bool isRestOfFold(const std::string& key)
{
    return key.ends_with(kRest) && key.rfind(kFold) != std::string::npos;
}

std::set<std::string> foldMarks(const std::set<std::string>& open)
{
    std::set<std::string> marks;
    for (auto key = open.lower_bound(kMark); key != open.end() && key->starts_with(kMark); ++key)
        marks.insert(*key);
    return marks;
}

Containment withFolds(Containment containment, const Scopes& scopes, const std::set<std::string>& open)
{
    Folder folder(containment, scopes);
    for (const std::string& mark : foldMarks(open))
        folder.fold(mark);
    return containment;
}

} // namespace duo
