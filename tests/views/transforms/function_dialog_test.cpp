// SPDX-License-Identifier: Apache-2.0
#include "views/transforms/function_dialog.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

/// att(x, x_1; w) -> (y), called by a and b.
OutlinePlan twoCalls()
{
    OutlinePlan plan;
    OutlinedFunction function;
    function.name = "att";
    function.inputs = {"x", "x_1", "w"};
    function.outputs = {"y"};
    plan.edits.functions = {function};
    PlannedFunction planned;
    planned.dataInputs = 2;
    planned.parameters = 1;
    planned.nodes = 3;
    plan.functions = {planned};
    plan.edits.calls.resize(2);
    plan.scopes = {"b", "a"};
    return plan;
}

QString text(const FunctionDialog& dialog, const char* name)
{
    const auto* label = dialog.findChild<QLabel*>(QLatin1String(name));
    return label->isHidden() ? QString() : label->text();
}

bool canMake(const FunctionDialog& dialog)
{
    return dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->isEnabled();
}

TEST(FunctionDialog, ShowsTheBoundaryAsASignatureWithItsEvidenceAndCalls)
{
    FunctionDialog dialog("a", {{QStringLiteral("every call"), {.scopes = {"a"}}}});
    EXPECT_FALSE(canMake(dialog));
    dialog.setPlan(twoCalls(), 0);
    EXPECT_EQ(text(dialog, "functionSignature").toStdString(), "att(x, x_1; w) -> (y)");
    EXPECT_EQ(text(dialog, "functionEvidence").toStdString(), "Order: a guess, as they are used.");
    EXPECT_EQ(text(dialog, "functionCalls").toStdString(), "2 calls of 3 nodes each share it: a, b");
    EXPECT_EQ(text(dialog, "functionRefused"), QString());
    EXPECT_TRUE(canMake(dialog));
}

TEST(FunctionDialog, SaysWhatIsRefused)
{
    FunctionDialog dialog("m", {{QStringLiteral("every call"), {.scopes = {"m"}}}});
    OutlinePlan plan;
    plan.refusals = {{"m", "'v' leaves it for 'n'"}};
    dialog.setPlan(plan, 0);
    EXPECT_EQ(text(dialog, "functionSignature").toStdString(), "m does not become a function.");
    EXPECT_EQ(text(dialog, "functionRefused").toStdString(), "Not m: 'v' leaves it for 'n'.");
    EXPECT_FALSE(canMake(dialog));
}

TEST(FunctionDialog, AnotherOrderIsPartOfTheRequestUntilAnotherChoiceIsMade)
{
    FunctionDialog dialog(
        "a", {{QStringLiteral("every call"), {.scopes = {"a"}}}, {QStringLiteral("all"), {.all = true}}});
    dialog.setPlan(twoCalls(), 0);
    EXPECT_TRUE(dialog.request().orders.empty());
    QSignalSpy changed(&dialog, &FunctionDialog::requestChanged);
    auto* inputs = dialog.findChild<QListWidget*>(QStringLiteral("functionInputs"));
    inputs->model()->moveRow({}, 1, {}, 0); // as dragging does
    EXPECT_EQ(changed.count(), 1);
    ASSERT_EQ(dialog.request().orders.size(), 1U);
    EXPECT_EQ(dialog.request().orders[0], (FunctionOrder{"a", {"x_1", "x"}, {"y"}}));
    dialog.findChild<QComboBox*>(QStringLiteral("functionChoice"))->setCurrentIndex(1);
    EXPECT_EQ(changed.count(), 2);
    EXPECT_EQ(dialog.request(), (OutlineRequest{.all = true}));
}

} // namespace
} // namespace duo::ui
