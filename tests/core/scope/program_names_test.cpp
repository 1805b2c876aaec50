// SPDX-License-Identifier: Apache-2.0
#include "core/scope/program_names.h"

#include "core/onnx/reader.h"
#include "tests/support/proto_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using test::ProtoBuilder;
using testing::ElementsAre;

/// `sub = x - g; sub_1 = y - sub`, of a module that gives both, the last first.
Checkpoint program()
{
    Checkpoint checkpoint;
    checkpoint.program.inputs = {"x", "y"};
    checkpoint.program.values = {{"g", {"aten.sigmoid.default", {"x"}}}, {"rsub", {"aten.rsub.Scalar", {"g"}}},
        {"sub", {"aten.sub.Tensor", {"x", "rsub"}}}, {"sub_1", {"aten.sub.Tensor", {"y", "sub"}}}};
    checkpoint.signatures
        = {{"p", {{.value = "x", .isInput = true}, {.value = "g"}}, {{.value = "sub_1"}, {.value = "sub"}}}};
    return checkpoint;
}

class Exported : public ProtoBuilder
{
public:
    explicit Exported(bool hasRecords)
        : m_hasRecords(hasRecords)
    {
        made("Sigmoid", "g", "aten.sigmoid.default", {"x"});
    }

    void made(const char* opType, const std::string& name, const std::string& target, std::vector<std::string> reads)
    {
        std::string arguments;
        for (const std::string& read : reads)
            arguments += (arguments.empty() ? "%" : ", %") + read;
        onnx::NodeProto& one = node(opType, "node_" + name, reads, {name});
        if (!m_hasRecords)
            return;
        auto& record = *one.add_metadata_props();
        record.set_key("pkg.torch.onnx.fx_node");
        record.set_value("%" + name + " : [num_users=1] = call_function[target=torch.ops." + target + "](args = ("
            + arguments + "))");
    }

    /// Names of the signature as the model has them; "-" for none of the model's.
    std::vector<std::string> names()
    {
        const auto model = readModelBytes(bytes(), "test.onnx");
        EXPECT_TRUE(model) << model.error().line();
        std::vector<std::string> names;
        for (const CallSignature& signature : signaturesOf(**model, program())) {
            for (const auto* values : {&signature.inputs, &signature.outputs}) {
                for (const SignatureValue& value : *values)
                    names.push_back(value.value.front() == kNoValue ? "-" : value.value);
            }
        }
        return names;
    }

private:
    bool m_hasRecords;
};

class ProgramNamesOf : public testing::TestWithParam<bool>
{
};

TEST_P(ProgramNamesOf, AnExportThatCountsAlikeAreItsNames)
{
    Exported file(GetParam());
    file.input("x").input("y").output("z");
    file.made("Neg", "rsub", "aten.rsub.Scalar", {"g"});
    file.made("Sub", "sub", "aten.sub.Tensor", {"x", "rsub"});
    file.made("Sub", "sub_1", "aten.sub.Tensor", {"y", "sub"});
    file.node("Relu", "relu", {"sub_1"}, {"z"});
    EXPECT_THAT(file.names(), ElementsAre("x", "g", "sub_1", "sub"));
}

TEST_P(ProgramNamesOf, ValuesOfASeriesThatIsCountedAnewAreNone)
{
    Exported file(GetParam());
    file.input("x").input("y").output("sub_2");
    file.made("Neg", "sub", "aten.sub.Tensor", {"g"}); // what the program calls rsub
    file.made("Sub", "sub_1", "aten.sub.Tensor", {"x", "sub"});
    file.made("Sub", "sub_2", "aten.sub.Tensor", {"y", "sub_1"});
    EXPECT_THAT(file.names(), ElementsAre("x", "g", "-", "-"));
}

TEST_P(ProgramNamesOf, ASeriesIsCountedAnewThoughItsLastIsLeftOut)
{
    Exported file(GetParam());
    file.input("x").input("y").output("sub_1");
    file.made("Neg", "sub", "aten.sub.Tensor", {"g"});
    file.made("Sub", "sub_1", "aten.sub.Tensor", {"x", "sub"});
    EXPECT_THAT(file.names(), ElementsAre("x", "g", "-", "-"));
}

TEST_P(ProgramNamesOf, InputsInAnotherOrderAreNamedBySomebody)
{
    Exported file(GetParam());
    file.input("y").input("x").output("z");
    file.node("Relu", "relu", {"g"}, {"z"});
    EXPECT_THAT(file.names(), ElementsAre("-", "g", "sub_1", "sub"));
}

INSTANTIATE_TEST_SUITE_P(Records, ProgramNamesOf, testing::Bool(),
    [](const testing::TestParamInfo<bool>& info) { return info.param ? "With" : "Without"; });

TEST(ProgramNames, WhatAnOptimizerLeftOutIsLookedThrough)
{
    Exported file(false);
    file.input("x").input("y").output("z");
    file.made("Neg", "folded", "", {"g"});
    file.made("Sub", "sub", "", {"x", "folded"});
    file.made("Sub", "sub_1", "", {"y", "sub"});
    file.node("Relu", "relu", {"sub_1"}, {"z"});
    EXPECT_THAT(file.names(), ElementsAre("x", "g", "sub_1", "sub"));
}

TEST(ProgramNames, OutputsAreNamedByWhoExports)
{
    for (const bool hasRecords : {false, true}) {
        Exported file(hasRecords);
        file.input("x").input("y").output("sub_1");
        file.made("Neg", "rsub", "aten.rsub.Scalar", {"g"});
        file.made("Sub", "sub", "aten.sub.Tensor", {"x", "rsub"});
        file.made("Sub", "sub_1", "aten.sub.Tensor", {"y", "sub"});
        EXPECT_THAT(file.names(), ElementsAre("x", "g", hasRecords ? "sub_1" : "-", "sub"));
    }
}

} // namespace
} // namespace duo
