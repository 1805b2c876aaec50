// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/outline_model.h"

#include "core/scope/scope.h"
#include "tests/support/proto_builder.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace duo {
namespace {

/// Rows with their classes and parameters; nodes that call functions count as nodes, so these are left out.
std::string treeText(const ScopeTree& tree)
{
    std::string text;
    for (const Scope& scope : tree.scopes)
        text += scope.path + " [" + scope.className + "] " + std::to_string(scope.totalParameters) + "\n";
    return text;
}

class OutlinedFiles : public testing::TestWithParam<const char*>
{
};

TEST_P(OutlinedFiles, HaveTheTreesTheyHad)
{
    const std::filesystem::path file = std::filesystem::path(DUO_TEST_DATA) / "exports" / GetParam();
    const auto outlined = outlineFile(file, {}, {.all = true}, false);
    ASSERT_TRUE(outlined) << outlined.error().line();
    const Scopes before = findScopes(*outlined->original);
    const Scopes after = findScopes(*outlined->model);
    EXPECT_EQ(treeText(after.execution), treeText(before.execution));
    EXPECT_EQ(treeText(after.storage), treeText(before.storage));
}

INSTANTIATE_TEST_SUITE_P(Exports, OutlinedFiles,
    testing::Values("bert.script.onnx", "bert.dynamo.onnx", "encoder.script.onnx", "encoder.dynamo.onnx",
        "gpt2.script.onnx", "gpt2.dynamo.onnx", "keywords.dynamo.onnx", "keywords.script.onnx", "levels.script.onnx",
        "../cases/h3_lstmcell_loop.onnx", "../cases/j2_scripted.onnx", "../cases/j_control.onnx",
        "two_levels.dynamo.onnx"));

/// One call of `a` that runs in the main graph and in two branches has a scope in each.
TEST(OutlinedBranches, HaveTheTreesTheyHad)
{
    test::ProtoBuilder file;
    file.input("x", {2, 2}).output("y", {2, 2}).tensor("flag", {}, onnx::TensorProto::BOOL).add_int32_data(1);
    file.weight("a.fc.weight", {2, 2});
    file.node("Relu", "/a/Relu", {"x"}, {"h"});
    onnx::NodeProto& choice = file.node("If", "/b/If", {"flag"}, {"y"});
    auto one = test::addBody(choice, "then_branch");
    one.node("MatMul", "/a/fc/MatMul", {"h", "a.fc.weight"}, {"p"});
    one.node("Neg", "/a/Neg", {"p"}, {"t"});
    one.output("t", {2, 2});
    auto other = test::addBody(choice, "else_branch");
    other.node("Abs", "/a/Abs", {"h"}, {"e"});
    other.output("e", {2, 2});
    const test::TemporaryFolder folder;
    const auto outlined = outlineFile(folder.write("m.onnx", file.text()), {}, {.depths = {1}}, false);
    ASSERT_TRUE(outlined) << outlined.error().line();
    EXPECT_EQ(outlined->plan.edits.calls.size(), 4U);
    EXPECT_EQ(treeText(findScopes(*outlined->model).execution), treeText(findScopes(*outlined->original).execution));
}

/// Functions name what had no name, and put it into another order.
TEST(OutlinedBranches, OfOwnersWithoutNamesAreCalledAsTheyWere)
{
    test::ProtoBuilder file;
    file.input("x", {2}).output("y", {2}).tensor("flag", {}, onnx::TensorProto::BOOL).add_int32_data(1);
    const auto choose = [&](const std::string& module, const std::string& from, const std::string& to) {
        file.node("Relu", "/" + module + "/Relu", {from}, {module});
        onnx::NodeProto& choice = file.node("If", "", {"flag"}, {to});
        for (const char* branch : {"then_branch", "else_branch"}) {
            auto body = test::addBody(choice, branch);
            body.node("Neg", "/" + module + "/Neg", {module}, {module + branch});
            body.node("Abs", "/" + module + "/Abs", {module + branch}, {module + branch + "_out"});
            body.output(module + branch + "_out");
        }
    };
    choose("a", "x", "h");
    choose("b", "h", "k");
    file.node("Exp", "/c/Exp", {"k"}, {"y"});
    const test::TemporaryFolder folder;
    const auto outlined = outlineFile(folder.write("m.onnx", file.text()), {}, {.all = true}, false);
    ASSERT_TRUE(outlined) << outlined.error().line();
    const std::string before = treeText(findScopes(*outlined->original).execution);
    EXPECT_THAT(before, testing::HasSubstr("If_1 [then]"));
    EXPECT_EQ(treeText(findScopes(*outlined->model).execution), before);
}

TEST(OutlinedBranches, EachHaveTheirParametersThoughTheseAreCalledAlike)
{
    test::ProtoBuilder file;
    file.input("x", {2, 2}).output("y", {2, 2}).tensor("flag", {}, onnx::TensorProto::BOOL).add_int32_data(1);
    onnx::NodeProto& choice = file.node("If", "/If", {"flag"}, {"y"});
    for (const char* branch : {"then_branch", "else_branch"}) {
        auto body = test::addBody(choice, branch);
        auto& value = *body.node("Constant", "", {}, {"w"}).add_attribute();
        value.set_name("value");
        value.set_type(onnx::AttributeProto::TENSOR);
        value.mutable_t()->set_data_type(onnx::TensorProto::FLOAT);
        for (const std::int64_t dim : {2, 2})
            value.mutable_t()->add_dims(dim);
        for (const float element : {0.1F, 0.2F, 0.3F, 0.4F})
            value.mutable_t()->add_float_data(element * (*branch == 't' ? 1.0F : 2.0F));
        body.node("MatMul", "/fc/MatMul", {"x", "w"}, {std::string("p") + branch});
        body.node("Relu", "/fc/Relu", {std::string("p") + branch}, {branch});
        body.output(branch, {2, 2});
    }
    const test::TemporaryFolder folder;
    const auto outlined = outlineFile(folder.write("m.onnx", file.text()), {}, {.all = true}, false);
    ASSERT_TRUE(outlined) << outlined.error().line();
    const Scopes before = findScopes(*outlined->original);
    EXPECT_EQ(before.execution.scope(ScopeId(0)).totalParameters, 8);
    EXPECT_EQ(treeText(findScopes(*outlined->model).execution), treeText(before.execution));
}

/// Signatures of the functions of all modules called `name`, with how their order is known.
std::string signaturesOf(const OutlinePlan& plan, const std::string& name)
{
    std::string text;
    for (std::size_t f = 0; f < plan.functions.size(); ++f) {
        if (plan.edits.functions[f].name == name)
            text += std::string(orderText(plan.functions[f].order)) + " "
                + signatureText(plan.edits.functions[f], plan.functions[f]) + "\n";
    }
    return text;
}

/// `forward(bias, hidden, mask=None, *, scale)`, called with `scale=…, mask=…`; returns weights and result.
class RecordedSignatures : public testing::Test
{
protected:
    OutlinePlan planned(const char* model, const char* checkpoint)
    {
        const std::filesystem::path exports = std::filesystem::path(DUO_TEST_DATA) / "exports";
        OpenOptions options;
        options.checkpoint = *checkpoint == '\0' ? std::filesystem::path() : exports / checkpoint;
        auto outlined = outlineFile(exports / model, options, {.all = true}, true);
        EXPECT_TRUE(outlined) << outlined.error().line();
        return outlined ? std::move(outlined->plan) : OutlinePlan();
    }
};

TEST_F(RecordedSignatures, AreTakenFromTheProgramBesideTheModel)
{
    const OutlinePlan plan = planned("keywords.dynamo.onnx", "keywords.pt2");
    const std::string signature = signaturesOf(plan, "SecondFirst");
    EXPECT_EQ(signature.substr(0, signature.find(';')), "recorded SecondFirst(x, x_1, scale, mask");
    EXPECT_EQ(signature.substr(signature.find(" ->")), " -> (y, y_1)\n");
    EXPECT_TRUE(signaturesOf(plan, "Block").starts_with("recorded Block("));
}

/// The file holds them under `mid.blk`, where the module is known a second time.
TEST_F(RecordedSignatures, ParametersAreNamedBelowTheirModuleWhicheverKeyTheFileHas)
{
    EXPECT_EQ(signaturesOf(planned("levels.dynamo.onnx", ""), "Block"),
        "only-one Block(x; scale, lin.weight, lin.bias) -> (y)\n");
}

TEST_F(RecordedSignatures, WithoutTheProgramTheOrderIsAGuess)
{
    const OutlinePlan plan = planned("keywords.dynamo.onnx", "");
    EXPECT_TRUE(signaturesOf(plan, "SecondFirst").starts_with("first-use "));
}

/// In that export three of the four values come from one module, under names of its own.
TEST_F(RecordedSignatures, OfAnotherExporterAreTakenOnlyWhereValuesAreToldApart)
{
    const OutlinePlan plan = planned("keywords.script.onnx", "keywords.pt2");
    EXPECT_TRUE(signaturesOf(plan, "SecondFirst").starts_with("first-use "));
}

/// Modules of `written`, with how the order of each is known.
class WrittenForwards : public RecordedSignatures
{
protected:
    std::string signatures(const char* checkpoint)
    {
        const OutlinePlan plan = planned("written.script.onnx", checkpoint);
        std::string text;
        for (const char* name : {"Second", "Plain", "Attention", "Alike"}) {
            const std::string signature = signaturesOf(plan, name);
            text += signature.substr(0, signature.find(';')) + signature.substr(signature.find(" ->"));
        }
        return text;
    }
};

/// `forward(bias, hidden, scale=2.0, mask=None)` uses its second argument first, and gives the first back.
TEST_F(WrittenForwards, TellWhatTheirScriptSays)
{
    EXPECT_EQ(signatures("written.scripted.pt"),
        "forward Second(bias, hidden, mask -> (bias_out, y)\n"
        "forward Plain(bias, hidden -> (y)\n"
        "forward Attention(query, key, value -> (y)\n"
        "first-use Alike(x, x_1) -> (y)\n -> (y)\n"); // both go to operators of its own
}

TEST_F(WrittenForwards, OfATracedArchiveAreNotTaken)
{
    const std::string traced = signatures("written.traced.pt");
    EXPECT_THAT(traced, testing::HasSubstr("first-use Second(x, x_1, x_2 -> (y)\n"));
    EXPECT_THAT(traced, testing::Not(testing::HasSubstr("forward")));
}

} // namespace
} // namespace duo
