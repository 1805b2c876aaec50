// SPDX-License-Identifier: Apache-2.0
// What is done with a model is there again when the window is opened the next time, and the title says what is not
// saved; a model that changes on disk is read anew where one wants it.
#include "tests/app/gui/rules_window.h"

#include "app/gui/messages.h"
#include "views/properties/properties_view.h"
#include "views/results/results_view.h"

#include <QPushButton>
#include <QSignalSpy>

#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

class KeptSessionInWindow : public RulesWindow
{
protected:
    [[nodiscard]] QPushButton* offer() { return m_driver.find<QPushButton>("bannerOffer"); }
    [[nodiscard]] std::string said() { return m_driver.find<ui::Banner>("banner")->text().toStdString(); }
    [[nodiscard]] bool hasStar()
    {
        return m_driver.window().isWindowModified()
            && m_driver.window().windowTitle() == QStringLiteral("digits_conv.onnx[*] — Duoscope");
    }
    [[nodiscard]] std::filesystem::path model() const { return m_driver.folder() / "digits_conv.onnx"; }
    void restart()
    {
        m_driver.restart();
        ASSERT_TRUE(m_driver.open(model()));
        // of a model just opened the view is made twice: by itself, and as it was
        ASSERT_TRUE(WindowDriver::waitFor([this] { return !view().empty(); }));
    }
    [[nodiscard]] const nlohmann::ordered_json& view() { return m_driver.window().session().view(); }
    /// Until the window has told the session how it stands.
    bool hasTold(const std::function<bool(const nlohmann::ordered_json&)>& condition)
    {
        return WindowDriver::waitFor([&] { return !view().empty() && condition(view()); });
    }
    void closeABox()
    {
        graph()->setBoxOpen(graph()->picture()->boxOfKey("encoder/refine"), false);
        ASSERT_TRUE(WindowDriver::waitFor([this] { return !graph()->picture()->open.contains("encoder/refine"); }));
    }
    void restartAsOfATallPane()
    {
        m_driver.window().session().setView(nlohmann::ordered_json::object());
        ASSERT_TRUE(hasTold([](const auto& view) { return view["graph"].contains("pane"); }));
        nlohmann::ordered_json other = view();
        other["graph"]["shape"]["whole"] = 0.2;
        other["graph"]["pane"] = {{"width", 100.0}, {"height", 500.0}};
        m_driver.window().session().setView(other);
        restart();
    }
    void ignoreAndRestart()
    {
        select({kConv});
        m_driver.action("actionIgnore")->trigger();
        EXPECT_TRUE(m_driver.settled());
        m_driver.restart();
        ASSERT_TRUE(m_driver.open(m_driver.folder() / "digits_conv.onnx"));
    }
};

TEST_F(KeptSessionInWindow, RulesAreThereAgainAndCanBeLeftWithOneClick)
{
    EXPECT_FALSE(hasStar());
    ASSERT_NO_FATAL_FAILURE(ignoreAndRestart());
    expectIgnored(kConv, true);
    EXPECT_TRUE(hasStar());
    EXPECT_NE(said().find("The last recipe of this model is in use again: 1 rule."), std::string::npos) << said();
    ASSERT_TRUE(offer()->isVisible());
    EXPECT_EQ(offer()->text(), QStringLiteral("Start without"));
    QTest::mouseClick(offer(), Qt::LeftButton);
    expectIgnored(kConv, false);
    EXPECT_FALSE(m_driver.window().isWindowModified());
    m_driver.action("actionUndo")->trigger();
    expectIgnored(kConv, true);
}

TEST_F(KeptSessionInWindow, ACheckpointFoundBesideTheModelSaysItToo)
{
    (void)m_driver.copySample("digits_conv.safetensors");
    ASSERT_NO_FATAL_FAILURE(ignoreAndRestart());
    ASSERT_TRUE(WindowDriver::waitFor([this] { return snapshot()->checkpoint != nullptr; }));
    EXPECT_NE(said().find("found beside the model"), std::string::npos) << said();
    EXPECT_NE(said().find("The last recipe of this model is in use again: 1 rule."), std::string::npos) << said();
}

TEST_F(KeptSessionInWindow, AnExportThatClosingCutShortCanBeStartedAgainWithOneClick)
{
    app::Session& before = m_driver.window().session();
    before.setData({"random:300", {}});
    QSignalSpy progressed(&before, &app::Session::progressed);
    before.exportTo(m_driver.folder() / "again.int8.onnx");
    ASSERT_TRUE(WindowDriver::waitFor([&] { return progressed.count() > 0; }));
    m_driver.window().close();
    const std::string leaving = app::leavingText(before).toStdString();
    EXPECT_NE(leaving.find("it is kept in " + before.keptFile().string()), std::string::npos) << leaving;
    EXPECT_NE(leaving.find("The export to again.int8.onnx is not finished"), std::string::npos) << leaving;
    ASSERT_NO_FATAL_FAILURE(restart());
    EXPECT_NE(said().find("The export to again.int8.onnx, begun on "), std::string::npos) << said();
    EXPECT_EQ(offer()->text(), QStringLiteral("Start it again"));
    app::Session& now = m_driver.window().session();
    now.setData({"random:2", {}});
    QSignalSpy exported(&now, &app::Session::exported);
    QTest::mouseClick(offer(), Qt::LeftButton);
    ASSERT_TRUE(WindowDriver::waitFor([&] { return exported.count() == 1; }));
    EXPECT_TRUE(std::filesystem::exists(m_driver.folder() / "again.int8.onnx"));
    ASSERT_NO_FATAL_FAILURE(restart());
    EXPECT_EQ(said().find("not finished"), std::string::npos) << said();
}

TEST_F(KeptSessionInWindow, HowNodesRunInTheLastExportIsSaidAgain)
{
    const auto runs = [this] {
        const auto written = graph()->writtenRuns();
        std::size_t count = 0;
        for (std::uint32_t n = 0; written && n < snapshot()->model->nodes.size(); ++n)
            count += written->of(NodeId(n)) != nullptr ? 1U : 0U;
        return count;
    };
    const auto saysItToo = [this] {
        select({kConv});
        const auto* properties = m_driver.find<ui::PropertiesView>("properties");
        return WindowDriver::waitFor(
            [&] { return properties->toPlainText().contains(QStringLiteral("In the engine")); });
    };
    app::Session& before = m_driver.window().session();
    before.setData({"random:2", {}});
    before.exportTo(m_driver.folder() / "m.int8.onnx");
    ASSERT_TRUE(WindowDriver::waitFor([&] { return runs() > 0; }));
    const auto known = runs();
    EXPECT_TRUE(saysItToo());
    ASSERT_NO_FATAL_FAILURE(restart());
    ASSERT_TRUE(WindowDriver::waitFor([&] { return runs() > 0; }));
    EXPECT_EQ(runs(), known);
    EXPECT_TRUE(saysItToo());
    m_driver.action("actionIgnore")->trigger();
    EXPECT_TRUE(WindowDriver::waitFor([&] { return runs() == 0; })) << "of other rules";
    m_driver.action("actionUndo")->trigger();
    EXPECT_TRUE(WindowDriver::waitFor([&] { return runs() == known; }));
}

TEST_F(KeptSessionInWindow, SavingTakesTheStarAway)
{
    select({kConv});
    m_driver.action("actionIgnore")->trigger();
    EXPECT_TRUE(hasStar());
    m_driver.action("actionSaveRecipe")->trigger();
    ASSERT_NO_FATAL_FAILURE(
        m_driver.answer("saveRecipeDialog", QDialogButtonBox::Save, m_driver.folder() / "mine.recipe.json"));
    EXPECT_FALSE(m_driver.window().isWindowModified());
    m_driver.action("actionUndo")->trigger();
    EXPECT_TRUE(hasStar());
}

TEST_F(KeptSessionInWindow, TreesGraphAndSelectionStandAsTheyDid)
{
    tree(ui::TreeKind::Storage)->collapseAll();
    ASSERT_TRUE(m_driver.clickScope(ui::TreeKind::Execution, "encoder/layer1"));
    ASSERT_TRUE(WindowDriver::waitFor([this] { return graph()->picture()->open.contains("encoder/refine"); }));
    graph()->setBoxOpen(graph()->picture()->boxOfKey("encoder/refine"), false);
    ASSERT_TRUE(WindowDriver::waitFor([this] { return !graph()->picture()->open.contains("encoder/refine"); }));
    graph()->zoomTo(0.75);
    graph()->centerOn(graph()->picture()->frame(graph()->picture()->boxOfKey("encoder/layer1")).center());
    m_driver.window().session().setView(nlohmann::ordered_json::object()); // until the window has told it anew
    ASSERT_TRUE(hasTold([](const auto& view) { return view["graph"]["zoom"] == 0.75; }));
    const nlohmann::ordered_json before = view();
    ASSERT_NO_FATAL_FAILURE(restart());
    EXPECT_TRUE(WindowDriver::waitFor([&] {
        return graph()->picture()->open == before["graph"]["open"].get<std::set<std::string>>()
            && graph()->zoom() == 0.75;
    }));
    m_driver.window().session().setView(nlohmann::ordered_json::object());
    graph()->centerOn(graph()->mapToScene(graph()->viewport()->rect().center()) + QPointF(4, 0)); // so that it tells
    ASSERT_TRUE(hasTold([](const auto& view) { return view["graph"]["zoom"] == 0.75; }));
    EXPECT_EQ(view()["execution"], before["execution"]);
    EXPECT_EQ(view()["storage"], before["storage"]);
    EXPECT_EQ(view()["selection"], before["selection"]);
    EXPECT_EQ(view()["graph"]["open"], before["graph"]["open"]);
    EXPECT_EQ(view()["graph"]["box"], before["graph"]["box"]);
    EXPECT_EQ(view()["graph"]["shape"], before["graph"]["shape"]);
    for (const char* axis : {"x", "y"}) {
        const auto middle = [axis](const auto& told) { return told["graph"]["middle"][axis].template get<double>(); };
        EXPECT_NEAR(middle(view()), middle(before), 5) << axis;
    }
}

TEST_F(KeptSessionInWindow, WhereOneLookedTheGraphIsLaidOutAsItWas)
{
    const PictureShape before = graph()->picture()->shape;
    ASSERT_NO_FATAL_FAILURE(closeABox());
    graph()->zoomTo(1.5);
    ASSERT_NO_FATAL_FAILURE(restartAsOfATallPane());
    EXPECT_TRUE(WindowDriver::waitFor([this] { return graph()->picture()->shape.whole == 0.2; }));
    EXPECT_NE(graph()->picture()->shape, before);
}

TEST_F(KeptSessionInWindow, WhatWasSeenWholeIsLaidOutForThePaneThereIs)
{
    ASSERT_NO_FATAL_FAILURE(closeABox());
    graph()->fit();
    ASSERT_NO_FATAL_FAILURE(restartAsOfATallPane());
    EXPECT_TRUE(WindowDriver::waitFor([this] { return !graph()->picture()->open.contains("encoder/refine"); }));
    EXPECT_NE(graph()->picture()->shape.whole, 0.2);
    EXPECT_TRUE(graph()->isWhole());
}

TEST_F(KeptSessionInWindow, BoxesThatTheWindowChoseAreChosenAnew)
{
    ASSERT_TRUE(hasTold([](const auto& view) { return view["graph"].contains("form"); }));
    EXPECT_FALSE(view()["graph"].contains("open")) << view().dump();
    ASSERT_NO_FATAL_FAILURE(restart());
    EXPECT_TRUE(graph()->isUntouched());
}

TEST_F(KeptSessionInWindow, AViewThatWasToldByItsTopLeftCornerIsFoundToo)
{
    ASSERT_TRUE(hasTold([](const auto& view) { return view["graph"].contains("form"); }));
    nlohmann::ordered_json older = view();
    older["graph"] = {{"form", "compressed"}, {"open", graph()->picture()->open}, {"box", "encoder/layer1"},
        {"x", -20.0}, {"y", -10.0}, {"zoom", 2.0}};
    m_driver.window().session().setView(older);
    ASSERT_NO_FATAL_FAILURE(restart());
    ASSERT_TRUE(WindowDriver::waitFor([this] { return graph()->zoom() == 2; }));
    const QPointF box = graph()->picture()->frame(graph()->picture()->boxOfKey("encoder/layer1")).topLeft();
    const QPointF corner = graph()->viewportTransform().inverted().map(QPointF());
    EXPECT_NEAR(corner.x(), box.x() - 20, 20);
    EXPECT_NEAR(corner.y(), box.y() - 10, 30); // messages take room
}

TEST_F(KeptSessionInWindow, WhatWasFittedIsFittedAgain)
{
    graph()->zoomTo(3);
    graph()->fit();
    ASSERT_NO_FATAL_FAILURE(closeABox());
    graph()->fit();
    ASSERT_TRUE(hasTold([](const auto& view) { return view["graph"].contains("whole"); }));
    ASSERT_NO_FATAL_FAILURE(restart());
    EXPECT_TRUE(WindowDriver::waitFor([this] { return graph()->isWhole() && !graph()->isUntouched(); }));
}

TEST_F(KeptSessionInWindow, ASelectionIsNotLookedForInThePictureOfTheModelBefore)
{
    const auto larger = m_driver.copySample("digits_transformer.onnx");
    ASSERT_TRUE(m_driver.open(larger));
    const std::string last = snapshot()->model->node(snapshot()->model->mainGraph().nodes.back()).name;
    select({last});
    ASSERT_TRUE(hasTold([&](const auto& view) { return view["selection"].dump().find(last) != std::string::npos; }));
    ASSERT_TRUE(m_driver.open(model()));
    ASSERT_TRUE(m_driver.open(larger));
    EXPECT_TRUE(hasTold([&](const auto& view) { return view["selection"].dump().find(last) != std::string::npos; }));
}

TEST_F(KeptSessionInWindow, TheFormOfTheGraphIsTheSameAgain)
{
    for (const auto& [action, form, told] : {std::tuple("actionShowOriginal", GraphForm::Original, "original"),
             std::tuple("actionShowAsRun", GraphForm::AsRun, "run")}) {
        m_driver.action(action)->trigger();
        ASSERT_TRUE(WindowDriver::waitFor([&] { return graph()->picture()->form == form; }));
        ASSERT_TRUE(hasTold([&](const auto& view) { return view["graph"]["form"] == told; }));
        ASSERT_NO_FATAL_FAILURE(restart());
        EXPECT_TRUE(WindowDriver::waitFor([&] { return graph()->picture()->form == form; })) << told;
        EXPECT_TRUE(m_driver.action(action)->isChecked()) << told;
    }
}

TEST_F(KeptSessionInWindow, ColoursAreTheSameAgain)
{
    m_driver.action("overlay:parameters")->trigger();
    ASSERT_TRUE(hasTold([](const auto& view) { return view["overlay"] == "parameters"; }));
    ASSERT_NO_FATAL_FAILURE(restart());
    EXPECT_TRUE(m_driver.action("overlay:parameters")->isChecked());
    EXPECT_FALSE(tree()->isColumnHidden(ui::ScopeTreeModel::OverlayColumn));
}

TEST_F(KeptSessionInWindow, AViewThatIsNonsenseIsPassedOver)
{
    ASSERT_TRUE(hasTold([](const auto&) { return true; }));
    for (const char* nonsense :
        {R"({"overlay": [], "graph": {"form": 3, "open": [1, {"a": 2}], "box": 7, "zoom": 1e300, "x": "y"}})",
            R"({"graph": 1, "execution": {"open": "x", "top": -1e300}, "selection": {"scope": "none", "tree": 4}})",
            R"({"graph": {"open": [], "shape": {"whole": -1, "inside": "x", "spread": 1e300}, "middle": 4, "whole": {}}})",
            R"({"selection": {"nodes": ["none", 4, null]}, "storage": {"top": 1e300, "open": ["none"]}})"}) {
        m_driver.window().session().setView(nlohmann::ordered_json::parse(nonsense));
        m_driver.restart();
        ASSERT_TRUE(m_driver.open(model())) << nonsense;
        EXPECT_FALSE(graph()->picture()->graph.boxes.empty());
    }
}

TEST_F(KeptSessionInWindow, DataThatAreNotThereAreSaidSo)
{
    const std::string data = (m_driver.folder() / "none.npz").string();
    m_driver.restart();
    m_driver.window().openModel(QString::fromStdString(model().string()), {{data, {}}, {}, {}});
    ASSERT_TRUE(WindowDriver::waitFor([this] { return snapshot() != nullptr && !said().empty(); }));
    EXPECT_NE(said().find("The data " + data + " cannot be found."), std::string::npos) << said();
    ASSERT_TRUE(hasTold([](const auto&) { return true; }));
    ASSERT_NO_FATAL_FAILURE(restart());
    EXPECT_NE(said().find(data + ", which was in use, is not there any more."), std::string::npos) << said();
    EXPECT_EQ(said().find("In use again"), std::string::npos) << said();
    ASSERT_TRUE(offer()->isVisible());
    EXPECT_EQ(offer()->text(), QStringLiteral("Choose data…"));
    m_driver.action("actionQuantize")->trigger();
    ASSERT_TRUE(WindowDriver::waitFor([&] { return said().find("cannot read file") != std::string::npos; })) << said();
    ASSERT_TRUE(offer()->isVisible());
    EXPECT_EQ(offer()->text(), QStringLiteral("Choose data…"));
}

TEST_F(KeptSessionInWindow, WhatIsNoSessionIsSaidAndSetAside)
{
    ASSERT_TRUE(hasTold([](const auto&) { return true; }));
    m_driver.window().session().finishKeeping();
    const auto file = std::filesystem::directory_iterator(m_driver.window().session().keptFolder())->path();
    const std::string name = file.stem().extension() == ".lock" ? file.stem().string() : file.filename().string();
    m_driver.window().close();
    std::ofstream(m_driver.folder() / "sessions" / name.substr(0, name.find(".json") + 5)) << "{";
    m_driver.restart();
    ASSERT_TRUE(m_driver.open(model()));
    EXPECT_NE(said().find("What was kept of this model cannot be taken up: not valid JSON"), std::string::npos)
        << said();
    const std::filesystem::directory_iterator files(m_driver.folder() / "sessions");
    EXPECT_TRUE(
        std::any_of(begin(files), end(files), [](const auto& kept) { return kept.path().extension() == ".unread1"; }));
}

TEST_F(KeptSessionInWindow, ASecondWindowSaysThatItKeepsItsOwn)
{
    select({kConv});
    m_driver.action("actionIgnore")->trigger();
    ASSERT_TRUE(m_driver.settled());
    m_driver.window().session().finishKeeping();
    QSettings settings(m_driver.settings().fileName(), QSettings::IniFormat);
    app::MainWindow second(settings, {}, {});
    second.show();
    second.openModel(QString::fromStdString(model().string()));
    ASSERT_TRUE(WindowDriver::waitFor([&] { return second.session().snapshot() != nullptr; }));
    const auto text = second.findChild<ui::Banner*>(QStringLiteral("banner"))->text().toStdString();
    EXPECT_NE(
        text.find("Another window has this model open: this one keeps a session of its own (2)."), std::string::npos)
        << text;
    EXPECT_EQ(second.session().rules().rules.size(), 1U);
    second.session().editRules({}, QStringLiteral("edit"));
    second.close();
    expectIgnored(kConv, true);
}

TEST_F(KeptSessionInWindow, AnExportIsShownAsOneOfAnEarlierRunAndWhatIsAnotherOneSince)
{
    m_driver.window().session().setData({DUO_SAMPLES "/digits_calibration.npz", {}});
    m_driver.window().session().exportTo(m_driver.folder() / "m.int8.onnx");
    ASSERT_TRUE(WindowDriver::waitFor([this] { return m_driver.window().session().report() != nullptr; }));
    ASSERT_NO_FATAL_FAILURE(restart());
    auto* results = m_driver.find<ui::ResultsView>("results");
    EXPECT_TRUE(results->toPlainText().startsWith(QStringLiteral("Export of an earlier run, ")))
        << results->toPlainText().toStdString();
    EXPECT_FALSE(results->toPlainText().contains(QStringLiteral("Changed since")));
    select({kConv});
    m_driver.action("actionIgnore")->trigger();
    EXPECT_TRUE(results->toPlainText().contains(QStringLiteral("! Changed since: the rules or settings.")));
}

TEST_F(KeptSessionInWindow, AModelThatChangedOnDiskIsReadAnewWithOneClickAndRulesStay)
{
    select({kConv});
    m_driver.action("actionIgnore")->trigger();
    ASSERT_TRUE(m_driver.settled());
    const auto before = snapshot()->model;
    const auto other = m_driver.write("other", "");
    std::filesystem::remove(other);
    (void)m_driver.copySample("digits_conv.onnx", "other");
    std::filesystem::rename(other, model());
    ASSERT_TRUE(WindowDriver::waitFor(
        [this] { return said().find("digits_conv.onnx has changed on disk.") != std::string::npos; }));
    EXPECT_EQ(snapshot()->model, before);
    EXPECT_EQ(offer()->text(), QStringLiteral("Reload"));
    QTest::mouseClick(offer(), Qt::LeftButton);
    ASSERT_TRUE(WindowDriver::waitFor([&] { return snapshot()->model != before; }) && m_driver.settled());
    EXPECT_EQ(said(), "digits_conv.onnx is shown as it is on disk now.");
    expectIgnored(kConv, true);
    EXPECT_EQ(undoSteps(), 1);
    std::filesystem::remove(model());
    ASSERT_TRUE(WindowDriver::waitFor(
        [this] { return said().find("digits_conv.onnx is not there any more.") != std::string::npos; }));
    EXPECT_FALSE(offer()->isVisible());
    m_driver.action("actionReload")->trigger();
    ASSERT_TRUE(WindowDriver::waitFor([this] { return said().find("cannot read file") != std::string::npos; }));
    expectIgnored(kConv, true);
}

} // namespace
} // namespace duo::test
