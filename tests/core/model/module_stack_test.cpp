// SPDX-License-Identifier: Apache-2.0
#include "core/model/module_stack.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

std::vector<std::string> paths(std::string_view stack)
{
    std::vector<std::string> result;
    for (const StackFrame& frame : parseModuleStack(stack).value_or(std::vector<StackFrame>{}))
        result.push_back(frame.path);
    return result;
}

using Paths = std::vector<std::string>;

TEST(ModuleStack, FramesHaveKeyNumberPathAndClass)
{
    const auto frames
        = parseModuleStack("L__self__,,net.Net;L__self__blk.lin@3,blk.lin,torch.nn.modules.linear.Linear");
    ASSERT_TRUE(frames);
    EXPECT_EQ(*frames,
        (std::vector<StackFrame>{{"L__self__", std::nullopt, "", "net.Net"},
            {"L__self__blk.lin", 3, "blk.lin", "torch.nn.modules.linear.Linear"}}));
}

TEST(ModuleStack, ClassesMayHoldCommasInBrackets)
{
    const auto frames = parseModuleStack("k,a,net.Box[int, (str;int)];k2,a.b,net.C");
    ASSERT_TRUE(frames);
    EXPECT_EQ(frames->front().className, "net.Box[int, (str;int)]");
    EXPECT_EQ(frames->back().path, "a.b");
}

TEST(ModuleStack, ExpressionsOfPythonBecomePaths)
{
    EXPECT_EQ(paths("k,L['s'].layers[0].lin,C"), Paths{"layers.0.lin"});
    EXPECT_EQ(paths("k,L['s'].layer[0].attention['self'].query,C"), Paths{"layer.0.attention.self.query"});
    EXPECT_EQ(paths("k,getattr(L['s'].features[2], '0'),C"), Paths{"features.2.0"});
    EXPECT_EQ(paths("k,getattr(getattr(L['s'].a, '0').b, \"1\").c,C"), Paths{"a.0.b.1.c"});
    EXPECT_EQ(paths("k,L['self'],C"), Paths{""});
}

TEST(ModuleStack, AProgramWithinAProgramStartsAtTheRoot)
{
    EXPECT_EQ(paths("L__self__,,N;1,_export_root,N;2,_export_root.a,L"), (Paths{"", "", "a"}));
}

TEST(ModuleStack, KeysOfStrictExportNameObjects)
{
    const auto namesObject = [](std::string_view frame) { return parseModuleStack(frame)->front().namesObject(); };
    EXPECT_TRUE(namesObject("140448965250960@2,blk,C"));
    EXPECT_TRUE(namesObject("L__s___alias,blk,C"));
    EXPECT_FALSE(namesObject("L__self__blk@1,blk,C"));
    EXPECT_FALSE(namesObject("blk,blk,C"));
}

TEST(ModuleStack, APathThroughAnAttributeIsThatOfTheObject)
{
    const std::vector<RecordedModule> modules{{"", {}, {}}, {"enc.proj", {}, {}}, {"dec", {}, {}}};
    RegisteredPaths registered(modules);
    const auto enc = parseModuleStack("L__s___enc_proj,L['s'].enc.proj,C")->front();
    const auto dec = parseModuleStack("L__s___enc_proj,L['s'].dec.ref.proj,C")->front();
    registered.learn(dec);
    registered.learn(enc);
    EXPECT_EQ(registered.resolve(dec), "enc.proj");
    EXPECT_EQ(registered.resolve(parseModuleStack("L__s___other,L['s'].dec.other,C")->front()), "dec.other");
}

TEST(ModuleStack, OtherTextIsNoStack)
{
    EXPECT_FALSE(parseModuleStack(""));
    EXPECT_FALSE(parseModuleStack("a,b"));
    EXPECT_FALSE(parseModuleStack("a,,C;b"));
    constexpr std::string_view kHook = "_empty_nn_module_stack_from_metadata_hook";
    const std::string hook = std::string(kHook) + "," + std::string(kHook) + "," + std::string(kHook);
    EXPECT_FALSE(parseModuleStack(hook));
    std::string deep = ",,C";
    for (int i = 0; i < 64; ++i)
        deep += ";k,a,C";
    EXPECT_FALSE(parseModuleStack(deep));
}

TEST(ModuleStack, AnAbsurdNumberIsPartOfTheKey)
{
    EXPECT_EQ(parseModuleStack("k@99999999999999999999,a,C")->front().key, "k@99999999999999999999");
    EXPECT_EQ(parseModuleStack("k@-1,a,C")->front().number, std::nullopt);
}

} // namespace
} // namespace duo
