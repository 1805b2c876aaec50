// SPDX-License-Identifier: Apache-2.0
// The digits network with its calibration set.
#pragma once

#include "core/calibrate/samples/dataset.h"
#include "core/onnx/reader.h"

#include <gtest/gtest.h>

namespace duo::test {

class DigitsTest : public testing::Test
{
protected:
    void SetUp() override
    {
        const std::filesystem::path samples(DUO_SAMPLES);
        auto model = readModel(samples / "digits_conv.onnx");
        ASSERT_TRUE(model) << model.error().line();
        m_model = *model;
        auto data = openDataset((samples / "digits_calibration.npz").string(), *m_model);
        ASSERT_TRUE(data) << data.error().line();
        m_data = *data;
    }

    std::shared_ptr<const Model> m_model;
    std::shared_ptr<const Dataset> m_data;
};

} // namespace duo::test
