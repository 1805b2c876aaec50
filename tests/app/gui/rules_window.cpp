// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/rules_window.h"

#include "tests/views/support/picture_builder.h"

#include <QContextMenuEvent>
#include <QMenu>

#include <algorithm>

namespace duo::test {

using Model = ui::ScopeTreeModel;

void RulesWindow::SetUp()
{
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_conv.onnx")));
    m_opened = snapshot();
}

ui::ScopeTreeView* RulesWindow::tree(ui::TreeKind kind)
{
    return m_driver.find<ui::ScopeTreesPanel>("scopeTreesPanel")->tree(kind);
}

std::vector<std::string> RulesWindow::rules()
{
    std::vector<std::string> texts;
    for (const Rule& rule : m_driver.window().session().rules().rules)
        texts.push_back((rule.enabled ? "" : "off ") + ruleText(rule));
    return texts;
}

QModelIndex RulesWindow::rowOf(NodeId node, ui::TreeKind kind)
{
    const auto rows = static_cast<const Model*>(tree(kind)->model())->indexesOf(ui::selectNode(node));
    return rows.isEmpty() ? QModelIndex() : rows.front();
}

std::string RulesWindow::nodeIn(const std::string& scope, const std::string& opType)
{
    const Snapshot& shown = *snapshot();
    for (std::size_t i = 0; i < shown.model->nodes.size(); ++i) {
        if (shown.scopes->nodes[i].execution == scope && shown.model->nodes[i].opType == opType)
            return shown.model->nodes[i].name;
    }
    return {};
}

void RulesWindow::expectIgnored(const std::string& name, bool isIgnored)
{
    ASSERT_TRUE(m_driver.settled());
    ASSERT_TRUE(node(name).valid()) << name;
    EXPECT_EQ(rulesTable()->model()->rowCount(), static_cast<int>(rules().size()));
    const QString state = rowOf(node(name)).siblingAtColumn(Model::StateColumn).data().toString();
    EXPECT_EQ(state.contains(QStringLiteral("ignored")), isIgnored) << name << ": " << state.toStdString();
    const int index = boxOfNode(*graph()->picture(), node(name));
    ASSERT_NE(index, ui::Picture::kNoBox);
    const ViewBox& box = graph()->picture()->graph.boxes[static_cast<std::size_t>(index)];
    if (box.kind == ViewBox::Kind::Node) {
        EXPECT_EQ(box.state == NodeState::Ignored || box.state == NodeState::IgnoredInherited, isIgnored) << name;
    } else if (isIgnored) {
        EXPECT_GT(box.ignored, 0) << name;
    }
}

void RulesWindow::select(const std::vector<std::string>& names)
{
    const QSignalBlocker quiet(tree());
    tree()->selectionModel()->clearSelection();
    for (const auto& name : names) {
        tree()->scrollTo(rowOf(node(name)));
        tree()->selectionModel()->select(rowOf(node(name)), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    Q_EMIT m_driver.find<ui::ScopeTreesPanel>("scopeTreesPanel")->selected(tree()->currentSelection());
}

bool RulesWindow::isPreviewed(const std::string& name)
{
    const bool inTree = rowOf(node(name)).data(Model::PreviewRole).toInt() == static_cast<int>(Model::Preview::All);
    const auto& inGraph = graph()->preview();
    EXPECT_EQ(std::find(inGraph.begin(), inGraph.end(), node(name)) != inGraph.end(), inTree) << name;
    return inTree;
}

bool RulesWindow::trigger(const char* menu, const QString& beginning)
{
    if (!WindowDriver::waitFor([&] { return m_driver.find<QMenu>(menu) != nullptr; }))
        return false;
    QMenu* shown = m_driver.find<QMenu>(menu);
    for (QAction* action : shown->actions()) {
        if (!action->text().startsWith(beginning))
            continue;
        action->trigger();
        shown->close();
        return WindowDriver::waitFor([&] { return m_driver.find<QMenu>(menu) == nullptr; });
    }
    return false;
}

void RulesWindow::openMenu(QWidget* widget, const QPoint& position)
{
    QContextMenuEvent event(QContextMenuEvent::Mouse, position, widget->mapToGlobal(position));
    QApplication::sendEvent(widget, &event);
}

QPoint RulesWindow::middleOfNode(const std::string& name)
{
    return graph()->mapFromScene(graph()->picture()->frame(boxOfNode(*graph()->picture(), node(name))).center());
}

} // namespace duo::test
