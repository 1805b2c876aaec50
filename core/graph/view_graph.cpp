// SPDX-License-Identifier: Apache-2.0
#include "core/graph/view_graph.h"

#include "core/graph/containment.h"
#include "core/graph/first_picture.h"
#include "core/graph/view_builder.h"

#include <algorithm>

namespace duo {
namespace {

std::set<std::string> keysOf(const std::vector<Opening>& openings, std::size_t count)
{
    std::set<std::string> keys;
    for (std::size_t i = 0; i < count; ++i)
        keys.insert(openings[i].keys.begin(), openings[i].keys.end());
    return keys;
}

} // namespace

std::set<std::string> openScopesWithin(const Model& model, const Scopes& scopes, std::size_t budget)
{
    const Containment containment = findContainment(model, scopes);
    const std::vector<Opening> openings = openingsWithin(containment, budget);
    // Stubs are known only in a built picture: find the most openings whose picture still holds the budget.
    std::size_t fits = 0;
    std::size_t tooMany = openings.size() + 1;
    while (fits + 1 < tooMany) {
        const std::size_t middle = fits == 0 && tooMany > openings.size() ? openings.size() : (fits + tooMany) / 2;
        const ViewGraph view = buildView(model, scopes, nullptr, containment, keysOf(openings, middle));
        (view.boxes.size() <= budget ? fits : tooMany) = middle;
    }
    return keysOf(openings, fits);
}

std::set<std::string> withOpened(
    const Model& model, const Scopes& scopes, const std::set<std::string>& open, const std::string& key)
{
    const Containment containment = findContainment(model, scopes);
    std::set<std::string> opened = open;
    const auto container = std::find_if(containment.containers.begin(), containment.containers.end(),
        [&](const Container& candidate) { return candidate.key == key; });
    if (container == containment.containers.end())
        return opened;
    const auto index = static_cast<std::uint32_t>(container - containment.containers.begin());
    for (const std::uint32_t link : chainFrom(containment, index))
        opened.insert(containment.containers[link].key);
    return opened;
}

std::vector<std::string> keysAround(const Model& model, const Scopes& scopes, NodeId node)
{
    const Containment containment = findContainment(model, scopes);
    if (node.index >= containment.ofNode.size() || containment.ofNode[node.index] == Containment::kHidden)
        return {};
    return containment.keysTo(containment.ofNode[node.index]);
}

ViewGraph buildViewGraph(
    const Model& model, const Scopes& scopes, const Placement* placement, const std::set<std::string>& open)
{
    return buildView(model, scopes, placement, findContainment(model, scopes), open);
}

} // namespace duo
