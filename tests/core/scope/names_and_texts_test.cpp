// SPDX-License-Identifier: Apache-2.0
// Node names, keys and Python texts, taken apart.
#include "core/model/key_names.h"
#include "core/scope/facts/module_paths.h"
#include "core/scope/facts/python_text.h"
#include "core/scope/frames/stack_trace.h"
#include "core/scope/producers/scope_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using testing::ElementsAre;

TEST(ScopeNames, TheLastPartIsTheOpTypePerhapsNumbered)
{
    EXPECT_THAT(*scopeComponents("/layer1/layer1.0/Conv", "Conv"), ElementsAre("layer1", "layer1.0"));
    EXPECT_THAT(*scopeComponents("/Relu_12", "Relu"), ElementsAre());
    EXPECT_FALSE(scopeComponents("/layer1/Conv_fused", "Conv"));
    EXPECT_FALSE(scopeComponents("/layer1/Conv", "Gemm"));
    EXPECT_FALSE(scopeComponents("Conv_12", "Conv"));
    EXPECT_FALSE(scopeComponents("//Conv", "Conv"));
    EXPECT_FALSE(scopeComponents("/", ""));
}

TEST(ScopeNames, ACallSuffixIsANumberAfterAnUnderscore)
{
    EXPECT_EQ(withoutCallSuffix("conv_12"), "conv");
    EXPECT_EQ(withoutCallSuffix("layer.0_1"), "layer.0");
    EXPECT_FALSE(withoutCallSuffix("conv_"));
    EXPECT_FALSE(withoutCallSuffix("_1"));
    EXPECT_FALSE(withoutCallSuffix("conv1"));
}

TEST(KeyNames, ExportersNamesAreNoKeys)
{
    for (const Naming naming : {Naming::PyTorch, Naming::Unknown}) {
        for (const char* name : {"layer1.0.weight", "0.weight", "weight"})
            EXPECT_TRUE(isKeyName(name, naming)) << name;
        for (const char* name : {"", "12", "onnx::MatMul_3", "val_3", "/blk/Constant_output_0", ".weight", "a..b"})
            EXPECT_FALSE(isKeyName(name, naming)) << name;
    }
    EXPECT_EQ(keyOwner("layer1.0.weight"), "layer1.0");
    EXPECT_EQ(keyOwner("weight"), "");
    EXPECT_EQ(keyLeaf("layer1.0.weight"), "weight");
    EXPECT_EQ(nameBeforeTools("fc.weight_quantized"), "fc.weight");
    EXPECT_EQ(nameBeforeTools("ConvBnFusion_W_stem.0.weight"), "stem.0.weight");
    EXPECT_EQ(nameBeforeTools("ConvAddFusion_Add_B_ConvMulFusion_Mul_B_stem.1.bias_quantized"), "stem.1.bias");
    EXPECT_EQ(nameBeforeTools("ConvBnFusion_W_"), "ConvBnFusion_W_");
}

TEST(KeyNames, AreJoinedOfOwnerAndLeaf)
{
    EXPECT_EQ(keyName("layer1.0", "weight"), "layer1.0.weight");
    EXPECT_EQ(keyName("", "weight"), "weight");
}

TEST(KeyNames, WithDotsThatPartNothingHaveAnEmptyAtom)
{
    for (const char* name : {".", ".a", "a.", "a..b"})
        EXPECT_TRUE(hasEmptyAtom(name)) << name;
    for (const char* name : {"", "a", "a.b"})
        EXPECT_FALSE(hasEmptyAtom(name)) << name;
}

TEST(KeyNames, ChildrenOfAPyTorchModuleMayHaveAnyName)
{
    for (const char* name :
        {"by.x/y.weight", "lang:en.weight", "p#q.weight", "a b.weight", "back\\slash.bias", "@.x"}) {
        EXPECT_TRUE(isKeyName(name, Naming::PyTorch)) << name;
        EXPECT_FALSE(isKeyName(name, Naming::Unknown)) << name;
    }
}

TEST(ModulePaths, RelationsAreOnWholeAtoms)
{
    ModulePaths paths;
    const PathId layer = paths.intern("encoder.layer.0");
    const PathId encoder = paths.intern("encoder");
    EXPECT_EQ(paths.text(paths.parent(layer)), "encoder.layer");
    EXPECT_TRUE(paths.contains(encoder, layer));
    EXPECT_FALSE(paths.contains(paths.intern("enc"), layer));
    EXPECT_EQ(paths.relative(encoder, layer), "layer.0");
    EXPECT_EQ(paths.relative(ModulePaths::root(), encoder), "encoder");
    EXPECT_TRUE(paths.endsWith(layer, "layer.0"));
    EXPECT_FALSE(paths.endsWith(layer, "ayer.0"));
    EXPECT_EQ(paths.atom(layer), "0");
}

TEST(PythonText, ListsOfStringsInEitherQuote)
{
    EXPECT_THAT(*parsePythonStrings(R"(['', 'layer1.0', "it's", 'a\'b', 'tab\t', 'é \x41'])"),
        ElementsAre("", "layer1.0", "it's", "a'b", "tab\t", "\xC3\xA9 A"));
    EXPECT_THAT(*parsePythonStrings("('one',)"), ElementsAre("one"));
    EXPECT_THAT(*parsePythonStrings("[]"), ElementsAre());
    for (const char* text : {"", "['a'", "['a' 'b']", "[a]", "['a", R"(['\q'])", R"(['\x4'])", "{'a'}"})
        EXPECT_FALSE(parsePythonStrings(text)) << text;
}

TEST(PythonText, SignatureAsLines)
{
    const auto entries = parseGraphSignature("\n# inputs\np_fc_weight: PARAMETER target='fc.weight'\n"
                                             "b_tmp: BUFFER target='tmp' persistent=False\n"
                                             "c_k: CONSTANT_TENSOR target='k'\nx: USER_INPUT\n\n# outputs\n"
                                             "add: BUFFER_MUTATION target='tmp'\nlinear: USER_OUTPUT\n");
    EXPECT_THAT(
        entries, ElementsAre(SignatureEntry{"p_fc_weight", "fc.weight", true}, SignatureEntry{"b_tmp", "tmp", false}));
}

TEST(PythonText, TargetsOnLinesAreNotEscaped)
{
    const auto entries = parseGraphSignature("\n# inputs\np_a: PARAMETER target='it's.back\\slash.weight'\n"
                                             "b_b: BUFFER target='it's.n' persistent=True\n");
    EXPECT_THAT(entries,
        ElementsAre(SignatureEntry{"p_a", "it's.back\\slash.weight", true}, SignatureEntry{"b_b", "it's.n", true}));
}

TEST(PythonText, SignatureAsDataclasses)
{
    const auto entries = parseGraphSignature(
        "ExportGraphSignature(input_specs=[InputSpec(kind=<InputKind.PARAMETER: 2>, "
        "arg=TensorArgument(name='p_fc_weight'), target='fc.weight', persistent=None), "
        "InputSpec(kind=<InputKind.BUFFER: 3>, arg=TensorArgument(name='b_n'), target='n', persistent=True), "
        "InputSpec(kind=<InputKind.USER_INPUT: 1>, arg=TensorArgument(name='x'), target=None, persistent=None)], "
        "output_specs=[OutputSpec(kind=<OutputKind.BUFFER_MUTATION: 3>, arg=TensorArgument(name='add'), target='n')])");
    EXPECT_THAT(
        entries, ElementsAre(SignatureEntry{"p_fc_weight", "fc.weight", true}, SignatureEntry{"b_n", "n", true}));
}

TEST(PythonText, FxNodeNamesItsArgumentsAndTarget)
{
    const std::string node = "%linear_1 : [num_users=1] = call_function[target=torch.ops.aten.linear.default]"
                             "(args = (%relu, %p_fc_weight, [%zeros]), kwargs = {})";
    EXPECT_THAT(fxArguments(node), ElementsAre("relu", "p_fc_weight", "zeros"));
    EXPECT_EQ(fxTarget(node), "aten.linear.default");
    EXPECT_EQ(fxTarget("%x"), "");
}

TEST(StackTrace, OneLineForEachForward)
{
    const std::string_view trace = "File \"a.py\", line 3, in forward\n    x = self.b(x)\n"
                                   "  File \"b.py\", line 7, in helper\n    return f(x)\n"
                                   "  File \"c.py\", line 5, in forward\n    return self.c(\n        x)\n"
                                   "  [Previous line repeated 2 more times]\n";
    const TraceLine last{"File \"c.py\", line 5, in forward", "return self.c("};
    EXPECT_THAT(forwardLines(trace),
        ElementsAre(TraceLine{"File \"a.py\", line 3, in forward", "x = self.b(x)"}, last, last, last));
    EXPECT_THAT(
        forwardLines("File \"a.py\", line 3, in forward\n[Previous line repeated 99999999 more times]"), ElementsAre());
    EXPECT_EQ(timesInCode("return self.inner(self.inner(x)) + self.inner_2(x)", "inner"), 2U);
}

} // namespace
} // namespace duo
