// SPDX-License-Identifier: Apache-2.0
// Whatever the user does to the rules in whatever order: undoing all of it restores the opened state exactly.
#include "tests/app/gui/window_driver.h"

#include "tests/views/support/config_form.h"
#include "views/intent/rule_intent.h"

#include <QDockWidget>
#include <QPlainTextEdit>
#include <QPushButton>

#include <array>
#include <cstring>
#include <random>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

class RandomUser
{
public:
    RandomUser(WindowDriver& driver, unsigned seed)
        : m_driver(driver)
        , m_random(seed)
    {
    }

    void act()
    {
        switch (upTo(11)) {
        case 0:
        case 1:
            select();
            intend(upTo(3));
            break;
        case 2:
            select();
            m_driver.action(upTo(2) == 0 ? "actionAsSubgraph" : "actionMakePattern")->trigger();
            answer();
            break;
        case 3:
            toggleRule();
            break;
        case 4:
            changeRule();
            break;
        case 5:
            removeRule();
            break;
        case 6:
            m_driver.action("actionUndo")->trigger();
            break;
        case 7:
            m_driver.action("actionRedo")->trigger();
            break;
        case 8:
        case 9:
            editConfig();
            break;
        default:
            dropRule();
        }
    }

private:
    [[nodiscard]] int upTo(int count) { return static_cast<int>(m_random() % static_cast<unsigned>(count)); }
    [[nodiscard]] const Snapshot& snapshot() { return *m_driver.window().session().snapshot(); }
    [[nodiscard]] ui::RulesModel& table()
    {
        return *static_cast<ui::RulesModel*>(m_driver.find<QTableView>("rulesTable")->model());
    }

    [[nodiscard]] ui::Selection any()
    {
        const Scopes& scopes = *snapshot().scopes;
        const int kind = upTo(3);
        if (kind == 2)
            return ui::selectNode(NodeId(static_cast<std::size_t>(upTo(static_cast<int>(scopes.nodes.size())))));
        const auto tree = kind == 0 ? ui::TreeKind::Execution : ui::TreeKind::Storage;
        const auto count = static_cast<int>(ui::treeOf(scopes, tree).scopes.size());
        return ui::selectScope(scopes, tree, ScopeId(static_cast<std::size_t>(upTo(count))));
    }

    void select() { Q_EMIT m_driver.find<ui::ScopeTreesPanel>("scopeTreesPanel")->selected(any()); }

    void intend(int verb)
    {
        static constexpr std::array kActions = {"actionIgnore", "actionTarget", "actionClear"};
        m_driver.action(kActions[static_cast<std::size_t>(verb)])->trigger();
        answer();
    }

    void answer()
    {
        EXPECT_TRUE(m_driver.answered());
        auto* panel = m_driver.find<ui::ProposalPanel>("proposalPanel");
        if (!panel->isOffering())
            return;
        const auto choice = static_cast<std::size_t>(upTo(static_cast<int>(panel->proposals().choices.size())));
        m_driver.find<QAbstractButton>(("proposal" + std::to_string(choice)).c_str())->click();
        m_driver.find<QPushButton>(upTo(4) == 0 ? "proposalCancel" : "proposalApply")->click();
    }

    void toggleRule()
    {
        if (const int rows = table().rowCount(); rows > 0) {
            const QModelIndex cell = table().index(upTo(rows), ui::RulesModel::ActionColumn);
            table().setData(cell, cell.data(Qt::CheckStateRole).toInt() == Qt::Checked ? Qt::Unchecked : Qt::Checked,
                Qt::CheckStateRole);
        }
    }

    void changeRule()
    {
        static constexpr std::array kValues = {"Conv", "encoder", "/encoder/.*/Conv", "(", "nothing", ""};
        const int rows = table().rowCount();
        if (rows == 0)
            return;
        const int row = upTo(rows);
        if (upTo(3) == 0)
            table().setData(
                table().index(row, ui::RulesModel::CommentColumn), QString::number(upTo(100)), Qt::EditRole);
        else
            table().setData(table().index(row, ui::RulesModel::ValueColumn),
                QLatin1String(kValues[static_cast<std::size_t>(upTo(kValues.size()))]), Qt::EditRole);
    }

    void removeRule()
    {
        auto* view = m_driver.find<QTableView>("rulesTable");
        if (table().rowCount() == 0)
            return;
        view->selectRow(upTo(table().rowCount()));
        m_driver.find<QPushButton>("removeRule")->click();
    }

    void dropRule()
    {
        Q_EMIT m_driver.find<ui::RulesView>("rulesView")
            ->rulesIntended({upTo(2) == 0 ? ui::RuleIntent::Verb::Ignore : ui::RuleIntent::Verb::Target,
                ui::subjectsOf(any(), *snapshot().model, *snapshot().scopes), false});
    }

    /// Writes over a place of the text in one of the JSON forms; some of it cannot be read, and may be left or
    /// reverted.
    void editConfig()
    {
        using Change = std::pair<const char*, const char*>;
        static constexpr std::array kChanges
            = {Change("\"ignore\"", "\"target\""), Change("\"target\"", "\"ignore\""), Change("encoder", "head"),
                Change("Conv", "Relu"), Change("true", "false"), Change("[", "[\"/encoder/stem/conv/Conv\", "),
                Change("[", "[{\"action\": \"ignore\", \"kind\": \"type\", \"value\": \"Conv\"}, "), Change("{", "{{")};
        static constexpr std::array kForms
            = {ui::ConfigForm::Recipe, ui::ConfigForm::NncfJson, ui::ConfigForm::LegacyJson};
        m_driver.find<QDockWidget>("dockConfig")->raise();
        auto* text = m_driver.find<QPlainTextEdit>("configText");
        chooseForm(m_driver.window(), kForms[static_cast<std::size_t>(upTo(kForms.size()))]);
        if (auto* revert = m_driver.find<QPushButton>("configRevert"); !revert->isHidden() && upTo(3) > 0)
            revert->click();
        const auto& [before, after] = kChanges[static_cast<std::size_t>(upTo(kChanges.size()))];
        QString written = text->toPlainText();
        if (const auto at = written.indexOf(QLatin1String(before)); at >= 0)
            text->setPlainText(written.replace(at, static_cast<int>(std::strlen(before)), QLatin1String(after)));
        chooseForm(m_driver.window(), ui::ConfigForm::Ort); // what was typed counts at once
    }

    WindowDriver& m_driver;
    std::mt19937 m_random; // its numbers are the same everywhere
};

TEST(UndoProperty, UndoingEverythingRestoresTheOpenedState)
{
    WindowDriver driver;
    ASSERT_TRUE(driver.open(driver.copySample("digits_conv.onnx")));
    auto& session = driver.window().session();
    const auto opened = session.snapshot();
    for (unsigned seed = 1; seed <= 8; ++seed) {
        SCOPED_TRACE(seed);
        RandomUser user(driver, seed);
        for (int step = 0; step < 30; ++step) {
            user.act();
            ASSERT_TRUE(driver.settled());
        }
        EXPECT_GT(session.undoStack()->count(), 0);
        const Recipe last = session.recipe();
        const auto lastDecisions = session.snapshot()->placement->decisions;
        const int index = session.undoStack()->index();
        session.undoStack()->setIndex(0);
        ASSERT_TRUE(driver.settled());
        EXPECT_EQ(session.recipe(), opened->recipe);
        EXPECT_EQ(session.snapshot()->recipe, opened->recipe);
        EXPECT_EQ(session.snapshot()->hits->ignoredBy, opened->hits->ignoredBy);
        EXPECT_EQ(session.snapshot()->hits->targeted, opened->hits->targeted);
        EXPECT_EQ(session.snapshot()->hits->hits.size(), opened->hits->hits.size());
        EXPECT_EQ(session.snapshot()->placement->decisions, opened->placement->decisions);
        EXPECT_EQ(session.snapshot()->placement->setup, opened->placement->setup);
        session.undoStack()->setIndex(index); // and all of it again
        ASSERT_TRUE(driver.settled());
        EXPECT_EQ(session.recipe(), last);
        EXPECT_EQ(session.snapshot()->placement->decisions, lastDecisions);
        session.undoStack()->setIndex(0);
        ASSERT_TRUE(driver.settled());
    }
}

} // namespace
} // namespace duo::test
