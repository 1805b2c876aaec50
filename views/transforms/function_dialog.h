// SPDX-License-Identifier: Apache-2.0
// FunctionDialog: what a module would be as a function, with the order of what it takes and gives.
#pragma once

#include "core/outline/plan_outline.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>

#include <memory>
#include <string>
#include <vector>

namespace duo::ui {

/// Which calls become functions.
struct FunctionChoice {
    QString text; // "every call of encoder/layer1"
    OutlineRequest request;
};

class FunctionDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param scope that was pointed at, as OutlineRequest::scopes name it; @param choices at least one
    FunctionDialog(std::string scope, std::vector<FunctionChoice> choices, QWidget* parent = nullptr);

    /// The choice made, with the order that was dragged.
    [[nodiscard]] OutlineRequest request() const;
    [[nodiscard]] const std::string& scope() const { return m_scope; }
    /// What the request comes to. @param function of the scope pointed at; plan.functions.size(): it has none
    void setPlan(const OutlinePlan& plan, std::size_t function);
    void setProblem(const QString& problem);

Q_SIGNALS:
    void requestChanged();

private:
    void choose();
    void takeOrder();
    void showOrders(const OutlinedFunction& function, const PlannedFunction& planned);
    [[nodiscard]] static std::vector<std::string> namesIn(const QListWidget& list);

    std::string m_scope;
    std::vector<FunctionChoice> m_choices;
    FunctionOrder m_order; // empty lists: as found
    QComboBox* m_choice;
    QCheckBox* m_split;
    QLabel* m_signature;
    QLabel* m_evidence;
    QLabel* m_calls;
    QLabel* m_refused;
    QWidget* m_orders;
    QListWidget* m_inputs;
    QListWidget* m_outputs;
    QDialogButtonBox* m_buttons;
};

} // namespace duo::ui
