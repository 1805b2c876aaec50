// SPDX-License-Identifier: Apache-2.0
// What is planned in int8 runs in int8: real networks with random weights, exported for ort-cpu and read back from
// ONNX Runtime.
#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/export.h"
#include "core/pipeline/snapshot/compression.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace duo {
namespace {

class Int8Kernels : public testing::TestWithParam<const char*>
{
};

TEST_P(Int8Kernels, RunNinetyFivePerCentOfThePlannedProducts)
{
    const auto network = openSnapshot(std::filesystem::path(DUO_FILLED_MODELS) / (std::string(GetParam()) + ".onnx"));
    ASSERT_TRUE(network) << network.error().line();
    const auto data = openDataset("random:1:1", *network->model);
    ASSERT_TRUE(data) << data.error().line();
    const auto compression = calibrate(*network, **data, 1, {});
    ASSERT_TRUE(compression) << compression.error().line();
    const test::TemporaryFolder folder;
    const auto report = exportModel(*network, *compression, nullptr, folder / "m.int8.onnx", 1, {});
    ASSERT_TRUE(report) << report.error().line();
    const auto check = std::find_if(
        report->checks.begin(), report->checks.end(), [](const Check& c) { return c.id == "int8-kernels"; });
    ASSERT_NE(check, report->checks.end());
    EXPECT_TRUE(check->ok) << check->message;
    std::size_t products = 0;
    for (const Node& node : network->model->nodes)
        products += node.opType == "Conv" || node.opType == "Gemm" || node.opType == "MatMul" ? 1 : 0;
    EXPECT_LE(check->nodes.size() * 20, products) << check->message;
}

INSTANTIATE_TEST_SUITE_P(Networks, Int8Kernels, testing::Values("resnet18", "mobilenet_v2"),
    [](const testing::TestParamInfo<const char*>& network) { return std::string(network.param); });

} // namespace
} // namespace duo
