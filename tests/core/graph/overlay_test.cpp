// SPDX-License-Identifier: Apache-2.0
#include "core/graph/overlay.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

Overlay ofUnit(OverlayUnit unit, std::vector<std::optional<double>> values)
{
    Overlay overlay;
    overlay.unit = unit;
    overlay.ofNode = std::move(values);
    return overlay;
}

/// Nodes 0 and 1 run in a/b, node 2 in a; node 1 reads parameters of p.q and of p.r.
Scopes fewScopes()
{
    Scopes scopes;
    const auto add = [](ScopeTree& tree, std::size_t parent) {
        Scope scope;
        if (!tree.scopes.empty())
            scope.parent = ScopeId(parent);
        tree.scopes.push_back(scope);
    };
    for (const std::size_t parent : {0, 0, 1})
        add(scopes.execution, parent); // root, a, a/b
    for (const std::size_t parent : {0, 0, 1, 1})
        add(scopes.storage, parent); // root, p, p.q, p.r
    scopes.nodes.resize(3);
    scopes.nodes[0].executionScope = scopes.nodes[1].executionScope = ScopeId(2);
    scopes.nodes[2].executionScope = ScopeId(1);
    scopes.nodes[1].storageScopes = {ScopeId(2), ScopeId(3)};
    return scopes;
}

using Values = std::vector<std::optional<double>>;

/// The root around a box of nodes 0 and 1, and node 2.
Containment fewContainers()
{
    Containment containment;
    containment.containers.resize(2);
    containment.containers[0].items = {{ContainedItem::Kind::Container, 1}, {ContainedItem::Kind::Node, 2}};
    containment.containers[1].key = "a/b";
    containment.containers[1].items = {{ContainedItem::Kind::Node, 0}, {ContainedItem::Kind::Node, 1}};
    return containment;
}

ViewGraph scopeBox(bool isOpen)
{
    ViewGraph view;
    ViewBox box;
    box.kind = ViewBox::Kind::Scope;
    box.key = "a/b";
    box.scope = ScopeId(2);
    box.open = isOpen;
    view.boxes = {box};
    return view;
}

TEST(Overlay, OpenBoxesHaveTheValueTheyAreDrawnWithWhereTheyAreSmall)
{
    Overlay overlay = ofUnit(OverlayUnit::Count, {1, 2, 4});
    rollUpInPlace(overlay, fewScopes());
    for (const bool isOpen : {false, true})
        EXPECT_EQ(overlayOfBoxes(overlay, scopeBox(isOpen), fewContainers()), Values{3});
}

TEST(Overlay, BoxesOfSeveralCategoriesAreMixed)
{
    const auto isMixed = [](OverlayUnit unit, Values values) {
        return bool{mixedBoxes(ofUnit(unit, std::move(values)), scopeBox(true), fewContainers()).front()};
    };
    EXPECT_TRUE(isMixed(OverlayUnit::Category, {0, 1, 1}));
    EXPECT_FALSE(isMixed(OverlayUnit::Category, {1, 1, 0})) << "node 2 is not in it";
    EXPECT_FALSE(isMixed(OverlayUnit::Category, {std::nullopt, 1, 0})) << "one has no value";
    EXPECT_FALSE(isMixed(OverlayUnit::Count, {0, 1, 1})) << "a sum";
}

TEST(Overlay, SumsCountANodeOnceInEveryScope)
{
    Overlay overlay = ofUnit(OverlayUnit::Microseconds, {10, 20, 5});
    rollUpInPlace(overlay, fewScopes());
    EXPECT_EQ(overlay.ofExecution, (Values{35, 35, 30}));
    EXPECT_EQ(overlay.ofStorage, (Values{20, 20, 20, 20})) << "p holds both modules the node reads";
    EXPECT_EQ(overlay.of({NodeId(0), NodeId(2)}), 15);
}

TEST(Overlay, TheWorstStandsForDecibelsAndTheLargestForMagnitudes)
{
    Overlay decibels = ofUnit(OverlayUnit::Decibel, {40, std::nullopt, 12});
    rollUpInPlace(decibels, fewScopes());
    EXPECT_EQ(decibels.ofExecution, (Values{12, 12, 40}));
    EXPECT_EQ(decibels.ofStorage.front(), std::nullopt);
    Overlay magnitudes = ofUnit(OverlayUnit::Magnitude, {40, 3, 12});
    rollUpInPlace(magnitudes, fewScopes());
    EXPECT_EQ(magnitudes.ofExecution, (Values{40, 40, 40}));
}

TEST(Overlay, CategoriesThatDifferMakeNone)
{
    Overlay overlay = ofUnit(OverlayUnit::Category, {1, 1, 0});
    overlay.categories = {"8 bit", "float"};
    rollUpInPlace(overlay, fewScopes());
    EXPECT_EQ(overlay.ofExecution, (Values{std::nullopt, std::nullopt, 1}));
}

TEST(Overlay, StepsAreSharesOfTheWhole)
{
    Overlay overlay = ofUnit(OverlayUnit::Microseconds, {});
    overlay.whole = 1000;
    EXPECT_EQ(overlay.stepOf(0.5), 0);
    EXPECT_EQ(overlay.stepOf(1), 1);
    EXPECT_EQ(overlay.stepOf(30), 2);
    EXPECT_EQ(overlay.stepOf(199), 3);
    EXPECT_EQ(overlay.stepOf(900), 4);
    EXPECT_EQ(stepText(overlay, 0), "under 0.1 %");
    EXPECT_EQ(stepText(overlay, 3), "5 % to 20 %");
    EXPECT_EQ(stepText(overlay, 4), "over 20 %");
    EXPECT_EQ(overlayText(overlay, 340), "34 %, 340 µs");
    EXPECT_EQ(overlayText(overlay, 0.4), "under 0.1 %, 0 µs");
}

TEST(Overlay, StepsOfDecibelsFall)
{
    const Overlay overlay = ofUnit(OverlayUnit::Decibel, {});
    EXPECT_EQ(overlay.stepOf(45), 0);
    EXPECT_EQ(overlay.stepOf(31), 1);
    EXPECT_EQ(overlay.stepOf(5), 4);
    EXPECT_EQ(stepText(overlay, 0), "over 40 dB");
    EXPECT_EQ(overlayText(overlay, 31.24), "31.2 dB");
}

TEST(Overlay, StepsOfMagnitudesAreEqualRatios)
{
    Overlay overlay = ofUnit(OverlayUnit::Magnitude, {});
    overlay.least = 1;
    overlay.most = 32;
    EXPECT_EQ(overlay.stepOf(1), 0);
    EXPECT_EQ(overlay.stepOf(2.1), 1);
    EXPECT_EQ(overlay.stepOf(32), 4);
    EXPECT_EQ(stepText(overlay, 1), "2 to 4");
}

TEST(Overlay, NumbersAreReadable)
{
    Overlay bytes = ofUnit(OverlayUnit::Bytes, {});
    EXPECT_EQ(overlayText(bytes, 1536), "1.5 kB");
    EXPECT_EQ(overlayText(bytes, 400), "400 B");
    EXPECT_EQ(overlayText(bytes, 25.4e6), "25 MB");
    EXPECT_EQ(overlayText(ofUnit(OverlayUnit::Count, {}), 1234567), "1,234,567");
    EXPECT_EQ(overlayKindFrom("time"), OverlayKind::Time);
    EXPECT_EQ(overlayKindFrom("colour"), std::nullopt);
}

} // namespace
} // namespace duo
