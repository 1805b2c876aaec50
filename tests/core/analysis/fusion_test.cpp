// SPDX-License-Identifier: Apache-2.0
// Every row of the table, as ONNX Runtime has it. The kernels hold for the version the table was measured on; the
// reasons are told for any.
#include "core/engine/session.h"
#include "core/model/op_facts.h"
#include "tests/core/analysis/fusion_rows.h"

#include <gtest/gtest.h>

namespace duo::test {

void PrintTo(const FusionRow& row, std::ostream* out)
{
    *out << row.name;
}

namespace {

class Fusion : public testing::TestWithParam<FusionRow>
{
};

TEST_P(Fusion, IsAsTheTableSays)
{
    const FusionRow& row = GetParam();
    QuantizedGraph graph(row.opset);
    graph.output(row.build(graph));
    const auto model = graph.model();
    ASSERT_NE(model, nullptr);
    if (row.fallback) {
        EXPECT_EQ(
            fallbackName(fallbackOf(*model, KnownRanks(*model), model->findNode("op"))), fallbackName(*row.fallback));
    }
    if (!engineVersion().starts_with(kMeasuredRuntime))
        GTEST_SKIP() << "kernels were measured on ONNX Runtime " << kMeasuredRuntime;
    EXPECT_EQ(graph.kernels(), row.kernels);
}

std::string nameOf(const testing::TestParamInfo<FusionRow>& info)
{
    return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Convolution, Fusion, testing::ValuesIn(convolutionRows()), nameOf);
INSTANTIATE_TEST_SUITE_P(Product, Fusion, testing::ValuesIn(productRows()), nameOf);
INSTANTIATE_TEST_SUITE_P(Operator, Fusion, testing::ValuesIn(operatorRows()), nameOf);
INSTANTIATE_TEST_SUITE_P(Movement, Fusion, testing::ValuesIn(movementRows()), nameOf);
INSTANTIATE_TEST_SUITE_P(WeightOnly, Fusion, testing::ValuesIn(weightOnlyRows()), nameOf);

} // namespace
} // namespace duo::test
