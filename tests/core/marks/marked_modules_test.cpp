// SPDX-License-Identifier: Apache-2.0
#include "core/marks/marked_modules.h"

#include "tests/core/marks/marked_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

MarkedModules modulesOf(
    const MarkedNetwork& network, const std::vector<Mark>& marks, const MarkedModules* before = nullptr)
{
    const ScopeSources sources{&network.checkpoint, nullptr};
    const auto scopes
        = before != nullptr ? before->scopes : std::make_shared<const Scopes>(findScopes(*network.model, sources));
    return markedModules(*network.model, scopes, sources, marks, before);
}

/// "a.blk", "~b.blk" for a path that is not the first, "-head" for one left out.
std::vector<std::string> signs(const ScopeTree& tree, const std::vector<MarkSign>& signs)
{
    std::vector<std::string> texts;
    for (std::size_t s = 0; s < signs.size(); ++s) {
        constexpr auto kMarks = std::to_array<const char*>({"", "", "~", "-"});
        if (signs[s] != MarkSign::None)
            texts.push_back(kMarks[static_cast<std::size_t>(signs[s])] + tree.scopes[s].path);
    }
    std::ranges::sort(texts);
    return texts;
}

TEST(MarkedModules, EveryPathOfAMarkedModuleHasASignAndTheFirstOneIsToldApart)
{
    const MarkedNetwork network(true);
    const MarkedModules modules = modulesOf(network, {markOf("b", {"b.act"})});
    EXPECT_THAT(signs(modules.scopes->storage, modules.storage),
        ElementsAre("-b.act", "a.blk", "a.blk.act", "a.blk.lin", "b", "~b.blk", "~b.blk.act", "~b.blk.lin"));
    EXPECT_THAT(signs(modules.scopes->execution, modules.execution),
        ElementsAre("-b/act", "a/blk", "a/blk/act", "a/blk/lin", "b", "~b/blk#1", "~b/blk#1/lin#1"));
}

TEST(MarkedModules, WithoutMarksThereAreNoSigns)
{
    const MarkedNetwork network(true);
    const MarkedModules modules = modulesOf(network, {});
    EXPECT_THAT(signs(modules.scopes->storage, modules.storage), IsEmpty());
    EXPECT_THAT(signs(modules.scopes->execution, modules.execution), IsEmpty());
}

TEST(MarkedModules, TheTreeOfTheSameScopesIsTaken)
{
    const MarkedNetwork network(true);
    const MarkedModules before = modulesOf(network, {});
    EXPECT_EQ(modulesOf(network, {markOf("")}, &before).tree, before.tree);
    EXPECT_NE(modulesOf(network, {markOf("")}).tree, before.tree);
}

TEST(MarkedModules, TheLastMarkThatReachesAModuleDecidesOfIt)
{
    const MarkedNetwork network(true);
    const MarkedModules modules = modulesOf(network, {markOf("", {"head"}), markOf("b")});
    const auto of = [&](const char* path) { return markOf(modules, modules.tree->find(path)); };
    EXPECT_EQ(of("a"), 0U);
    EXPECT_EQ(of("a.blk"), 1U) << "under its path b.blk";
    EXPECT_EQ(of("head"), 0U) << "it leaves it out";
    EXPECT_EQ(markOf(modulesOf(network, {markOf("b")}), modules.tree->find("head")), kUnmarked);
}

} // namespace
} // namespace duo::test
