// SPDX-License-Identifier: Apache-2.0
// Stored exports outlined: they come back as they were, whatever was asked for.
#include "core/onnx/outlined_model.h"
#include "core/onnx/reader.h"
#include "core/onnx/writer.h"
#include "core/outline/plan_outline.h"
#include "core/scope/scope.h"
#include "tests/support/proto_builder.h"
#include "tests/support/seeded_fill.h"
#include "tests/support/written_bytes.h"

#include <gtest/gtest.h>
#include <onnx.pb.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <span>

namespace duo {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> storedFiles()
{
    std::vector<std::string> files;
    for (const char* folder : {"/cases", "/exports", "/optimized", "/producers"}) {
        for (const auto& entry : fs::directory_iterator(std::string(DUO_TEST_DATA) + folder)) {
            if (entry.path().extension() == ".onnx")
                files.push_back(fs::relative(entry.path(), DUO_TEST_DATA).string());
        }
    }
    std::ranges::sort(files);
    return files;
}

class OutlinedModules : public testing::TestWithParam<std::string>
{
};

std::set<FunctionName> outlinedFunctions(const Model& model)
{
    std::set<FunctionName> names;
    for (const LocalFunction& function : localFunctions(model)) {
        if (function.isOutlined)
            names.emplace(function.domain, function.name);
    }
    return names;
}

void expectToComeBack(const std::shared_ptr<const Model>& model, const Scopes& scopes, const OutlineRequest& request)
{
    const auto plan = planOutline(*model, scopes, request);
    if (!plan) {
        EXPECT_EQ(plan.error().code, ErrorCode::Usage) << plan.error().line();
        return;
    }
    const auto outlined = outlinedModel(model, plan->edits);
    ASSERT_TRUE(outlined) << outlined.error().line();
    const auto back = inlinedModel(*outlined, outlinedFunctions(**outlined));
    ASSERT_TRUE(back) << back.error().line();
    EXPECT_EQ(back->restored, back->calls);
    const auto before = test::writtenBytes(*model);
    const auto after = test::writtenBytes(*back->model);
    ASSERT_TRUE(before && after);
    EXPECT_TRUE(*before == *after);
}

TEST_P(OutlinedModules, ComeBackAsTheyWere)
{
    std::ifstream in(fs::path(DUO_TEST_DATA) / GetParam(), std::ios::binary);
    onnx::ModelProto proto;
    ASSERT_TRUE(proto.ParseFromIstream(&in));
    ASSERT_TRUE(test::fillModel(proto));
    const auto owner = std::make_shared<const std::string>(proto.SerializeAsString());
    const auto model = readModelBytes({owner, std::as_bytes(std::span(owner->data(), owner->size()))}, GetParam());
    ASSERT_TRUE(model) << model.error().line();
    const Scopes scopes = findScopes(**model);
    expectToComeBack(*model, scopes, {.all = true});
    expectToComeBack(*model, scopes, {.all = true, .split = true});
    expectToComeBack(*model, scopes, {.depths = {2}});
}

/// Bodies beside one another may call their values alike.
TEST(OutlinedBranches, ComeBackWithTheNamesThatOtherBranchesHaveToo)
{
    test::ProtoBuilder file;
    file.input("x").output("y").tensor("flag", {}, onnx::TensorProto::BOOL).add_int32_data(1);
    onnx::NodeProto& choice = file.node("If", "if", {"flag"}, {"y"});
    for (const char* branch : {"then_branch", "else_branch"}) {
        auto body = test::addBody(choice, branch);
        body.node("Neg", "/m/Neg", {"x"}, {"h"});
        body.node("Relu", "/m/Relu", {"h"}, {std::string(branch) + "_out"});
        body.output(std::string(branch) + "_out");
    }
    const auto model = readModelBytes(file.bytes(), "branches.onnx");
    ASSERT_TRUE(model) << model.error().line();
    const Scopes scopes = findScopes(**model);
    ASSERT_EQ(planOutline(**model, scopes, {.all = true})->edits.calls.size(), 2U);
    expectToComeBack(*model, scopes, {.all = true});
}

INSTANTIATE_TEST_SUITE_P(Stored, OutlinedModules, testing::ValuesIn(storedFiles()));

} // namespace
} // namespace duo
