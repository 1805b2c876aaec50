// SPDX-License-Identifier: Apache-2.0
#include "core/marks/mark_snippet.h"

#include "tests/core/marks/marked_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

MarkSnippet snippetOf(const MarkedNetwork& network, const std::vector<Mark>& marks, MarkForm form)
{
    return markSnippet(network.tree, marks, annotate(network.tree, marks), form);
}

std::vector<Mark> read(const std::string& text)
{
    const auto marks = marksFromPython(text);
    return std::holds_alternative<TextProblem>(marks) ? std::vector<Mark>{} : std::get<std::vector<Mark>>(marks);
}

TEST(MarkSnippet, NamesWhatIsIgnored)
{
    const MarkedNetwork network(true);
    const auto snippet = snippetOf(network, {markOf("b", {"b.blk", "b.act"})}, MarkForm::IgnoredModules);
    EXPECT_EQ(snippet.text,
        "root = model.get_submodule(\"b\")\n"
        "ignored_modules = [\n"
        "    model.get_submodule(\"a.blk\"),\n"
        "    model.get_submodule(\"b.act\"),\n"
        "]\n");
    EXPECT_THAT(snippet.losses, IsEmpty());
}

TEST(MarkSnippet, EveryFormIsReadBackAsTheSameMarks)
{
    const MarkedNetwork network(true);
    for (const Mark& mark : {markOf(""), markOf("b"), markOf("b", {"b.blk", "b.act"}), markOf("a", {"a.blk"}, true)}) {
        const auto expected = network.marked({mark});
        for (const MarkForm form :
            {MarkForm::IgnoredModules, MarkForm::Annotate, MarkForm::Fsdp, MarkForm::FullyShard}) {
            const auto snippet = snippetOf(network, {mark}, form);
            const auto marks = read(snippet.text);
            ASSERT_EQ(marks.size(), 1U) << snippet.text;
            EXPECT_EQ(network.marked(marks), expected) << snippet.text;
        }
    }
}

TEST(MarkSnippet, SettingsGoWithACall)
{
    const MarkedNetwork network(true);
    Mark mark = markOf("head");
    mark.settings = {{"use_orig_params", "true"}, {"unit", "1"}};
    const auto snippet = snippetOf(network, {mark}, MarkForm::Annotate);
    EXPECT_THAT(snippet.text, HasSubstr("    ignored_modules=set(),\n    use_orig_params=True,\n"));
    EXPECT_THAT(snippet.losses, ElementsAre("this form has no word for unit=1"));
    EXPECT_THAT(read(snippet.text).at(0).settings, ElementsAre(MarkSetting{"use_orig_params", "true"}));
}

TEST(MarkSnippet, FullyShardBeginsBelow)
{
    const MarkedNetwork network(true);
    const auto snippet = snippetOf(network, {markOf("b", {"b.act"})}, MarkForm::FullyShard);
    EXPECT_LT(snippet.text.find("\"a.blk.lin\""), snippet.text.find("    model.get_submodule(\"b\")"));
    const auto all
        = snippetOf(network, {markOf("")}, MarkForm::FullyShard); // `b` is behind `a.blk`, which it holds too
    EXPECT_LT(all.text.find("(\"a.blk\")"), all.text.find("(\"b\")"));
    EXPECT_THAT(snippet.text, HasSubstr("fully_shard(module, ignored_params=ignored_params)"));
}

TEST(MarkSnippet, SaysWhatFsdpCannot)
{
    const MarkedNetwork network(true);
    EXPECT_THAT(snippetOf(network, {markOf("b", {"b.blk"})}, MarkForm::Fsdp).losses,
        ElementsAre("FSDP ignores what lies below an ignored module as well: 2 left out"));
}

TEST(ReadMarks, ReadsWhatPeopleWrite)
{
    EXPECT_EQ(read("ignored_modules=[model.a[0], \"b.c\"],").at(0).ignored, (std::vector<std::string>{"a.0", "b.c"}));
    const auto marks
        = read("import torch\n"
               "skip = [model.encoder.norm]\n"
               "policy = lambda m: True\n"
               "model = FSDP(\n    model.encoder, ignored_modules=skip,\n    sync_module_states=True,\n)\n");
    ASSERT_EQ(marks.size(), 1U);
    EXPECT_EQ(marks[0].root, "encoder");
    EXPECT_THAT(marks[0].ignored, ElementsAre("encoder.norm"));
    EXPECT_THAT(marks[0].settings, ElementsAre(MarkSetting{"sync_module_states", "true"}));
    EXPECT_THAT(read("_annotate_modules_for_dynamo(model, set(), False)").at(0).settings,
        ElementsAre(MarkSetting{"use_orig_params", "false"}));
}

TEST(ReadMarks, SaysWhatItCannotRead)
{
    const auto problem = [](const std::string& text) {
        return std::get<TextProblem>(marksFromPython(text)).error(ErrorCode::InvalidRule, "f.py").line();
    };
    EXPECT_EQ(problem("x = 1\n"),
        "no modules to ignore: f.py line 1 column 1: write ignored_modules=[model.get_submodule(\"...\")]");
    EXPECT_THAT(problem("x = 1\nignored_modules = [m for m in model.modules()]\n"), HasSubstr("f.py line 2"));
    EXPECT_THAT(problem("FSDP(net, ignored_modules=skip)\n"), HasSubstr("nothing tells what 'skip' is"));
    EXPECT_THAT(problem("ignored_modules = [norm]\n"), HasSubstr("nothing tells what 'norm' is"));
    EXPECT_THAT(read("FSDP(net, ignored_modules=[net])\n").at(0).ignored, ElementsAre(""));
    EXPECT_THAT(problem("ignored_modules = [1]\n"), HasSubstr("not a module"));
}

} // namespace
} // namespace duo::test
