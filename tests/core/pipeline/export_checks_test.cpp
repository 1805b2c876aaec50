// SPDX-License-Identifier: Apache-2.0
// Each check fails on an export that somebody has spoiled.
#include "core/pipeline/export_checks.h"

#include "core/onnx/reader.h"
#include "core/pipeline/snapshot/exported_edits.h"
#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/quantized_case.h"
#include "tests/support/file_bytes.h"

#include <csignal>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Two convolutions, the second of which a rule leaves in float.
QuantizedCase convolutions()
{
    ProtoBuilder model;
    model.input("x", {1, 3, 8, 8}).output("y", {1, 4, 4, 4});
    model.weight("w1", {4, 3, 3, 3}, normal(std::size_t{4} * 27, 1)).weight("b1", {4}, {1, 1, 1, 1});
    model.weight("w2", {4, 4, 3, 3}, normal(std::size_t{4} * 36, 2)).weight("b2", {4}, {1, 1, 1, 1});
    model.node("Conv", "first", {"x", "w1", "b1"}, {"h"});
    model.node("Relu", "relu", {"h"}, {"r"});
    model.node("Conv", "second", {"r", "w2", "b2"}, {"y"});
    return {model, {1, 3, 8, 8}, normalSamples(4, std::size_t{3} * 64, 5)};
}

constexpr const char* kSecondIgnored = R"([{"action": "ignore", "kind": "name", "value": "second"}])";

class ExportChecks : public testing::Test
{
protected:
    /// The checks of an export in which something was changed.
    std::vector<Check> checksOf(const QuantizedCase& made, const std::function<void(onnx::ModelProto&)>& spoil)
    {
        onnx::ModelProto model;
        EXPECT_TRUE(model.ParseFromString(bytesOf(made.exported())));
        spoil(model);
        const auto file = m_folder.write("m.onnx", model.SerializeAsString());
        return checksOf(made.planned(), made, file);
    }

    static std::vector<Check> checksOf(
        const Snapshot& planned, const QuantizedCase& made, const std::filesystem::path& file)
    {
        const auto edits = exportedEdits(planned, made.compression());
        EXPECT_TRUE(edits) << (edits ? "" : edits.error().line());
        auto checks = checkExport(planned, *made.opened().model, *edits, file, {});
        EXPECT_TRUE(checks) << (checks ? "" : checks.error().line());
        return checks ? std::move(checks->checks) : std::vector<Check>();
    }

    /// "interface: inputs or outputs changed: y"
    static std::vector<std::string> failed(const std::vector<Check>& checks)
    {
        std::vector<std::string> lines;
        for (const Check& check : checks) {
            if (!check.ok)
                lines.push_back(check.id + ": " + check.message);
        }
        return lines;
    }

    TemporaryFolder m_folder;
};

TEST_F(ExportChecks, PassWhereNothingIsSpoiled)
{
    QuantizedCase made = convolutions();
    made.quantize("", kSecondIgnored);
    const auto checks = checksOf(made, [](onnx::ModelProto&) {});
    EXPECT_THAT(failed(checks), ElementsAre());
    EXPECT_EQ(checks.size(), 5U);
}

/// A node whose library kills the engine as soon as it is loaded, as the system may for want of memory.
void addTrouble(onnx::ModelProto& model)
{
    auto* import = model.add_opset_import();
    import->set_domain("duo.test");
    import->set_version(1);
    onnx::NodeProto& node = *model.mutable_graph()->add_node();
    node.set_op_type("Trouble");
    node.set_domain("duo.test");
    node.add_input("x");
    node.add_output("unread");
    addInt(node, "kind", SIGKILL);
    addInt(node, "early", 1);
    onnx::ValueInfoProto& output = *model.mutable_graph()->add_output();
    output.set_name("unread");
    output.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
}

TEST_F(ExportChecks, AnEngineThatEndsIsNoVerdictOnTheFile)
{
    QuantizedCase made = convolutions();
    made.quantize("", kSecondIgnored);
    const auto edits = exportedEdits(made.planned(), made.compression());
    ASSERT_TRUE(edits) << edits.error().line();
    const auto original = readModel(made.opened().model->path, {.customOps = {DUO_CUSTOM_OPS}});
    ASSERT_TRUE(original) << original.error().line();
    Snapshot planned = made.planned();
    planned.model = *original; // which names the library
    onnx::ModelProto model;
    ASSERT_TRUE(model.ParseFromString(bytesOf(made.exported())));
    addTrouble(model);
    const auto file = m_folder.write("m.onnx", model.SerializeAsString());
    const auto checks = checkExport(planned, **original, *edits, file, {});
    ASSERT_FALSE(checks) << testing::PrintToString(failed(checks->checks));
    EXPECT_EQ(checks.error().code, ErrorCode::EngineEnded) << checks.error().line();
    EXPECT_THAT(checks.error().line(), HasSubstr("signal SIGKILL"));
}

TEST_F(ExportChecks, NameAnOutputThatIsCalledOtherwise)
{
    QuantizedCase made = convolutions();
    made.quantize("", kSecondIgnored);
    const auto checks = checksOf(made, [](onnx::ModelProto& model) {
        model.mutable_graph()->mutable_output(0)->set_name("z");
        for (onnx::NodeProto& node : *model.mutable_graph()->mutable_node()) {
            if (node.output(0) == "y")
                node.set_output(0, "z");
        }
    });
    EXPECT_THAT(failed(checks), ElementsAre("interface: inputs or outputs changed: y"));
}

TEST_F(ExportChecks, NameAnOpsetThatTheTargetIsNotKnownToRead)
{
    QuantizedCase made = convolutions();
    EXPECT_TRUE(checkOf(made.quantize(R"("profile": "tensorrt")"), "opset").ok);
    const auto newer = [](onnx::ModelProto& model) { model.mutable_opset_import(0)->set_version(26); };
    const std::string found = "opset: it is written in opset 26, and tensorrt is known to read opsets up to 25";
    EXPECT_THAT(failed(checksOf(made, newer)),
        testing::Contains(
            found + "; transforms.target of the recipe has it written in older operators where they are there"));
    made.quantize(R"("profile": "tensorrt")", "[]", R"("transforms": {"target": "tensorrt"})");
    EXPECT_THAT(failed(checksOf(made, newer)), testing::Contains(found));
    made.quantize("");
    EXPECT_THAT(failed(checksOf(made, newer)), testing::Not(testing::Contains(testing::StartsWith("opset"))));
}

TEST_F(ExportChecks, NameAnInputOfAnotherShape)
{
    QuantizedCase made = convolutions();
    made.quantize("", kSecondIgnored);
    const auto checks = checksOf(made, [](onnx::ModelProto& model) {
        auto& shape = *model.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
        shape.mutable_dim(0)->set_dim_param("batch");
    });
    EXPECT_THAT(failed(checks), ElementsAre("interface: inputs or outputs changed: x"));
}

TEST_F(ExportChecks, NameAParameterThatIsAnotherOne)
{
    QuantizedCase made = convolutions();
    made.quantize("", kSecondIgnored);
    const auto checks = checksOf(made, [](onnx::ModelProto& model) {
        for (onnx::TensorProto& tensor : *model.mutable_graph()->mutable_initializer()) {
            if (tensor.name() == "w2")
                tensor.mutable_raw_data()->at(0) ^= 1;
        }
    });
    EXPECT_THAT(failed(checks), ElementsAre("untouched: parameter 'w2' changed though it was not quantized"));
}

TEST_F(ExportChecks, NameANodeThatRunsInInt8ThoughARuleLeavesItInFloat)
{
    QuantizedCase made = convolutions();
    made.quantize(R"("quantize_outputs": true)");
    Recipe recipe = made.planned().recipe;
    recipe.rules.rules.emplace_back().value = "second";
    const auto ignoring = withRecipe(made.planned(), recipe);
    ASSERT_TRUE(ignoring) << ignoring.error().line();
    const auto checks = checksOf(*ignoring, made, made.exported());
    EXPECT_THAT(failed(checks), ElementsAre("ignored-float: 1 node that is to stay in float runs in int8"));
    EXPECT_THAT(checks[3].nodes, ElementsAre("second"));
}

TEST_F(ExportChecks, SayWhatTheEngineRefusesWithoutThePlaceWhereItLay)
{
    QuantizedCase made = convolutions();
    made.quantize("", kSecondIgnored);
    const auto checks = checksOf(
        made, [](onnx::ModelProto& model) { model.mutable_graph()->mutable_node(0)->set_op_type("NoSuch"); });
    ASSERT_FALSE(checks.empty());
    EXPECT_EQ(checks[0].id, "loads");
    EXPECT_FALSE(checks[0].ok);
    EXPECT_THAT(checks[0].message, HasSubstr("NoSuch"));
    EXPECT_THAT(checks[0].message, testing::Not(HasSubstr(m_folder.path().string())));
    EXPECT_EQ(checks.size(), 3U) << "what the engine does not open is not run";
}

} // namespace
} // namespace duo::test
