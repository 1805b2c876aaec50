// SPDX-License-Identifier: Apache-2.0
// Calls that leave no frame, in real files (tests/peers/cases/export_hidden.py): a layer's `forward` called by name, an
// activation and a layer in plain lists. Stack traces show them; the TorchScript exporter keeps none.
#include "core/pipeline/snapshot/snapshot.h"
#include "tests/core/pipeline/module_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace duo::test {
namespace {

using testing::ElementsAre;

class HiddenCallsInFiles : public testing::TestWithParam<const char*>
{
protected:
    void SetUp() override
    {
        auto snapshot
            = openScopes(std::filesystem::path(DUO_TEST_DATA) / "exports" / (std::string("hidden") + ending()));
        ASSERT_TRUE(snapshot) << snapshot.error().line();
        m_snapshot = std::move(*snapshot);
    }
    static std::string ending() { return GetParam(); }
    /// "execution" of the nodes with this reason, in node order.
    [[nodiscard]] std::vector<std::string> operatorsWith(Reason reason) const
    {
        std::vector<std::string> found;
        for (std::size_t n = 0; n < m_snapshot.scopes->nodes.size(); ++n) {
            const NodeScope& scope = m_snapshot.scopes->nodes[n];
            if (std::find(scope.reasons.begin(), scope.reasons.end(), reason) != scope.reasons.end())
                found.push_back(scope.execution + ": " + m_snapshot.model->nodes[n].opType);
        }
        return found;
    }

    Snapshot m_snapshot;
};

class WithStackTraces : public HiddenCallsInFiles
{
};

INSTANTIATE_TEST_SUITE_P(
    Files, WithStackTraces, testing::Values(".pt2", ".flat.pt2", ".dynamo.onnx"), [](const auto& file) {
        return std::string(file.index == 0 ? "archive" : file.index == 1 ? "flat" : "dynamo");
    });

TEST_P(WithStackTraces, AForwardCalledByNameIsABypassedCall)
{
    EXPECT_THAT(callFacts(*m_snapshot.scopes),
        ElementsAre("blk <- blk.fc {bypassed-call functional-use} differs", "head <- head"));
}

TEST_P(WithStackTraces, ModulesInPlainListsAreNotRegistered)
{
    const bool isOnnx = m_snapshot.model->format->canRun();
    EXPECT_THAT(operatorsWith(Reason::UnregisteredModule),
        isOnnx ? ElementsAre("blk: Relu", "blk: Gemm")
               : ElementsAre("blk: aten.relu.default", "blk: aten.linear.default"));
}

class WithoutStackTraces : public HiddenCallsInFiles
{
};

INSTANTIATE_TEST_SUITE_P(
    Files, WithoutStackTraces, testing::Values(".script.onnx"), [](const auto&) { return std::string("script"); });

TEST_P(WithoutStackTraces, OnlyWeightsThatAreConstantsShowAModule)
{
    EXPECT_THAT(callFacts(*m_snapshot.scopes), ElementsAre("blk <- blk.fc {functional-use} differs", "head <- head"));
    EXPECT_THAT(operatorsWith(Reason::UnregisteredModule), ElementsAre("blk: Gemm"));
}

} // namespace
} // namespace duo::test
