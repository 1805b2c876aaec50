// SPDX-License-Identifier: Apache-2.0
#include "views/transforms/function_dialog.h"

#include "core/report/outline_report.h"
#include "views/style/format.h"
#include "views/style/text_label.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScreen>
#include <QShortcut>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace duo::ui {
namespace {

constexpr int kLeastWidth = 560; // px
constexpr int kRowsShown = 5; // of a list
constexpr std::size_t kCallsShown = 4;
constexpr std::size_t kRefusalsShown = 6;

/// Alt+Up and Alt+Down do what dragging does.
void addKeys(QListWidget& list)
{
    for (const int step : {-1, 1}) {
        auto* key = new QShortcut(Qt::ALT | (step < 0 ? Qt::Key_Up : Qt::Key_Down), &list);
        key->setContext(Qt::WidgetShortcut);
        QObject::connect(key, &QShortcut::activated, &list, [&list, step] {
            const int row = list.currentRow();
            const int to = row + step;
            if (row < 0 || to < 0 || to >= list.count())
                return;
            list.setCurrentRow(to); // it stays with the place as names move
            list.model()->moveRow({}, row, {}, step < 0 ? to : to + 1);
        });
    }
}

QListWidget* orderList(const char* name, const QString& about, QWidget* parent)
{
    auto* list = new QListWidget(parent);
    list->setObjectName(QLatin1String(name));
    list->setAccessibleName(about);
    list->setToolTip(FunctionDialog::tr("Drag to put them in another order; with the keyboard: Alt+Up, Alt+Down"));
    list->setDragDropMode(QAbstractItemView::InternalMove);
    list->setDefaultDropAction(Qt::MoveAction);
    addKeys(*list);
    list->setFixedHeight(list->fontMetrics().height() * (kRowsShown + 1));
    return list;
}

void fill(QListWidget& list, const std::vector<std::string>& names)
{
    const QSignalBlocker quiet(list.model());
    const int row = list.currentRow();
    list.clear();
    for (const std::string& name : names)
        list.addItem(toQt(name));
    list.setCurrentRow(std::min(row, list.count() - 1));
}

QVBoxLayout* titled(const QString& title, QWidget* below)
{
    auto* column = new QVBoxLayout;
    auto* label = new QLabel(title);
    label->setBuddy(below);
    column->addWidget(label);
    column->addWidget(below);
    return column;
}

QString callsText(const OutlinePlan& plan, std::size_t function)
{
    QStringList scopes;
    for (std::size_t c = plan.scopes.size(); c-- > 0;) {
        if (plan.edits.calls[c].function == function)
            scopes += toQt(plan.scopes[c]);
    }
    const auto count = static_cast<std::int64_t>(scopes.size());
    const QString nodes = nodesText(static_cast<std::int64_t>(plan.functions[function].nodes));
    QString text = count == 1
        ? FunctionDialog::tr("One call, of %1: %2").arg(nodes, scopes.front())
        : FunctionDialog::tr("%1 calls of %2 each share it: %3")
              .arg(countText(count), nodes, QStringList(scopes.mid(0, kCallsShown)).join(QStringLiteral(", ")));
    if (scopes.size() > static_cast<qsizetype>(kCallsShown))
        text += QStringLiteral(", …");
    if (plan.functions.size() > 1)
        text += FunctionDialog::tr("\n%1 functions in all").arg(plan.functions.size());
    return text;
}

QString refusedText(const OutlinePlan& plan)
{
    QStringList lines;
    for (std::size_t i = 0; i < std::min(plan.refusals.size(), kRefusalsShown); ++i)
        lines += FunctionDialog::tr("Not %1: %2.").arg(toQt(plan.refusals[i].scope), toQt(plan.refusals[i].why));
    if (plan.refusals.size() > kRefusalsShown)
        lines += FunctionDialog::tr("And %1 more.").arg(plan.refusals.size() - kRefusalsShown);
    return lines.join(QLatin1Char('\n'));
}

} // namespace

FunctionDialog::FunctionDialog(std::string scope, std::vector<FunctionChoice> choices, QWidget* parent)
    : QDialog(parent)
    , m_scope(std::move(scope))
    , m_choices(std::move(choices))
    , m_choice(new QComboBox(this))
    , m_split(new QCheckBox(tr("Make &several functions of a module whose results leave it and come back"), this))
    , m_signature(textLabel(QStringLiteral("functionSignature"), this))
    , m_evidence(textLabel(QStringLiteral("functionEvidence"), this))
    , m_calls(textLabel(QStringLiteral("functionCalls"), this))
    , m_refused(textLabel(QStringLiteral("functionRefused"), this))
    , m_orders(new QWidget(this))
    , m_inputs(orderList("functionInputs", tr("What it takes, in order"), m_orders))
    , m_outputs(orderList("functionOutputs", tr("What it gives, in order"), m_orders))
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this))
{
    setObjectName(QStringLiteral("functionDialog"));
    setWindowTitle(tr("Make a function"));
    setMinimumWidth(kLeastWidth);
    m_choice->setObjectName(QStringLiteral("functionChoice"));
    m_choice->setAccessibleName(tr("Which calls become functions"));
    for (const FunctionChoice& choice : m_choices)
        m_choice->addItem(choice.text);
    m_split->setObjectName(QStringLiteral("functionSplit"));
    m_signature->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_buttons->button(QDialogButtonBox::Ok)->setText(tr("Make function"));
    m_order.scope = m_scope;

    auto* lists = new QHBoxLayout(m_orders);
    lists->setContentsMargins(0, 0, 0, 0);
    lists->addLayout(titled(tr("&Takes, in order"), m_inputs));
    lists->addLayout(titled(tr("&Gives, in order"), m_outputs));
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_choice);
    column->addWidget(m_split);
    for (QLabel* label : {m_signature, m_evidence, m_calls})
        column->addWidget(label);
    column->addWidget(m_orders);
    column->addWidget(m_refused);
    column->addStretch(1);
    column->addWidget(m_buttons);

    connect(m_choice, &QComboBox::currentIndexChanged, this, &FunctionDialog::choose);
    connect(m_split, &QCheckBox::toggled, this, &FunctionDialog::choose);
    for (QListWidget* list : {m_inputs, m_outputs})
        connect(list->model(), &QAbstractItemModel::rowsMoved, this, &FunctionDialog::takeOrder);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    setProblem({});
}

OutlineRequest FunctionDialog::request() const
{
    OutlineRequest request = m_choices[static_cast<std::size_t>(m_choice->currentIndex())].request;
    request.split = m_split->isChecked();
    if (!m_order.inputs.empty() || !m_order.outputs.empty())
        request.orders.push_back(m_order);
    return request;
}

/// Another choice makes another function.
void FunctionDialog::choose()
{
    m_order.inputs.clear();
    m_order.outputs.clear();
    Q_EMIT requestChanged();
}

void FunctionDialog::takeOrder()
{
    m_order.inputs = namesIn(*m_inputs);
    m_order.outputs = namesIn(*m_outputs);
    Q_EMIT requestChanged();
}

std::vector<std::string> FunctionDialog::namesIn(const QListWidget& list)
{
    std::vector<std::string> names;
    for (int row = 0; row < list.count(); ++row)
        names.push_back(list.item(row)->text().toStdString());
    return names;
}

void FunctionDialog::showOrders(const OutlinedFunction& function, const PlannedFunction& planned)
{
    const auto end = function.inputs.begin() + static_cast<std::ptrdiff_t>(planned.dataInputs);
    fill(*m_inputs, {function.inputs.begin(), end});
    fill(*m_outputs, function.outputs);
    m_orders->setVisible(planned.dataInputs > 1 || function.outputs.size() > 1);
}

void FunctionDialog::setPlan(const OutlinePlan& plan, std::size_t function)
{
    const bool isMade = function < plan.functions.size();
    m_refused->setText(refusedText(plan));
    m_refused->setVisible(!plan.refusals.empty());
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(isMade);
    for (QLabel* label : {m_evidence, m_calls})
        label->setVisible(isMade);
    if (!isMade) {
        m_signature->setText(tr("%1 does not become a function.").arg(toQt(m_scope)));
        m_orders->hide();
        return;
    }
    m_signature->setText(toQt(signatureText(plan.edits.functions[function], plan.functions[function])));
    const PlannedFunction& planned = plan.functions[function];
    QString evidence = tr("Order: %1.").arg(toQt(orderSentence(planned.order)));
    if (!planned.unrecorded.empty())
        evidence += tr(" Not as recorded: %1.").arg(toQt(planned.unrecorded));
    m_evidence->setText(evidence);
    m_calls->setText(callsText(plan, function));
    showOrders(plan.edits.functions[function], plan.functions[function]);
    const int wanted = layout()->totalHeightForWidth(width()); // signatures are a line or twenty
    if (wanted > height())
        resize(width(), std::min(wanted, screen()->availableSize().height()));
}

void FunctionDialog::setProblem(const QString& problem)
{
    m_signature->setText(problem);
    for (QWidget* part : std::initializer_list<QWidget*>{m_evidence, m_calls, m_refused, m_orders})
        part->hide();
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(false);
}

} // namespace duo::ui
