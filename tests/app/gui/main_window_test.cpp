// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/window_driver.h"

#include "app/gui/panes.h"
#include "views/shell/focus_mark.h"

#include <QAbstractButton>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMenuBar>
#include <QPointer>
#include <QScreen>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolBar>

#include <set>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

class MainWindowTest : public testing::Test
{
protected:
    WindowDriver m_driver;
};

TEST_F(MainWindowTest, StartsEmptyWithSamplesAndNothingToQuantize)
{
    EXPECT_TRUE(m_driver.find<ui::StartPage>("startPage")->isVisible());
    EXPECT_EQ(m_driver.find<QListWidget>("sampleList")->count(), 1);
    EXPECT_FALSE(m_driver.find<QDockWidget>("dockScopes")->isVisible());
    for (const char* name : {"actionQuantize", "actionExport", "actionIgnore", "actionStop", "actionUndo"})
        EXPECT_FALSE(m_driver.action(name)->isEnabled()) << name;
    EXPECT_TRUE(m_driver.action("actionOpen")->isEnabled());
}

TEST_F(MainWindowTest, AWindowOfALargerScreenComesOntoThisOne)
{
    const QRect room = m_driver.window().screen()->availableGeometry();
    m_driver.window().setGeometry(room.left() + 100, room.top() + 100, room.width() + 300, room.height() + 300);
    ASSERT_FALSE(room.contains(m_driver.window().geometry()));
    m_driver.restart();
    EXPECT_TRUE(room.contains(m_driver.window().geometry())) << m_driver.window().height() << " of " << room.height();
}

TEST_F(MainWindowTest, EveryNamedDockHasAPane)
{
    std::set<QString> made;
    for (const ui::Pane& pane : app::allPanes())
        EXPECT_TRUE(made.insert(pane.place.name).second) << pane.place.name.toStdString();
    EXPECT_EQ(made,
        (std::set<QString>{ui::kConfigDock, ui::kParameterDock, ui::kPropertiesDock, ui::kResultsDock, ui::kRulesDock,
            ui::kScopesDock, ui::kSensitivityDock, ui::kStatisticsDock, ui::kTransformsDock}));
    for (const QString& name : made)
        EXPECT_NE(m_driver.window().findChild<QDockWidget*>(name), nullptr) << name.toStdString();
}

TEST_F(MainWindowTest, DroppedModelOpensAndIsRemembered)
{
    const auto model = m_driver.copySample("digits_conv.onnx");
    m_driver.drop({model});
    ASSERT_TRUE(WindowDriver::waitFor([this] { return m_driver.window().session().snapshot() != nullptr; }));
    ASSERT_TRUE(m_driver.settled());
    EXPECT_TRUE(m_driver.find<QDockWidget>("dockScopes")->isVisible());
    EXPECT_EQ(m_driver.find<QMenu>("menuRecent")->actions().front()->text(), QStringLiteral("digits_conv.onnx"));
    EXPECT_TRUE(m_driver.window().windowTitle().startsWith(QStringLiteral("digits_conv.onnx")));
}

TEST_F(MainWindowTest, UnreadableFileIsSaidAndLosesNothing)
{
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_conv.onnx")));
    const auto before = m_driver.window().session().snapshot();
    m_driver.drop({m_driver.write("broken.onnx", "this is no model")});
    auto* banner = m_driver.find<ui::Banner>("banner");
    ASSERT_TRUE(WindowDriver::waitFor([banner] { return banner->isVisible(); }));
    EXPECT_TRUE(banner->text().contains(QStringLiteral("broken.onnx"))) << banner->text().toStdString();
    EXPECT_EQ(m_driver.window().session().snapshot(), before);
    EXPECT_EQ(m_driver.find<ui::GraphView>("graph")->picture()->snapshot, before);
}

TEST_F(MainWindowTest, ALibraryOfOperatorsIsTakenUnlessSomethingRuns)
{
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_conv.onnx")));
    auto& session = m_driver.window().session();
    const auto library = m_driver.write("operators.so", "");
    auto* banner = m_driver.find<ui::Banner>("banner");
    const Error unknown{ErrorCode::EngineFailed, "an operator is not known", {}, {}, Remedy::NameLibrary};
    const auto says = [banner](const char* text) { return banner->text().contains(QLatin1String(text)); };

    Q_EMIT session.failed(unknown);
    m_driver.find<QPushButton>("bannerOffer")->click();
    auto* dialog = m_driver.find<QFileDialog>("libraryDialog");
    ASSERT_NE(dialog, nullptr);
    session.setData({"random:2", {}});
    session.calibrate();
    Q_EMIT dialog->fileSelected(QString::fromStdString(library.string()));
    EXPECT_TRUE(says("Something else is running. Name operators.so")) << banner->text().toStdString();
    delete dialog;
    ASSERT_TRUE(WindowDriver::waitFor([&] { return session.activity() == app::Activity::Idle; }));

    const auto before = session.snapshot()->model;
    Q_EMIT session.failed(unknown);
    m_driver.find<QPushButton>("bannerOffer")->click();
    ASSERT_NO_FATAL_FAILURE(m_driver.answer("libraryDialog", QDialogButtonBox::Open, library));
    ASSERT_TRUE(WindowDriver::waitFor([&] { return says("Operators come from"); })) << banner->text().toStdString();
    EXPECT_NE(session.snapshot()->model, before);
}

TEST_F(MainWindowTest, AFolderIsAskedForAndTheModelOpenedAgain)
{
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_conv.onnx")));
    auto& session = m_driver.window().session();
    Q_EMIT session.failed({ErrorCode::Unsupported, "data lie outside", {}, {}, Remedy::AllowFolder});
    QSignalSpy opened(&session, &app::Session::opened);
    auto* offer = m_driver.find<QPushButton>("bannerOffer");
    offer->click();
    ASSERT_NO_FATAL_FAILURE(m_driver.answer("folderDialog", QDialogButtonBox::Cancel, {}));
    EXPECT_TRUE(offer->isVisible()) << "who cancels is asked again";
    offer->click();
    ASSERT_NO_FATAL_FAILURE(m_driver.answer("folderDialog", QDialogButtonBox::Open, m_driver.folder()));
    EXPECT_TRUE(WindowDriver::waitFor([&] { return opened.count() == 1; }));
}

TEST_F(MainWindowTest, AnExportIsProposedInTheLastFolderWhileThereIsOne)
{
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_conv.onnx")));
    m_driver.window().session().setData({"random:2", {}});
    const auto last = m_driver.folder() / "last";
    const auto proposed = [this](const char* action, const char* name) {
        m_driver.action(action)->trigger();
        const std::unique_ptr<QFileDialog> dialog(m_driver.find<QFileDialog>(name));
        return dialog ? dialog->directory().canonicalPath().toStdString() : "no dialog";
    };
    m_driver.settings().setValue(QStringLiteral("export/folder"), QString::fromStdString(last.string()));
    EXPECT_EQ(proposed("actionExport", "exportDialog"), std::filesystem::canonical(m_driver.folder()));
    EXPECT_EQ(proposed("actionDeploy", "deployDialog"), std::filesystem::canonical(m_driver.folder()));
    std::filesystem::create_directory(last);
    EXPECT_EQ(proposed("actionExport", "exportDialog"), std::filesystem::canonical(last));
    EXPECT_EQ(proposed("actionDeploy", "deployDialog"), std::filesystem::canonical(last));
}

TEST_F(MainWindowTest, SelectingInATreeShowsInGraphAndPropertiesAndBack)
{
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_conv.onnx")));
    const auto snapshot = m_driver.window().session().snapshot();
    const std::string path = snapshot->scopes->execution.scopes.at(1).path;
    ASSERT_TRUE(m_driver.clickScope(ui::TreeKind::Execution, path));
    const auto* properties = m_driver.find<QTextBrowser>("properties");
    EXPECT_TRUE(WindowDriver::waitFor(
        [&] { return properties->toPlainText().remove(QChar(0x200b)).startsWith(QString::fromStdString(path)); }));
    auto* graph = m_driver.find<ui::GraphView>("graph");
    EXPECT_NE(graph->currentBox(), ui::Picture::kNoBox);
    graph->setFocus();
    const int before = graph->currentBox();
    m_driver.key(graph, Qt::Key_Down);
    EXPECT_NE(graph->currentBox(), before);
    const auto selection = graph->picture()->selectionOf(graph->currentBox());
    EXPECT_FALSE(selection.nodes.empty());
    EXPECT_TRUE(m_driver.find<QTreeView>("executionTree")->selectionModel()->hasSelection());
}

TEST_F(MainWindowTest, KeyGoesToTheCounterpartAndBack)
{
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_transformer.onnx")));
    ASSERT_TRUE(m_driver.clickScope(ui::TreeKind::Storage, "encoder.feed_forward"));
    auto* storage = m_driver.find<QTreeView>("storageTree");
    auto* execution = m_driver.find<QTreeView>("executionTree");
    auto* status = m_driver.find<QLabel>("statusCounts");
    m_driver.key(storage, Qt::Key_F6);
    EXPECT_EQ(status->text(), QStringLiteral("Counterpart 1 of 2: encoder/feed_forward"));
    EXPECT_TRUE(execution->hasFocus());
    m_driver.key(execution, Qt::Key_F6);
    EXPECT_EQ(status->text(), QStringLiteral("Counterpart 2 of 2: encoder/feed_forward#1"));
    m_driver.key(execution, Qt::Key_F6, Qt::ShiftModifier);
    m_driver.key(execution, Qt::Key_F6, Qt::ShiftModifier);
    EXPECT_EQ(status->text(), QStringLiteral("Back at encoder.feed_forward"));
    EXPECT_TRUE(storage->hasFocus());
}

TEST_F(MainWindowTest, UndoNamesWhatItTakesBack)
{
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_conv.onnx")));
    const auto scopes = m_driver.window().session().snapshot()->scopes;
    const Scope& scope = scopes->execution.scopes.at(1);
    ASSERT_TRUE(m_driver.clickScope(ui::TreeKind::Execution, scope.path));
    m_driver.action("actionIgnore")->trigger();
    ASSERT_TRUE(m_driver.settled());
    EXPECT_TRUE(m_driver.action("actionUndo")
                    ->text()
                    .startsWith(QStringLiteral("&Undo: Ignore scope %1 (").arg(QString::fromStdString(scope.path))))
        << m_driver.action("actionUndo")->text().toStdString();
    m_driver.action("actionClear")->trigger();
    EXPECT_TRUE(m_driver.window().session().rules().rules.empty());
}

TEST_F(MainWindowTest, EverythingHasANameAndNoShortcutIsTakenTwice)
{
    std::set<QString> taken;
    for (const QAction* action : m_driver.window().findChildren<QAction*>()) {
        if (action->parent() != &m_driver.window())
            continue;
        for (const QKeySequence& keys : action->shortcuts())
            EXPECT_TRUE(taken.insert(keys.toString()).second) << keys.toString().toStdString();
    }
    for (const QAbstractButton* button : m_driver.window().findChildren<QAbstractButton*>()) {
        if (button->objectName().startsWith(QStringLiteral("qt_")) || !button->isVisible())
            continue;
        EXPECT_FALSE(button->text().isEmpty() && button->accessibleName().isEmpty())
            << button->objectName().toStdString();
    }
    for (const char* name : {"executionTree", "storageTree", "graph", "rulesTable", "properties", "results",
             "linkGutter", "scopeFilter", "recentList", "sampleList", "progress"}) {
        const auto* widget = m_driver.find<QWidget>(name);
        ASSERT_NE(widget, nullptr) << name;
        EXPECT_FALSE(widget->accessibleName().isEmpty()) << name;
    }
    for (const QAction* action : m_driver.window().actions())
        EXPECT_FALSE(action->text().isEmpty() || action->statusTip().isEmpty()) << action->objectName().toStdString();
}

TEST_F(MainWindowTest, FitsASmallScreenWhateverThereIsToSay)
{
    const QSize small(1024, 700);
    auto& window = m_driver.window();
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_conv.onnx")));
    RuleSet rules;
    for (const char* value : {"encoder", "encoder/stm", "encoder/stem", "nothing like it"}) {
        rules.rules.emplace_back();
        rules.rules.back().kind = RuleKind::ExecutionScope;
        rules.rules.back().value = value;
    }
    window.session().editRules(rules, QStringLiteral("Test"));
    ASSERT_TRUE(m_driver.settled());
    window.resize(small);
    ASSERT_TRUE(m_driver.clickScope(ui::TreeKind::Execution, "encoder/layer1"));
    m_driver.action("actionClear")->trigger(); // offers choices
    ASSERT_TRUE(m_driver.answered());
    ASSERT_TRUE(m_driver.find<ui::ProposalPanel>("proposalPanel")->isVisible());
    for (const char* dock : {"dockConfig", "dockRules", "dockResults", "dockProperties"}) {
        m_driver.find<QDockWidget>(dock)->raise();
        QApplication::processEvents();
        EXPECT_EQ(window.size(), small) << dock;
    }
    EXPECT_TRUE(WindowDriver::waitFor([&] { return window.minimumSizeHint().height() <= small.height(); }))
        << window.minimumSizeHint().height();
}

TEST_F(MainWindowTest, AtFirstTheScreenHasRoomForItAndItsFrame)
{
    constexpr QSize kTitleAndEdges(8, 40);
    const QSize screen = m_driver.window().screen()->availableSize();
    const QSize size = m_driver.window().size() + kTitleAndEdges;
    EXPECT_LE(size.width(), screen.width());
    EXPECT_LE(size.height(), screen.height());
}

TEST_F(MainWindowTest, TheKeyOfAPaneRaisesItAndHidesItOnceItIsSeen)
{
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_conv.onnx")));
    const auto isSeen
        = [this](const char* dock) { return !m_driver.find<QDockWidget>(dock)->visibleRegion().isEmpty(); };
    ASSERT_TRUE(WindowDriver::waitFor([&] { return isSeen("dockProperties"); }));
    ASSERT_FALSE(isSeen("dockResults"));
    const auto press
        = [this](Qt::Key key) { m_driver.key(m_driver.find<QTreeView>("executionTree"), key, Qt::AltModifier); };
    press(Qt::Key_4);
    EXPECT_TRUE(WindowDriver::waitFor([&] { return isSeen("dockResults"); }));
    EXPECT_FALSE(isSeen("dockProperties"));
    press(Qt::Key_3);
    EXPECT_TRUE(WindowDriver::waitFor([&] { return isSeen("dockProperties"); }));
    press(Qt::Key_3);
    EXPECT_TRUE(WindowDriver::waitFor([&] { return isSeen("dockResults"); }));
    EXPECT_TRUE(m_driver.find<QDockWidget>("dockProperties")->isHidden());
    EXPECT_FALSE(m_driver.action("dockProperties:action")->isChecked());
    press(Qt::Key_3);
    EXPECT_TRUE(WindowDriver::waitFor([&] { return isSeen("dockProperties"); }));
    EXPECT_TRUE(m_driver.action("dockProperties:action")->isChecked());
}

TEST_F(MainWindowTest, TheSheetOfKeysFitsASmallScreenAndScrolls)
{
    m_driver.action("actionShortcuts")->trigger();
    const QPointer<QDialog> sheet = m_driver.find<QDialog>("keysDialog");
    ASSERT_FALSE(sheet.isNull());
    const QSize small = QSize(1280, 720) - QSize(0, 60); // a frame and a bar of the desktop
    EXPECT_LE(sheet->height(), small.height());
    auto* text = sheet->findChild<QTextBrowser*>(QStringLiteral("keysText"));
    EXPECT_TRUE(text->toPlainText().contains(QStringLiteral("Show what the keys do")));
    ASSERT_TRUE(WindowDriver::waitFor([&] { return text->verticalScrollBar()->maximum() > 0; }));
    m_driver.key(text, Qt::Key_PageDown);
    EXPECT_GT(text->verticalScrollBar()->value(), 0);
    m_driver.key(text, Qt::Key_Escape);
    EXPECT_TRUE(sheet.isNull() || !sheet->isVisible());
}

TEST_F(MainWindowTest, PanesAskForNoMoreThanANarrowWindow)
{
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_conv.onnx")));
    auto& window = m_driver.window();
    EXPECT_LE(window.minimumSizeHint().width(), 800);
    for (const QDockWidget* dock : window.findChildren<QDockWidget*>())
        EXPECT_LE(dock->minimumSizeHint().width(), 560) << dock->objectName().toStdString();
}

TEST_F(MainWindowTest, EveryStepOfTheTabKeyIsSeen)
{
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_conv.onnx")));
    auto& window = m_driver.window();
    const auto marked = [&window]() -> const QWidget* {
        const auto* frame = window.findChild<QFocusFrame*>();
        return frame != nullptr && frame->isVisible() ? frame->widget() : nullptr;
    };
    auto* start = m_driver.find<QTreeView>("executionTree");
    start->setFocus();
    EXPECT_EQ(marked(), nullptr);
    std::set<const QWidget*> seen;
    constexpr int kMostSteps = 400; // each link of Properties is one
    for (int step = 0; step < kMostSteps && !seen.contains(start); ++step) {
        m_driver.key(window.focusWidget(), Qt::Key_Tab);
        const QWidget* now = window.focusWidget();
        ASSERT_NE(now, nullptr);
        seen.insert(now);
        const QWidget* mark = marked(); // a text that scrolls is marked by the frame around it
        EXPECT_TRUE(mark != nullptr && (mark == now || mark->isAncestorOf(now))) << now->objectName().toStdString();
        EXPECT_FALSE(mark != nullptr && mark->parentWidget()->objectName() == QLatin1String("qt_scrollarea_viewport"))
            << now->objectName().toStdString();
        const QRect place(now->mapTo(&window, QPoint()), now->size()); // panes behind a tab lie outside
        EXPECT_TRUE(now->isVisible() && place.intersects(window.rect())) << now->objectName().toStdString();
    }
    EXPECT_TRUE(seen.contains(start));
    EXPECT_TRUE(seen.contains(m_driver.find<ui::GraphView>("graph")));
    EXPECT_TRUE(seen.contains(m_driver.find<QTextBrowser>("properties")));
    QTest::mouseClick(start->viewport(), Qt::LeftButton, {}, {5, 5});
    m_driver.find<QLineEdit>("scopeFilter")->setFocus(Qt::MouseFocusReason);
    EXPECT_EQ(marked(), nullptr);
}

TEST_F(MainWindowTest, BothAppearancesReachEveryView)
{
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_conv.onnx")));
    for (const char* name : {"appearanceDark", "appearanceLight"}) {
        m_driver.action(name)->trigger();
        const bool isDark = std::string(name) == "appearanceDark";
        for (const char* view : {"executionTree", "graph", "properties", "rulesTable"}) {
            auto* widget = m_driver.find<QWidget>(view);
            EXPECT_TRUE(WindowDriver::waitFor([&] { return ui::themeFor(widget->palette()).isDark == isDark; }))
                << view;
        }
        EXPECT_EQ(m_driver.find<ui::GraphView>("graph")->backgroundBrush().color(),
            (isDark ? ui::darkTheme() : ui::lightTheme()).base);
    }
}

} // namespace
} // namespace duo::test
