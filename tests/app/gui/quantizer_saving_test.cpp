// SPDX-License-Identifier: Apache-2.0
// A quantized model in the real window: written in float, and its quantizers for another tool.
#include "core/interchange/found_quantizers.h"
#include "core/onnx/reader.h"
#include "tests/app/gui/window_driver.h"
#include "tests/support/file_bytes.h"
#include "tests/support/proto_builder.h"
#include "views/shell/banner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::HasSubstr;

class QuantizerWindow : public testing::Test
{
protected:
    std::string banner() { return m_driver.window().findChild<ui::Banner*>()->text().toStdString(); }

    /// x, quantized and back, and Relu.
    std::filesystem::path quantizedFile()
    {
        ProtoBuilder file;
        file.input("x", {1, 4}).output("y", {1, 4}).weight("scale", {}, {0.5F});
        file.node("QuantizeLinear", "q", {"x", "scale"}, {"codes"});
        file.node("DequantizeLinear", "dq", {"codes", "scale"}, {"back"});
        file.node("Relu", "relu", {"back"}, {"y"});
        return m_driver.write("quantized.onnx", file.text());
    }

    WindowDriver m_driver;
};

TEST_F(QuantizerWindow, AFloatModelHasNothingToSave)
{
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_conv.onnx")));
    EXPECT_FALSE(m_driver.action("actionSaveFloat")->isEnabled());
    EXPECT_FALSE(m_driver.action("actionSaveEncodings:netron")->isEnabled());
}

/// What NNCF's setups say is known before anything is measured.
TEST_F(QuantizerWindow, APlanIsWrittenAsASetupOfNncf)
{
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_conv.onnx")));
    EXPECT_FALSE(m_driver.action("actionSaveEncodings:state")->isEnabled());
    m_driver.action("actionSaveEncodings:nncf-state")->trigger();
    const auto target = m_driver.folder() / "setup.json";
    m_driver.answer("encodingsDialog", QDialogButtonBox::Save, target);
    ASSERT_TRUE(WindowDriver::waitFor([&] { return banner().find("of 23 quantizers.") != std::string::npos; }))
        << banner();
    EXPECT_THAT(bytesOf(target), HasSubstr("\"builder_state\""));
    EXPECT_THAT(bytesOf(target), HasSubstr("\"quantization_points\""));
}

TEST_F(QuantizerWindow, AQuantizedModelIsWrittenInFloat)
{
    ASSERT_TRUE(m_driver.open(quantizedFile()));
    m_driver.action("actionSaveFloat")->trigger();
    const auto target = m_driver.folder() / "float.onnx";
    m_driver.answer("floatDialog", QDialogButtonBox::Save, target);
    ASSERT_TRUE(WindowDriver::waitFor([&] { return banner().find("is in float") != std::string::npos; })) << banner();
    EXPECT_THAT(banner(), HasSubstr("float.onnx is in float: 1 quantizers of activations taken out"));
    const auto written = readModel(target);
    ASSERT_TRUE(written) << written.error().line();
    EXPECT_FALSE(holdsCodes(**written));
}

TEST_F(QuantizerWindow, ItsQuantizersAreWrittenForAnotherTool)
{
    ASSERT_TRUE(m_driver.open(quantizedFile()));
    m_driver.action("actionSaveEncodings:aimet-1.0.0")->trigger();
    const auto target = m_driver.folder() / "encodings.json";
    m_driver.answer("encodingsDialog", QDialogButtonBox::Save, target);
    ASSERT_TRUE(WindowDriver::waitFor([&] { return banner().find("of 1 quantizer.") != std::string::npos; }))
        << banner();
    EXPECT_THAT(bytesOf(target), HasSubstr("\"enc_type\": \"PER_TENSOR\""));
}

} // namespace
} // namespace duo::test
