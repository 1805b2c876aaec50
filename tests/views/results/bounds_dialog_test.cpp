// SPDX-License-Identifier: Apache-2.0
#include "views/results/bounds_dialog.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QTest>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

template <typename T> T* part(QWidget& parent, const char* name)
{
    return parent.findChild<T*>(QString::fromLatin1(name));
}

TEST(BoundsDialog, GivesBackWhatItWasGiven)
{
    const ExportDemands demands{{31.5, 0.985}, {"labels", "python3 eval.py {model}", 0.02}};
    const ExportDemands got = BoundsDialog(demands).demands();
    EXPECT_EQ(got.bounds.minSqnrDb, 31.5);
    EXPECT_NEAR(got.bounds.minAgreement.value_or(0), 0.985, 1e-9);
    EXPECT_EQ(got.verdict.labels, "labels");
    EXPECT_EQ(got.verdict.metricCommand, "python3 eval.py {model}");
    EXPECT_NEAR(got.verdict.maxDrop, 0.02, 1e-9);
    EXPECT_EQ(BoundsDialog({}).demands(), ExportDemands{});
}

TEST(BoundsDialog, ANumberCountsOnlyWhereItIsAskedFor)
{
    BoundsDialog dialog({});
    auto* number = part<QDoubleSpinBox>(dialog, "minSqnr");
    EXPECT_FALSE(number->isEnabled());
    part<QCheckBox>(dialog, "hasMinSqnr")->setChecked(true);
    ASSERT_TRUE(number->isEnabled());
    number->setValue(36);
    EXPECT_EQ(dialog.demands().bounds.minSqnrDb, 36);
    EXPECT_EQ(dialog.demands().bounds.minAgreement, std::nullopt);
}

TEST(BoundsDialog, AMetricNamesTheModel)
{
    BoundsDialog dialog({});
    auto* ok = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    auto* metric = part<QLineEdit>(dialog, "metric");
    QTest::keyClicks(metric, QStringLiteral("python3 eval.py"));
    EXPECT_FALSE(ok->isEnabled());
    EXPECT_TRUE(ok->toolTip().contains(QStringLiteral("{model}"))) << ok->toolTip().toStdString();
    QTest::keyClicks(metric, QStringLiteral(" {model}"));
    EXPECT_TRUE(ok->isEnabled());
    EXPECT_EQ(dialog.demands().verdict.metricCommand, "python3 eval.py {model}");
}

} // namespace
} // namespace duo::ui
