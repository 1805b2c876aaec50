// SPDX-License-Identifier: Apache-2.0
#include "views/results/setup_dialog.h"

#include "views/style/format.h"
#include "views/style/scope_text.h"
#include "views/style/text_label.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QScrollBar>
#include <QSplitter>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <vector>

namespace duo::ui {
namespace {

constexpr int kNodeRole = Qt::UserRole; // a node's name; "": it is about none
constexpr int kMostValueWidth = 230; // px, of what one says; the names get the rest
constexpr int kPadding = 16; // px, around a text in its cell
constexpr std::array kShownColumns{1, 2}; // of the first and of the second pane, beside the names

QString tr(const char* text)
{
    return SetupDialog::tr(text);
}

QString orNone(const std::string& text)
{
    return text.empty() ? QStringLiteral("–") : toQt(text);
}

/// What differs, by what it is about; quantizers by scope. A row's columns: its name, the first, the second.
class DifferenceTree
{
public:
    DifferenceTree(const ComparedSetups& of, const SetupDifference& difference, QStandardItemModel& model)
        : m_model(model)
    {
        addTexts(tr("Results"), of.results);
        addRules(difference);
        addTexts(tr("Settings"), difference.settings);
        addQuantizers(difference.quantizers);
        addTexts(tr("Corrections"), difference.corrections);
        addTexts(tr("Not recovered, by constants"), difference.notRecovered);
        addTexts(tr("Made with"), difference.facts);
    }

    [[nodiscard]] const QString& longest(std::size_t pane) const { return m_longest[pane]; }

private:
    /// A row below `parent`; a title says nothing of the two.
    QStandardItem* add(
        QStandardItem* parent, const QString& name, const QString& first = {}, const QString& second = {})
    {
        for (const auto& [longest, value] : {std::tie(m_longest[0], first), std::tie(m_longest[1], second)})
            longest = value.size() > longest.size() ? value : longest;
        QList<QStandardItem*> row;
        for (const QString& text : {name, first, second}) {
            row.push_back(new QStandardItem(text));
            row.back()->setToolTip(text);
            row.back()->setEditable(false);
        }
        parent->appendRow(row);
        return row.front();
    }

    QStandardItem* addTitle(QStandardItem* parent, const QString& name, std::size_t count)
    {
        return add(parent, tr("%1 (%2)").arg(name, countText(static_cast<std::int64_t>(count))));
    }

    void addTexts(const QString& title, const std::vector<TextDifference>& differences)
    {
        if (differences.empty())
            return;
        QStandardItem* group = addTitle(m_model.invisibleRootItem(), title, differences.size());
        for (const TextDifference& one : differences)
            add(group, toQt(one.name), orNone(one.first), orNone(one.second));
    }

    void addRules(const SetupDifference& difference)
    {
        const std::size_t count = difference.rulesOnlyFirst.size() + difference.rulesOnlySecond.size();
        if (count == 0 && !difference.areRulesReordered)
            return;
        const QString none = QStringLiteral("–");
        QStandardItem* group = addTitle(m_model.invisibleRootItem(), tr("Rules"), count);
        for (const std::string& rule : difference.rulesOnlyFirst)
            add(group, toQt(rule), tr("yes"), none);
        for (const std::string& rule : difference.rulesOnlySecond)
            add(group, toQt(rule), none, tr("yes"));
        if (difference.areRulesReordered)
            add(group, tr("the same in another order"));
    }

    void addQuantizers(const std::vector<QuantizerDifference>& quantizers)
    {
        if (quantizers.empty())
            return;
        std::map<std::string, std::vector<const QuantizerDifference*>> byScope;
        for (const QuantizerDifference& one : quantizers)
            byScope[one.scope].push_back(&one);
        QStandardItem* group = addTitle(m_model.invisibleRootItem(), tr("Quantizers"), quantizers.size());
        for (const auto& [scope, ofScope] : byScope) {
            QStandardItem* title = addTitle(group, scopeLabel(scope), ofScope.size());
            for (const QuantizerDifference* one : ofScope)
                add(title, toQt(one->place), orNone(one->first), orNone(one->second))
                    ->setData(toQt(one->node), kNodeRole);
        }
    }

    QStandardItemModel& m_model;
    std::array<QString, kShownColumns.size()> m_longest; // of what each says
};

/// Each opens, closes and scrolls as the other does.
void link(QTreeView& first, QTreeView& second)
{
    const auto follow = [](QTreeView& from, QTreeView& to) {
        QObject::connect(&from, &QTreeView::expanded, &to, &QTreeView::expand);
        QObject::connect(&from, &QTreeView::collapsed, &to, &QTreeView::collapse);
        QObject::connect(
            from.verticalScrollBar(), &QScrollBar::valueChanged, to.verticalScrollBar(), &QScrollBar::setValue);
    };
    follow(first, second);
    follow(second, first);
}

QString summary(const QString& subject, const SetupDifference& difference)
{
    const auto quantizers = difference.quantizers.size() + difference.same;
    const QString said = difference.isSame() ? tr("The setup of %1 is the same.").arg(subject)
                                             : tr("The setup of %1 is another one.").arg(subject);
    if (quantizers == 0)
        return said;
    if (difference.quantizers.empty())
        return said + QLatin1Char(' ') + tr("All of its %1 quantizers are equal.").arg(quantizers);
    return said + QLatin1Char(' ')
        + tr("%1 of %2 quantizers differ; select one to see where it stands.")
              .arg(difference.quantizers.size())
              .arg(quantizers);
}

} // namespace

SetupDialog::SetupDialog(const ComparedSetups& of, const SetupDifference& difference, QWidget* parent)
    : QDialog(parent)
    , m_model(new QStandardItemModel(0, 1 + static_cast<int>(kShownColumns.size()), this))
{
    setObjectName(QStringLiteral("setupDialog"));
    setWindowTitle(tr("Compare setups"));
    const DifferenceTree tree(of, difference, *m_model);
    auto* panes = new QSplitter;
    panes->setObjectName(QStringLiteral("panes"));
    panes->setChildrenCollapsible(false);
    QTreeView* first = addPane(*panes, QStringLiteral("firstSetup"), of.first, kShownColumns[0], tree.longest(0));
    QTreeView* second = addPane(*panes, QStringLiteral("secondSetup"), of.second, kShownColumns[1], tree.longest(1));
    second->setSelectionModel(first->selectionModel());
    link(*first, *second);
    connect(first->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        const QString node = index.siblingAtColumn(0).data(kNodeRole).toString();
        if (!node.isEmpty())
            Q_EMIT nodeChosen(node);
    });
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(textLabel(QStringLiteral("summary"), this, summary(of.subject, difference)));
    layout->addWidget(panes, 1);
    layout->addWidget(buttons);
    const bool hasRows = m_model->rowCount() > 0;
    panes->setVisible(hasRows);
    if (hasRows)
        resize(1100, 560);
}

QTreeView* SetupDialog::addPane(
    QSplitter& panes, const QString& name, const QString& title, int column, const QString& widest)
{
    auto* pane = new QWidget;
    auto* view = new QTreeView;
    view->setObjectName(name);
    view->setModel(m_model);
    view->setUniformRowHeights(true);
    view->setAccessibleName(title);
    view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel); // so that equal values are equal places
    view->setHeaderHidden(true);
    view->setTextElideMode(Qt::ElideMiddle); // names differ at their ends
    for (const int other : kShownColumns)
        view->setColumnHidden(other, other != column);
    view->header()->setStretchLastSection(false);
    view->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    view->header()->setSectionResizeMode(column, QHeaderView::Interactive);
    view->expandAll();
    view->header()->resizeSection(
        column, std::min(view->fontMetrics().horizontalAdvance(widest) + kPadding, kMostValueWidth));
    auto* layout = new QVBoxLayout(pane);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(textLabel(name + QStringLiteral("Title"), pane, title));
    layout->addWidget(view, 1);
    panes.addWidget(pane);
    return view;
}

} // namespace duo::ui
