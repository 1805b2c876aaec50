// SPDX-License-Identifier: Apache-2.0
#include "views/graph/fold_offer.h"

#include "core/graph/alike.h"

#include <algorithm>

namespace duo::ui {
namespace {

/// Scopes under a container.
std::size_t scopesIn(const Containment& containment, const Container& fold)
{
    std::size_t count = 0;
    for (const ContainedItem& item : fold.items) {
        const Container& inside = containment.containers[item.index];
        count += inside.isGroup ? scopesIn(containment, inside) : 1; // pages nest a few levels deep
    }
    return count;
}

std::optional<FoldOffer> unfolding(const Containment& containment, std::uint32_t container)
{
    const Container& fold = containment.containers[container];
    const auto mark = markOfFold(fold.key);
    if (!mark || !fold.isGroup || fold.items.empty())
        return std::nullopt;
    const std::string& first = containment.containers[fold.items.front().index].key;
    return FoldOffer{true, *mark, first, scopesIn(containment, fold)};
}

/// Of a scope, or of the first one on a page.
std::optional<FoldOffer> folding(const Picture& picture, std::uint32_t container)
{
    const Containment& containment = *picture.containment;
    while (containment.containers[container].isGroup) {
        const auto& items = containment.containers[container].items;
        if (items.empty() || items.front().kind != ContainedItem::Kind::Container)
            return std::nullopt;
        container = items.front().index;
    }
    for (const AlikeRun& run : alikeIn(picture.drawn().model, containment, containment.containers[container].parent)) {
        if (std::ranges::find(run.containers, container) != run.containers.end())
            return FoldOffer{false, run.mark, foldOfMark(run.mark), run.containers.size()};
    }
    return std::nullopt;
}

} // namespace

std::optional<FoldOffer> foldOffer(const Picture& picture, int box)
{
    const auto& boxes = picture.graph.boxes;
    while (box != Picture::kNoBox && boxes[static_cast<std::size_t>(box)].key.empty())
        box = boxes[static_cast<std::size_t>(box)].parent;
    if (box == Picture::kNoBox)
        return std::nullopt;
    const Containment& containment = *picture.containment;
    const std::string& key = boxes[static_cast<std::size_t>(box)].key;
    const auto found = std::ranges::find(containment.containers, key, &Container::key);
    if (found == containment.containers.end())
        return std::nullopt;
    auto container = static_cast<std::uint32_t>(found - containment.containers.begin());
    if (isRestOfFold(key))
        return unfolding(containment, found->parent);
    if (auto offer = unfolding(containment, container))
        return offer;
    if (auto offer = folding(picture, container))
        return offer;
    for (; container != 0; container = containment.containers[container].parent) { // inside a fold that is open
        if (auto offer = unfolding(containment, container))
            return offer;
    }
    return std::nullopt;
}

} // namespace duo::ui
