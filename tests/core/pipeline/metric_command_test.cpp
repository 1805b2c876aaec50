// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/metric_command.h"

#include "tests/support/temporary_folder.h"

#include <cmath>

#include <gtest/gtest.h>

namespace duo {
namespace {

TEST(MetricCommand, TheLastNumberIsTheMetric)
{
    EXPECT_EQ(lastNumber("epoch 3\nmAP: 0.713\n"), 0.713);
    EXPECT_EQ(lastNumber("accuracy = 93.5 %\ndone\n"), 93.5);
    EXPECT_EQ(lastNumber("-1.5e-3"), -1.5e-3);
    EXPECT_EQ(lastNumber("gain +0.5"), 0.5);
    EXPECT_FALSE(lastNumber("no number here"));
    EXPECT_FALSE(lastNumber(""));
}

TEST(MetricCommand, IsRunForBothModels)
{
    const test::TemporaryFolder folder;
    const auto before = folder.write("it's m.onnx", "0.9");
    const auto after = folder.write("q.onnx", "0.8");
    const auto metric = metricOf("cat {model}", before, after, {}, {});
    ASSERT_TRUE(metric) << metric.error().line();
    EXPECT_EQ(metric->before, 0.9);
    EXPECT_EQ(metric->after, 0.8);
    EXPECT_TRUE(metric->isRelative);
}

TEST(MetricCommand, HasToNameTheModel)
{
    const auto metric = metricOf("echo 1", "m.onnx", "q.onnx", {}, {});
    ASSERT_FALSE(metric);
    EXPECT_EQ(metric.error().line(),
        "the metric command does not name the model: echo 1: write {model} where the path of the model goes");
}

TEST(MetricCommand, ThatPrintsNoNumberIsAnError)
{
    const auto metric = metricOf("true {model}", "m.onnx", "q.onnx", {}, {});
    ASSERT_FALSE(metric);
    EXPECT_EQ(metric.error().code, ErrorCode::BadData);
    EXPECT_EQ(metric.error().what, "the metric command prints no number");
}

TEST(MetricCommand, ANumberThatIsNoneIsAResultOfTheQuantizedModelOnly)
{
    const test::TemporaryFolder folder;
    const auto good = folder.write("m.onnx", "0.9");
    const auto bad = folder.write("q.onnx", "loss nan");
    const auto metric = metricOf("cat {model}", good, bad, {}, {});
    ASSERT_TRUE(metric) << metric.error().line();
    EXPECT_TRUE(std::isnan(metric->after));
    const auto ofFloat = metricOf("cat {model}", bad, good, {}, {});
    ASSERT_FALSE(ofFloat);
    EXPECT_EQ(ofFloat.error().line(),
        "the metric command gives no finite number for the float model: cat {model}: the metric of the model as it is "
        "has to be known: mend the command, or the data it takes");
}

TEST(MetricCommand, LeavesTheModelAsItWas)
{
    const test::TemporaryFolder folder;
    const auto after = folder.write("q.onnx", "0.8");
    const auto metric = metricOf("echo 1 >> {model}; cat {model}", "m.onnx", after, 1.0, {});
    ASSERT_FALSE(metric);
    EXPECT_EQ(metric.error().what, "the metric command changed the model it was to judge");
}

TEST(MetricCommand, IsNotAskedAgainForAModelThatIsKnown)
{
    const test::TemporaryFolder folder;
    const auto after = folder.write("q.onnx", "0.8");
    const auto metric = metricOf("cat {model}", "absent.onnx", after, 0.9, {});
    ASSERT_TRUE(metric) << metric.error().line();
    EXPECT_EQ(metric->before, 0.9);
    EXPECT_EQ(metric->after, 0.8);
}

} // namespace
} // namespace duo
