// SPDX-License-Identifier: Apache-2.0
#include "core/graph/alike.h"

#include "core/graph/pages.h"
#include "core/support/digits.h"

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

/// A part of a container that has too many items.
bool isPage(const Container& container)
{
    return container.isGroup && isPageKey(container.key);
}

/// The container that a page is of; others themselves.
std::uint32_t withPages(const Containment& containment, std::uint32_t container)
{
    while (isPage(containment.containers[container]))
        container = containment.containers[container].parent;
    return container;
}

/// The items of a container and of its pages, in order.
std::vector<ContainedItem> itemsOnPages(const Containment& containment, std::uint32_t container)
{
    std::vector<ContainedItem> items;
    const auto& own = containment.containers[container].items;
    std::vector<ContainedItem> pending(own.rbegin(), own.rend());
    while (!pending.empty()) {
        const ContainedItem item = pending.back();
        pending.pop_back();
        if (item.kind != Kind::Container || !isPage(containment.containers[item.index])) {
            items.push_back(item);
            continue;
        }
        const auto& inside = containment.containers[item.index].items;
        pending.insert(pending.end(), inside.rbegin(), inside.rend());
    }
    return items;
}

/// @param areOnPages items of pages too: only runs without which all others have room in the container
void addRuns(
    Reader& reader, const Containment& containment, std::uint32_t parent, bool areOnPages, std::vector<AlikeRun>& runs)
{
    const auto items = areOnPages ? itemsOnPages(containment, parent) : containment.containers[parent].items;
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
        if (!areOnPages || items.size() - run.containers.size() < containment.most)
            runs.push_back(std::move(run));
    }
}

std::vector<PageItem> described(
    const Containment& containment, const Scopes& scopes, const std::vector<std::uint32_t>& containers)
{
    std::vector<PageItem> items;
    for (const std::uint32_t c : containers) {
        const std::string& name = scopes.execution.scope(containment.containers[c].scope).name;
        items.push_back({name, true, 0, name});
    }
    return items;
}

std::string titleOf(const Containment& containment, const Scopes& scopes, const std::vector<std::uint32_t>& containers)
{
    const std::vector<PageItem> items = described(containment, scopes, containers);
    if (items.size() == 1)
        return items.front().name;
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
        if (first == 0 || count < 2)
            return;
        const auto placeIn = [first](std::vector<ContainedItem>& items) {
            return std::ranges::find_if(
                items, [&](const ContainedItem& item) { return item.kind == Kind::Container && item.index == first; });
        };
        std::uint32_t parent = m_containment.containers[first].parent;
        const auto left = [&] {
            auto& on = m_containment.containers[parent].items;
            return static_cast<std::size_t>(on.end() - placeIn(on));
        };
        if (count > left())
            parent = withoutPages(parent, count);
        auto& items = m_containment.containers[parent].items;
        const auto at = placeIn(items);
        if (count > static_cast<std::size_t>(items.end() - at))
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
        if (containers.size() > m_containment.most)
            takeOnPages(rest, containers);
        else
            for (const std::uint32_t container : containers)
                take(rest, {Kind::Container, container});
        m_containment.containers[group].items.push_back({Kind::Container, rest});
        m_containment.containers[group].nodes += m_containment.containers[rest].nodes;
    }

    /// Everything on the pages of a container stands in itself, where that is not too much once `count` of it are one.
    std::uint32_t withoutPages(std::uint32_t page, std::size_t count)
    {
        const std::uint32_t whole = withPages(m_containment, page);
        std::vector<ContainedItem> items = itemsOnPages(m_containment, whole);
        if (items.size() < count || items.size() - count >= m_containment.most)
            return page;
        for (const ContainedItem& item : items) {
            if (item.kind == Kind::Container)
                m_containment.containers[item.index].parent = whole;
            else if (item.kind == Kind::Node)
                m_containment.ofNode[item.index] = whole;
        }
        m_containment.containers[whole].items = std::move(items);
        return whole;
    }

    void takeOnPages(std::uint32_t group, const std::vector<std::uint32_t>& containers)
    {
        const std::vector<std::uint32_t> crossing(containers.size(), 1);
        for (const Page& page : findPages(described(m_containment, m_scopes, containers), crossing, m_containment.most))
            take(group, {Kind::Container, addPage(group, page, containers)});
    }

    std::uint32_t addPage(std::uint32_t parent, const Page& page, const std::vector<std::uint32_t>& containers)
    {
        const std::string key = m_containment.containers[parent].key;
        const std::string whole = key.substr(0, key.rfind(kRest) + std::string_view(kRest).size());
        const auto index = static_cast<std::uint32_t>(m_containment.containers.size());
        addGroup(parent, pageKey(whole + "//", page), page.title, {});
        for (const Page& inner : page.pages)
            take(index, {Kind::Container, addPage(index, inner, containers)});
        for (std::size_t c = page.first; c < page.last && page.pages.empty(); ++c)
            take(index, {Kind::Container, containers[c]});
        return index;
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
    const std::uint32_t whole = withPages(containment, container);
    addRuns(reader, containment, whole, true, runs);
    if (runs.empty())
        addRuns(reader, containment, container, false, runs);
    return runs;
}

std::vector<AlikeRun> allAlike(const Model& model, const Containment& containment)
{
    std::vector<AlikeRun> runs;
    Reader reader(model, containment);
    std::vector<bool> isTaken(containment.containers.size(), false); // by a run over several pages
    for (std::uint32_t c = 0; c < containment.containers.size(); ++c) {
        std::vector<AlikeRun> found;
        if (!isPage(containment.containers[c]))
            addRuns(reader, containment, c, true, found);
        if (found.empty())
            addRuns(reader, containment, c, false, found);
        for (AlikeRun& run : found) {
            if (isTaken[run.containers.front()])
                continue;
            for (const std::uint32_t container : run.containers)
                isTaken[container] = true;
            runs.push_back(std::move(run));
        }
    }
    return runs;
}

std::optional<std::string> markOfFold(const std::string& key)
{
    const std::size_t end = key.rfind(kFold);
    if (end == std::string::npos || !allDigits(std::string_view(key).substr(end + std::string_view(kFold).size())))
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
