// SPDX-License-Identifier: Apache-2.0
#include "views/properties/file_quantizers.h"

#include "tests/support/model_builder.h"

#include <QTextDocument>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::ui {
namespace {

using test::ModelBuilder;
using testing::HasSubstr;

std::string textOf(const Model& model, const std::string& node)
{
    Page page(lightTheme());
    FileQuantizers(model).add(page, model, model.findNode(node));
    QTextDocument document;
    document.setHtml(page.html());
    return document.toPlainText().remove(QChar(0x200b)).toStdString();
}

/// A Relu that reads a quantized input.
std::shared_ptr<const Model> quantizedInput()
{
    ModelBuilder builder;
    builder.input("x", {1, 4}).weight("s", {}, {0.5F});
    builder.node("QuantizeLinear", "q", {"x", "s"}, {"codes"}).node("DequantizeLinear", "dq", {"codes", "s"}, {"f"});
    return builder.node("Relu", "relu", {"f"}, {"y"}).output("y").build();
}

TEST(FileQuantizers, SaysCodesScaleZeroPointAndGranularity)
{
    EXPECT_THAT(textOf(*quantizedInput(), "q"), HasSubstr("x: uint8, scale 0.5, zero point 0, per tensor"));
}

TEST(FileQuantizers, SaysOfAReaderWhatItsInputsAreQuantizedBy)
{
    const std::string text = textOf(*quantizedInput(), "relu");
    EXPECT_THAT(text, HasSubstr("Quantizers in the file"));
    EXPECT_THAT(text, HasSubstr("0: x: uint8, scale 0.5"));
}

TEST(FileQuantizers, SaysNothingOfWhatHasNothingToDoWithThem)
{
    ModelBuilder builder;
    const auto model = builder.input("x", {1, 4}).node("Relu", "relu", {"x"}, {"y"}).output("y").build();
    EXPECT_EQ(textOf(*model, "relu"), "");
}

TEST(FileQuantizers, OfADynamicOneTheScaleIsMadeInEachRun)
{
    ModelBuilder builder;
    builder.input("x", {1, 4}).input("w", {4, 4}, ElementType::Int8);
    builder.node("DynamicQuantizeLinear", "codes", {"x"}, {"c", "s", "z"});
    const auto model = builder.node("MatMulInteger", "product", {"c", "w", "z"}, {"y"}).output("y").build();
    EXPECT_THAT(textOf(*model, "codes"), HasSubstr("scale and zero point made anew in each run"));
}

} // namespace
} // namespace duo::ui
