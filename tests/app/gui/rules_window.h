// SPDX-License-Identifier: Apache-2.0
// RulesWindow: a test in the real window on a sample, with what rules table, trees and graph show about a node.
#pragma once

#include "tests/app/gui/window_driver.h"

#include "views/trees/scope_tree_model.h"

#include <gtest/gtest.h>

namespace duo::test {

class RulesWindow : public testing::Test
{
protected:
    void SetUp() override;

    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() { return m_driver.window().session().snapshot(); }
    [[nodiscard]] ui::GraphView* graph() { return m_driver.find<ui::GraphView>("graph"); }
    [[nodiscard]] ui::ScopeTreeView* tree(ui::TreeKind kind = ui::TreeKind::Execution);
    [[nodiscard]] QTableView* rulesTable() { return m_driver.find<QTableView>("rulesTable"); }
    [[nodiscard]] NodeId node(const std::string& name) { return snapshot()->model->findNode(name); }
    [[nodiscard]] QModelIndex rowOf(NodeId node, ui::TreeKind kind = ui::TreeKind::Execution);
    /// The name of the first node of a type that runs in a scope; "" if there is none.
    [[nodiscard]] std::string nodeIn(const std::string& scope, const std::string& opType);
    [[nodiscard]] QPoint middleOfNode(const std::string& name); // in the graph's viewport
    [[nodiscard]] bool isPreviewed(const std::string& name); // in tree and graph, which agree
    [[nodiscard]] int undoSteps() { return m_driver.window().session().undoStack()->count(); }

    /// "ignore name /conv1/Conv", "off ignore type Relu".
    [[nodiscard]] std::vector<std::string> rules();
    /// Rules table, execution tree and graph agree that the node is kept in float by a rule, or is not.
    void expectIgnored(const std::string& name, bool isIgnored);

    void select(const std::vector<std::string>& names); // as if clicked in the execution tree
    /// Asks for a context menu and takes the entry that begins so.
    bool trigger(const char* menu, const QString& beginning);
    static void openMenu(QWidget* widget, const QPoint& position);

    WindowDriver m_driver;
    std::shared_ptr<const Snapshot> m_opened;
};

/// Nodes of the sample: the first convolution, one between it and the next, that one.
inline const std::string kConv = "/encoder/stem/conv/Conv";
inline const std::string kBetween = "/encoder/layer1/layer1.0/first/conv/Conv";
inline const std::string kSecond = "/encoder/layer1/layer1.0/second/Conv";

} // namespace duo::test
