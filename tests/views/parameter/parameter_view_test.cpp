// SPDX-License-Identifier: Apache-2.0
#include "views/parameter/parameter_view.h"

#include "core/support/file.h"
#include "tests/support/model_builder.h"
#include "tests/support/temporary_folder.h"
#include "tests/views/support/snapshot_builder.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

/// A convolution with a weight of [2, 1, 2, 2] and one without any.
std::shared_ptr<const Model> network()
{
    return test::ModelBuilder()
        .input("x", {1, 1, 4, 4})
        .weight("w", {2, 1, 2, 2}, {0, 1, 2, 3, -4, 5, 6, 7.5F})
        .ints("shape", {1, -1})
        .node("Conv", "conv", {"x", "w"}, {"c"})
        .node("Reshape", "flat", {"c", "shape"}, {"f"})
        .node("Relu", "relu", {"f"}, {"y"})
        .output("y")
        .build();
}

class ParameterViewTest : public testing::Test
{
protected:
    void SetUp() override
    {
        auto snapshot = std::make_shared<Snapshot>();
        snapshot->model = m_model;
        m_view.setSnapshot(snapshot);
        m_view.resize(900, 300);
        m_view.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&m_view));
        QObject::connect(&m_view, &ParameterView::summaryWanted, &m_view, [this](ValueId value) { // as the window does
            m_view.setSummary(value,
                std::make_shared<const TensorSummary>(
                    *summarize(*m_model->constant(value), channelAxisOf(*m_model, value))),
                {});
        });
    }

    void select(const std::vector<std::string>& names)
    {
        std::vector<NodeId> nodes;
        for (const std::string& name : names)
            nodes.push_back(m_model->findNode(name));
        m_view.setSelection(selectNodes(nodes));
    }
    template <typename T> T* find(const char* name) { return m_view.findChild<T*>(QLatin1String(name)); }
    [[nodiscard]] std::string about() { return find<QLabel>("parameterAbout")->text().toStdString(); }
    [[nodiscard]] std::vector<std::string> cells(const char* table, int row)
    {
        const auto* model = find<QTableView>(table)->model();
        std::vector<std::string> texts{model->headerData(row, Qt::Vertical).toString().toStdString()};
        for (int column = 0; column < model->columnCount(); ++column)
            texts.push_back(model->index(row, column).data().toString().toStdString());
        return texts;
    }

    std::shared_ptr<const Model> m_model = network();
    ParameterView m_view;
};

using Texts = std::vector<std::string>;

TEST_F(ParameterViewTest, ShowsValuesSpreadAndChannelsOfWhatTheSelectionReads)
{
    const QAbstractItemModelTester values(find<QTableView>("parameterValues")->model());
    const QAbstractItemModelTester channels(find<QTableView>("parameterChannels")->model());
    select({"conv", "flat"});
    auto* names = find<QComboBox>("parameterNames");
    ASSERT_EQ(names->count(), 2);
    EXPECT_EQ(names->itemText(0), QStringLiteral("w   float32 [2, 1, 2, 2]"));
    EXPECT_EQ(about(), "8 values from -4 to 7.5, mean 2.562, deviation 3.441, 1 zero; channels along axis 0");
    EXPECT_EQ(cells("parameterValues", 2), (Texts{"[1, 0, 0]", "-4", "5"}));
    EXPECT_EQ(cells("parameterChannels", 0), (Texts{"0", "0", "3", "40 %"}));
    EXPECT_EQ(cells("parameterChannels", 1), (Texts{"1", "-4", "7.5", "100 %"}));
    names->setCurrentIndex(1);
    EXPECT_EQ(cells("parameterValues", 1), (Texts{"1", "-1"})); // whole numbers as they are
    EXPECT_FALSE(find<QTableView>("parameterChannels")->isVisible());
}

TEST_F(ParameterViewTest, NoNumberIsCut)
{
    auto snapshot = std::make_shared<Snapshot>();
    m_model = test::ModelBuilder()
                  .input("x", {1, 1, 1, 1})
                  .weight("w", {1, 1, 1, 1}, {-0.000633212345F})
                  .node("Conv", "conv", {"x", "w"}, {"y"})
                  .output("y")
                  .build();
    snapshot->model = m_model;
    m_view.setSnapshot(snapshot);
    m_view.setSelection(selectNode(NodeId(0)));
    const auto* table = m_view.findChild<QTableView*>(QStringLiteral("parameterValues"));
    const QModelIndex value = table->model()->index(0, 0);
    ASSERT_EQ(value.data().toString(), QStringLiteral("-0.000633212"));
    EXPECT_GE(table->columnWidth(0), table->sizeHintForIndex(value).width());
}

TEST_F(ParameterViewTest, WhatIsLookedAtStaysWithASelectionThatReadsItToo)
{
    select({"conv", "flat"});
    find<QComboBox>("parameterNames")->setCurrentIndex(1);
    QSignalSpy wanted(&m_view, &ParameterView::summaryWanted);
    select({"flat", "relu"});
    EXPECT_EQ(find<QComboBox>("parameterNames")->currentText(), QStringLiteral("shape   int64 [2]"));
    EXPECT_EQ(wanted.count(), 0);
    select({"conv"});
    EXPECT_EQ(wanted.count(), 1);
}

TEST_F(ParameterViewTest, SaysWhereThereIsNothingToShow)
{
    EXPECT_EQ(about(), "Select a node or a scope to see the values of its parameters.");
    const int low = m_view.sizeHint().height();
    select({"relu"});
    EXPECT_EQ(about(), "What is selected reads no parameter and no constant.");
    EXPECT_FALSE(find<QPushButton>("parameterSave")->isVisible());
    select({"conv"});
    EXPECT_GT(m_view.sizeHint().height(), 3 * low);
    m_view.setSummary(m_model->findValue("w"), nullptr, QStringLiteral("the values are not there"));
    EXPECT_EQ(about(), "the values are not there");
    EXPECT_EQ(find<QTableView>("parameterValues")->model()->rowCount(), 0);
    EXPECT_FALSE(find<QTableView>("parameterValues")->isVisible());
}

TEST_F(ParameterViewTest, AnAnswerAboutAnotherParameterIsPassedOver)
{
    select({"conv"});
    const std::string before = about();
    m_view.setSummary(m_model->findValue("shape"), nullptr, QStringLiteral("of another one"));
    EXPECT_EQ(about(), before);
}

TEST_F(ParameterViewTest, AsksToSaveWhatIsShown)
{
    select({"conv"});
    QSignalSpy saves(&m_view, &ParameterView::saveRequested);
    QTest::mouseClick(find<QPushButton>("parameterSave"), Qt::LeftButton);
    ASSERT_EQ(saves.count(), 1);
    EXPECT_EQ(saves.front().front().value<ValueId>(), m_model->findValue("w"));
}

TEST_F(ParameterViewTest, BarsOfThePlotAreFoundByTheirPlace)
{
    select({"conv"});
    auto* plot = find<SpreadPlot>("spreadPlot");
    const QPoint middle(plot->width() / 2, plot->height() / 2);
    EXPECT_NEAR(plot->binAt(middle), static_cast<int>(TensorSummary::kBins / 2), 1);
    EXPECT_EQ(plot->binAt({0, 0}), -1);
    EXPECT_FALSE(plot->grab().isNull());
}

TEST(TensorModel, OfAHugeTensorTheBeginningIsShown)
{
    const auto model = test::ModelBuilder()
                           .input("x", {1, 3'000})
                           .weight("w", {3'000, 120}, std::vector<float>(std::size_t{3'000} * 120, 1))
                           .node("MatMul", "mm", {"x", "w"}, {"y"})
                           .output("y")
                           .build();
    Tensor wide = *model->constant(model->findValue("w"));
    wide.dims = {120, 3'000};
    TensorModel table;
    table.setTensor(model, model->constant(model->findValue("w")));
    EXPECT_EQ(table.rowCount(), 3'000);
    EXPECT_FALSE(table.isCut());
    table.setTensor(model, &wide);
    EXPECT_EQ(table.columnCount(), static_cast<int>(TensorModel::kMostColumns));
    EXPECT_TRUE(table.isCut());
    table.setTensor(model, nullptr);
    EXPECT_EQ(table.rowCount(), 0);
}

TEST(TensorModel, AFileThatLostItsEndHasNoValues)
{
    constexpr std::int64_t kCount = 1 << 18; // a megabyte: mapped, not copied
    const test::TemporaryFolder folder;
    const auto path = folder.write("w.bin", std::string(kCount * sizeof(float), '\0'));
    const auto file = MappedFile::open(path);
    ASSERT_TRUE(file) << file.error().line();
    Tensor tensor;
    tensor.type = ElementType::Float32;
    tensor.dims = {kCount};
    tensor.data = {*file, (*file)->bytes()};
    TensorModel table;
    const QSignalSpy lost(&table, &TensorModel::lost);
    table.setTensor(nullptr, &tensor);
    EXPECT_EQ(table.index(0, 0).data().toString(), QStringLiteral("0"));
    EXPECT_EQ(lost.count(), 0);
    std::filesystem::resize_file(path, 100);
    table.setTensor(nullptr, &tensor);
    EXPECT_EQ(table.index(kCount / 4, 0).data().toString(), QStringLiteral("?"));
    EXPECT_EQ(lost.count(), 1);
}

} // namespace
} // namespace duo::ui
