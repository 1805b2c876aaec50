// SPDX-License-Identifier: Apache-2.0
// Quantizers of a state or of another tool's file: shown in a table, taken with one click, exported without data.
#include "tests/app/gui/rules_window.h"
#include "tests/support/file_bytes.h"
#include "views/results/import_dialog.h"
#include "views/shell/banner.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::StartsWith;

class ImportWindow : public RulesWindow
{
protected:
    [[nodiscard]] app::Session& session() { return m_driver.window().session(); }
    [[nodiscard]] std::string said() { return m_driver.find<ui::Banner>("banner")->text().toStdString(); }
    [[nodiscard]] ui::ImportDialog* dialog() { return m_driver.find<ui::ImportDialog>("importDialog"); }
    [[nodiscard]] bool isShown()
    {
        return WindowDriver::waitFor([this] { return dialog() != nullptr; });
    }

    /// Cells between bars.
    std::vector<std::string> rows()
    {
        const QAbstractItemModel& model = *dialog()->findChild<QTableView*>()->model();
        std::vector<std::string> rows;
        for (int row = 0; row < model.rowCount(); ++row) {
            std::string text;
            for (int column = 0; column < model.columnCount(); ++column)
                text += (column > 0 ? " | " : "") + model.index(row, column).data().toString().toStdString();
            rows.push_back(text);
        }
        return rows;
    }

    void press(QDialogButtonBox::StandardButton button)
    {
        QTest::mouseClick(dialog()->findChild<QDialogButtonBox*>()->button(button), Qt::LeftButton);
    }

    void take(const std::string& file)
    {
        m_driver.action("actionImportSetup")->trigger();
        m_driver.answer("importFileDialog", QDialogButtonBox::Open, m_driver.folder() / file);
        ASSERT_TRUE(isShown()) << said();
        press(QDialogButtonBox::Ok);
        ASSERT_TRUE(m_driver.settled());
    }

    std::filesystem::path exported(const std::string& name)
    {
        const auto target = m_driver.folder() / name;
        QSignalSpy done(&session(), &app::Session::exported);
        session().exportTo(target);
        EXPECT_TRUE(WindowDriver::waitFor([&] { return done.count() == 1; })) << said();
        return target;
    }
};

TEST_F(ImportWindow, AStateIsShownByPlacesAndGivesTheSameModelWithoutData)
{
    Recipe recipe = session().recipe();
    recipe.rules.rules.emplace_back().value = kConv;
    session().editRecipe(recipe, QStringLiteral("edit"));
    session().setData({"random:2", {}});
    const auto first = exported("m.int8.onnx");
    session().undoStack()->undo();
    session().setData({});
    ASSERT_TRUE(m_driver.settled());

    m_driver.action("actionImportSetup")->trigger();
    m_driver.answer("importFileDialog", QDialogButtonBox::Open, m_driver.folder() / "m.int8.state.json");
    ASSERT_TRUE(isShown()) << said();
    EXPECT_THAT(rows(), Each(StartsWith("name | ")));
    EXPECT_THAT(rows(), Contains(HasSubstr(kSecond + ", input 1 | int8")));
    EXPECT_TRUE(rules().empty()) << "nothing is changed yet";
    press(QDialogButtonBox::Ok);
    ASSERT_TRUE(m_driver.settled());
    EXPECT_EQ(rules(), std::vector<std::string>{"ignore name " + std::string(kConv)});
    EXPECT_THAT(said(), HasSubstr("The next export writes the quantizers of m.int8.state.json, without data."));
    EXPECT_TRUE(session().isResultCurrent());
    EXPECT_EQ(bytesOf(exported("again.onnx")), bytesOf(first));
    session().undoStack()->undo();
    EXPECT_TRUE(rules().empty());
}

/// What gives the input and the first weight a scale.
constexpr const char* kFew = R"({"version": "2.0.0", "encodings": [
    {"name": "image", "output_dtype": "uint8", "y_scale": 0.5, "y_zero_point": 3}]})";

TEST_F(ImportWindow, WhatIsTakenIsExportedWithoutAskingForDataAndShownWhereItStands)
{
    m_driver.drop({m_driver.write("e.json", kFew)});
    ASSERT_TRUE(isShown()) << said();
    press(QDialogButtonBox::Ok);
    ASSERT_TRUE(m_driver.settled());
    const std::size_t taken = session().result()->compression->setup.points.size();
    EXPECT_EQ(session().snapshot()->placement->setup.points.size(), taken) << "not the recipe's own quantizers";
    EXPECT_EQ(session().outcome().foreseen, nullptr);
    EXPECT_EQ(m_driver.find<QLabel>("statusOutcome")->text(),
        QStringLiteral("nothing foreseen: quantizers are those of a file"));
    m_driver.action("actionExport")->trigger();
    m_driver.answer("exportDialog", QDialogButtonBox::Save, m_driver.folder() / "few.onnx");
    EXPECT_TRUE(WindowDriver::waitFor([this] { return session().report() != nullptr; })) << said();
    EXPECT_EQ(session().report()->quantizers, static_cast<std::int64_t>(taken));
    m_driver.action("actionExport")->trigger();
    ASSERT_TRUE(WindowDriver::waitFor([this] { return m_driver.find<QFileDialog>("exportDialog") != nullptr; }));
    const std::unique_ptr<QFileDialog> again(m_driver.find<QFileDialog>("exportDialog"));
    EXPECT_EQ(again->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->text(), QStringLiteral("few.onnx"))
        << "as the last one is named";
}

TEST_F(ImportWindow, DataThatAreChosenAfterwardsJudgeWhatWasTaken)
{
    m_driver.drop({m_driver.write("e.json", kFew)});
    ASSERT_TRUE(isShown()) << said();
    press(QDialogButtonBox::Ok);
    ASSERT_TRUE(m_driver.settled());
    session().setData({"random:2", {}});
    EXPECT_TRUE(session().isTakenInUse());
    const std::size_t taken = session().result()->compression->setup.points.size();
    exported("judged.onnx");
    EXPECT_EQ(session().report()->quantizers, static_cast<std::int64_t>(taken));
    EXPECT_NE(session().report()->verdict.kind, VerdictKind::NotMeasured);
}

TEST_F(ImportWindow, ARuleThatChangesTellsThatWhatWasTakenIsNotInUseAnyMore)
{
    m_driver.drop({m_driver.write("e.json", kFew)});
    ASSERT_TRUE(isShown()) << said();
    press(QDialogButtonBox::Ok);
    ASSERT_TRUE(m_driver.settled());
    Recipe recipe = session().recipe();
    recipe.rules.rules.emplace_back().value = kConv;
    session().editRecipe(recipe, QStringLiteral("edit"));
    EXPECT_THAT(said(), HasSubstr("the quantizers of e.json are not in use any more"));
    EXPECT_FALSE(session().isTakenInUse());
    session().undoStack()->undo();
    ASSERT_TRUE(m_driver.settled());
    EXPECT_THAT(said(), HasSubstr("The next export writes the quantizers of e.json again"));
}

TEST_F(ImportWindow, WhatARuleLeavesAloneIsKeptWithOneClickAndComesBackWithUndo)
{
    session().setData({"random:2", {}});
    exported("m.int8.onnx");
    session().setData({});
    ASSERT_NO_FATAL_FAILURE(take("m.int8.state.json"));
    const auto whole = session().result()->compression;
    Recipe recipe = session().recipe();
    recipe.rules.rules.emplace_back().value = kSecond;
    session().editRecipe(recipe, QStringLiteral("edit"));
    ASSERT_TRUE(m_driver.settled());
    EXPECT_THAT(said(), HasSubstr("not in use any more"));
    QTest::mouseClick(m_driver.find<QPushButton>("bannerOffer"), Qt::LeftButton);
    ASSERT_TRUE(WindowDriver::waitFor([this] { return session().isTakenInUse(); })) << said();
    EXPECT_THAT(said(), HasSubstr("stay as they were"));
    const auto fewer = session().result()->compression;
    EXPECT_LT(fewer->setup.points.size(), whole->setup.points.size());
    EXPECT_EQ(session().snapshot()->placement->setup.points.size(), fewer->setup.points.size());
    exported("fewer.onnx");
    EXPECT_EQ(session().report()->quantizers, static_cast<std::int64_t>(fewer->setup.points.size()));
    session().undoStack()->undo();
    ASSERT_TRUE(m_driver.settled());
    EXPECT_TRUE(session().isTakenInUse()) << said();
    EXPECT_EQ(session().result()->compression->parameters, whole->parameters);
}

TEST_F(ImportWindow, WhatIsMadeAnewAsksForDataWhereThereAreNone)
{
    Recipe recipe = session().recipe();
    for (const std::string& node : {std::string(kConv), std::string(kSecond)})
        recipe.rules.rules.emplace_back().value = node;
    session().editRecipe(recipe, QStringLiteral("edit"));
    session().setData({"random:2", {}});
    exported("m.int8.onnx");
    session().setData({});
    ASSERT_NO_FATAL_FAILURE(take("m.int8.state.json"));
    EXPECT_FALSE(m_driver.action("actionKeepTaken")->isEnabled());
    const std::size_t before = session().result()->compression->setup.points.size();
    recipe.rules.rules.clear();
    session().editRecipe(recipe, QStringLiteral("edit"));
    ASSERT_TRUE(m_driver.settled());
    ASSERT_TRUE(m_driver.action("actionKeepTaken")->isEnabled());
    m_driver.action("actionKeepTaken")->trigger();
    ASSERT_TRUE(WindowDriver::waitFor([this] { return said().find("are not known") != std::string::npos; })) << said();
    EXPECT_EQ(m_driver.find<QPushButton>("bannerOffer")->text(), QStringLiteral("Choose data…"));
    session().setData({"random:2", {}});
    m_driver.action("actionKeepTaken")->trigger();
    ASSERT_TRUE(WindowDriver::waitFor([this] { return session().isTakenInUse(); })) << said();
    EXPECT_THAT(said(), HasSubstr("made anew"));
    EXPECT_GT(session().result()->compression->setup.points.size(), before);
}

TEST_F(ImportWindow, EncodingsThatAreDroppedAreShownAndLeftByCancelling)
{
    const auto file = m_driver.write("e.json", R"({"version": "2.0.0", "encodings": [
        {"name": "image", "output_dtype": "uint8", "y_scale": 0.5, "y_zero_point": 3},
        {"name": "gone", "output_dtype": "uint8", "y_scale": 1}]})");
    m_driver.drop({file});
    ASSERT_TRUE(isShown()) << said();
    EXPECT_THAT(rows(), Contains(HasSubstr("left out | tensor 'gone' is not in the model")));
    EXPECT_THAT(rows(), Contains("name | image | image | uint8 | 0.5, zero point 3"));
    EXPECT_THAT(rows(), Contains(HasSubstr("no entry | ")));
    press(QDialogButtonBox::Cancel);
    EXPECT_EQ(session().result(), nullptr);
}

TEST_F(ImportWindow, AFileThatCannotBeIsSaidByItsEntry)
{
    m_driver.drop({m_driver.write("e.json", R"({"version": "2.0.0", "encodings": [
        {"name": "image", "output_dtype": "uint8", "y_scale": -1}]})")});
    EXPECT_TRUE(WindowDriver::waitFor([this] { return said().find("encodings[0].y_scale") != std::string::npos; }))
        << said();
    EXPECT_EQ(dialog(), nullptr);
}

} // namespace
} // namespace duo::test
