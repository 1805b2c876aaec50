// SPDX-License-Identifier: Apache-2.0
#include "core/marks/annotate.h"

#include "core/marks/toggle_mark.h"
#include "tests/core/marks/marked_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Annotate, MarksEachObjectOnceTheRootIncluded)
{
    const MarkedNetwork network(true);
    EXPECT_THAT(
        network.marked({markOf("")}), ElementsAre("", "a", "a.blk", "a.blk.lin", "a.blk.act", "b", "b.act", "head"));
    EXPECT_THAT(network.marked({markOf("b")}), ElementsAre("b", "a.blk", "a.blk.lin", "a.blk.act", "b.act"));
    const Marked marked = annotate(network.tree, {markOf("b")});
    EXPECT_EQ(marked.counts, (MarkCounts{5, 8, 3, 4}));
    EXPECT_EQ(markCountsText(marked.counts), "5 modules, 8 paths, 3 aliases, 4 nodes");
}

TEST(Annotate, IgnoringAModuleDoesNotHideItsChildren)
{
    const MarkedNetwork network(true);
    EXPECT_THAT(network.marked({markOf("b", {"b.blk"})}), ElementsAre("b", "a.blk.lin", "a.blk.act", "b.act"));
    EXPECT_THAT(network.marked({markOf("b", {"b.blk"}, true)}), ElementsAre("b", "b.act"));
    EXPECT_THAT(network.marked({markOf("b", {"b"})}), ElementsAre("a.blk", "a.blk.lin", "a.blk.act", "b.act"));
}

TEST(Annotate, AnIgnoredObjectIsIgnoredByWhateverPath)
{
    const MarkedNetwork network(true);
    EXPECT_THAT(network.marked({markOf("b", {"a.blk.lin"})}), ElementsAre("b", "a.blk", "a.blk.act", "b.act"));
}

TEST(Annotate, MarkingAgainSetsSettingsAnewAndKeepsOthers)
{
    const MarkedNetwork network(true);
    Mark first = markOf("");
    first.settings = {{"use_orig_params", "true"}, {"unit", "1"}};
    Mark second = markOf("b");
    second.settings = {{"use_orig_params", "false"}};
    const Marked marked = annotate(network.tree, {first, second});
    EXPECT_THAT(marked.settings[network.tree.find("a.blk")],
        ElementsAre(MarkSetting{"use_orig_params", "false"}, MarkSetting{"unit", "1"}));
    EXPECT_THAT(marked.settings[network.tree.find("head")],
        ElementsAre(MarkSetting{"use_orig_params", "true"}, MarkSetting{"unit", "1"}));
}

TEST(Annotate, WhatOneMarkIgnoresAnotherMayMark)
{
    const MarkedNetwork network(true);
    const Marked marked = annotate(network.tree, {markOf("", {"head", "b.act"}), markOf("head")});
    EXPECT_EQ(marked.states[network.tree.find("head")], MarkState::Marked);
    EXPECT_EQ(marked.states[network.tree.find("b.act")], MarkState::Ignored);
}

TEST(Annotate, AMarkWithANameThatIsNotThereMarksNothing)
{
    const MarkedNetwork network(true);
    const Marked marked = annotate(network.tree, {markOf("b", {"b.ack"})});
    EXPECT_THAT(marked.marks[0].marked, IsEmpty());
    EXPECT_EQ(marked.marks[0].problem, "there is no module 'b.ack'");
    EXPECT_THAT(marked.marks[0].suggestions, ElementsAre("b.act"));
    const Marked call = annotate(network.tree, {markOf("b/blk#1")});
    EXPECT_EQ(call.marks[0].problem, "there is no module 'b/blk#1': a mark means a module, not one of its calls");
}

TEST(Annotate, AMarkThatIsSwitchedOffMarksNothing)
{
    const MarkedNetwork network(true);
    Mark mark = markOf("");
    mark.enabled = false;
    EXPECT_EQ(annotate(network.tree, {mark}).counts, MarkCounts{});
}

TEST(ToggleMark, MarksWithAllBelowAndTakesOutAgain)
{
    const MarkedNetwork network(true);
    const auto toggled = [&](const std::vector<Mark>& marks, const char* path) {
        return withToggled(network.tree, marks, network.tree.find(path));
    };
    const auto marked = toggled({}, "b");
    EXPECT_THAT(marked, ElementsAre(markOf("b")));
    const auto without = toggled(marked, "b.blk");
    EXPECT_THAT(without, ElementsAre(markOf("b", {"a.blk"})));
    EXPECT_THAT(toggled(without, "a.blk"), ElementsAre(markOf("b")));
    EXPECT_THAT(toggled(without, "b"), IsEmpty());
    EXPECT_THAT(toggled(without, "head"), ElementsAre(markOf("b", {"a.blk"}), markOf("head")));
}

TEST(Mark, IsOneLineForPeople)
{
    Mark mark = markOf("encoder", {"encoder.norm", ""}, true);
    mark.settings = {{"use_orig_params", "true"}};
    EXPECT_EQ(markText(mark), "mark encoder without encoder.norm, the model and what lies below: use_orig_params=true");
    EXPECT_EQ(markSettingFromText("=1").error().line(), "not a setting: --set =1: write --set KEY=VALUE");
}

} // namespace
} // namespace duo::test
