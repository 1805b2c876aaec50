// SPDX-License-Identifier: Apache-2.0
#include "views/rules/rules_view.h"

#include "core/rules/suggestions.h"
#include "views/rules/rule_delegate.h"
#include "views/style/format.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace duo::ui {
namespace {

constexpr int kFindingsShown = 4;
constexpr int kFindingsLines = 6; // that a higher view is asked for
constexpr int kTypingDelayMs = 120;
constexpr int kMargin = 6; // px
constexpr int kNarrow = 120; // letters; in less width comments leave room for values
constexpr int kCommentLetters = 22;
constexpr std::size_t kSuggestionsShown = 3; // of a rule; the menu has all

} // namespace

RulesView::RulesView(QWidget* parent)
    : QWidget(parent)
    , m_model(new RulesModel(this))
    , m_table(new QTableView(this))
    , m_findings(new QLabel(this))
    , m_findingsArea(new QScrollArea(this))
    , m_parts(new QGridLayout(this))
    , m_add(new QPushButton(tr("&Add rule"), this))
    , m_remove(new QPushButton(tr("Re&move"), this))
{
    setObjectName(QStringLiteral("rulesView"));
    setAcceptDrops(true);
    makeTable();
    m_findings->setObjectName(QStringLiteral("ruleFindings"));
    m_findings->setWordWrap(true);
    m_findings->setTextFormat(Qt::RichText);
    m_findings->setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::TextSelectableByKeyboard);
    m_findings->setAlignment(Qt::AlignTop);
    m_findingsArea->setObjectName(QStringLiteral("ruleFindingsArea"));
    m_findingsArea->setFrameShape(QFrame::NoFrame);
    m_findingsArea->setWidgetResizable(true);
    m_findingsArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_findingsArea->setFocusPolicy(Qt::NoFocus); // the text in it has it
    m_findingsArea->setWidget(m_findings);
    m_add->setObjectName(QStringLiteral("addRule"));
    m_remove->setObjectName(QStringLiteral("removeRule"));

    auto* buttons = new QVBoxLayout;
    buttons->addWidget(m_add);
    buttons->addWidget(m_remove);
    buttons->addStretch(1);
    m_parts->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    m_parts->addWidget(m_table, 0, 0);
    m_parts->addLayout(buttons, 0, 1);
    m_parts->addWidget(m_findingsArea, 1, 0, 1, 2);
    m_parts->setRowStretch(0, 1);
    m_parts->setColumnStretch(0, 1);

    m_typing.setSingleShot(true);
    m_typing.setInterval(kTypingDelayMs);
    connect(&m_typing, &QTimer::timeout, this, &RulesView::showTyped);
    connect(m_add, &QPushButton::clicked, this, &RulesView::addRule);
    connect(m_remove, &QPushButton::clicked, this, &RulesView::removeSelected);
    connect(m_findings, &QLabel::linkActivated, this, &RulesView::useSuggestion);
    connect(m_model, &RulesModel::editRequested, this, &RulesView::requestEdit);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RulesView::reportSelection);
    describe();
}

void RulesView::makeTable()
{
    m_model->setTheme(themeFor(palette()));
    m_table->setObjectName(QStringLiteral("rulesTable"));
    m_table->setAccessibleName(tr("Rules"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_table->setAlternatingRowColors(true);
    m_table->setTabKeyNavigation(false);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setWordWrap(false);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->installEventFilter(this);
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    m_table->setMinimumHeight(m_table->horizontalHeader()->sizeHint().height()
        + m_table->verticalHeader()->defaultSectionSize() + 2 * m_table->frameWidth()); // the rest is for findings
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    m_table->horizontalHeader()->setSectionResizeMode(RulesModel::ValueColumn, QHeaderView::Stretch);
    const int letter = fontMetrics().horizontalAdvance(QLatin1Char('n'));
    for (const auto& [column, letters] :
        {std::pair(RulesModel::ActionColumn, 18), {RulesModel::KindColumn, 17}, {RulesModel::MatchesColumn, 10},
            {RulesModel::EffectiveColumn, 10}, {RulesModel::CommentColumn, kCommentLetters}})
        m_table->setColumnWidth(column, letter * letters);
    auto* delegate = new RuleDelegate(m_table);
    m_table->setItemDelegate(delegate);
    connect(delegate, &RuleDelegate::typed, this, [this](int row, const QString& value) {
        m_typedRow = row;
        m_typed = value;
        m_typing.start();
    });
    // Queued: the table is still busy with its editor.
    connect(delegate, &RuleDelegate::closeEditor, this, &RulesView::endTyping, Qt::QueuedConnection);
    connect(m_table, &QTableView::customContextMenuRequested, this, &RulesView::showMenu);
}

void RulesView::setRules(const RuleSet& rules)
{
    m_model->setRules(rules);
    describe();
    if (std::exchange(m_editsNewRule, false) && m_model->rowCount() > 0) {
        const QModelIndex value = m_model->index(m_model->rowCount() - 1, RulesModel::ValueColumn);
        m_table->setCurrentIndex(value);
        m_table->edit(value);
    }
}

void RulesView::setSnapshot(const std::shared_ptr<const Snapshot>& snapshot)
{
    m_snapshot = snapshot;
    m_model->setSnapshot(snapshot);
    setEnabled(snapshot != nullptr);
    describe();
}

void RulesView::selectRule(int row)
{
    m_table->selectRow(row);
    m_table->scrollTo(m_model->index(row, 0));
}

void RulesView::showRule(int row)
{
    const QScopedValueRollback guard(m_isShowing, true);
    selectRule(row);
}

std::vector<int> RulesView::selectedRows() const
{
    std::vector<int> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        rows.push_back(index.row());
    std::sort(rows.begin(), rows.end());
    return rows;
}

void RulesView::requestEdit(RuleSet rules, const QString& text)
{
    if (m_newRow < 0 || m_newRow >= static_cast<int>(rules.rules.size())) {
        Q_EMIT editRequested(rules, text, {});
        return;
    }
    // A rule without a value would catch everything, so it begins disabled.
    Rule& rule = rules.rules[static_cast<std::size_t>(m_newRow)];
    rule.enabled = rule.enabled || !rule.value.empty();
    Q_EMIT editRequested(rules, tr("Add rule %1").arg(m_newRow + 1), tr("new %1").arg(m_newRules));
}

void RulesView::addRule()
{
    RuleSet rules = m_model->rules();
    Rule rule;
    rule.kind = RuleKind::Pattern;
    rule.enabled = false;
    rules.rules.push_back(std::move(rule));
    m_newRow = m_model->rowCount();
    ++m_newRules;
    m_editsNewRule = true;
    requestEdit(std::move(rules), {});
}

void RulesView::showTyped()
{
    if (!m_snapshot || !m_snapshot->scopes || m_typedRow >= m_model->rowCount())
        return;
    RuleSet only;
    only.rules.push_back(m_model->rules().rules[static_cast<std::size_t>(m_typedRow)]);
    Rule& rule = only.rules.front();
    rule.value = toStd(m_typed.trimmed());
    rule.enabled = true;
    const RuleHit hit = matchRules(*m_snapshot->model, *m_snapshot->scopes, only).hits.front();
    QString text = hit.problem.empty()
        ? tr("Would catch %1").arg(nodesText(static_cast<std::int64_t>(hit.nodes.size()))).toHtmlEscaped()
        : QStringLiteral("<span style='color:%1'>%2</span>")
              .arg(themeFor(palette()).bad.ink.name(), toQt(hit.problem).toHtmlEscaped());
    for (const Suggestion& suggestion : hit.suggestions)
        text += QStringLiteral(" · ") + toQt(suggestion.text).toHtmlEscaped();
    showFindings(text);
    Q_EMIT previewed(hit.nodes);
}

void RulesView::endTyping()
{
    m_typing.stop();
    const int added = m_newRow;
    if (added >= 0 && added < m_model->rowCount()
        && m_model->rules().rules[static_cast<std::size_t>(added)].value.empty()) {
        RuleSet rules = m_model->rules();
        rules.rules.erase(rules.rules.begin() + added);
        Q_EMIT editRequested(rules, tr("Add rule %1").arg(added + 1), tr("new %1").arg(m_newRules));
    }
    m_newRow = -1;
    describe();
    Q_EMIT previewed({});
}

void RulesView::removeSelected()
{
    const std::vector<int> rows = selectedRows();
    if (rows.empty())
        return;
    RuleSet rules = m_model->rules();
    for (auto row = rows.rbegin(); row != rows.rend(); ++row)
        rules.rules.erase(rules.rules.begin() + *row);
    requestEdit(
        rules, rows.size() == 1 ? tr("Remove rule %1").arg(rows.front() + 1) : tr("Remove %1 rules").arg(rows.size()));
}

void RulesView::reportSelection()
{
    m_remove->setEnabled(m_table->selectionModel()->hasSelection());
    std::vector<NodeId> nodes;
    for (const int row : selectedRows()) {
        const auto caught = m_model->nodesOf(row);
        nodes.insert(nodes.end(), caught.begin(), caught.end());
    }
    if (!nodes.empty() && !m_isShowing)
        Q_EMIT selected(selectNodes(std::move(nodes)));
}

QString RulesView::findingsText() const
{
    QStringList lines;
    int hidden = 0;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QString finding = m_model->findingOf(row);
        if (finding.isEmpty())
            continue;
        if (lines.size() >= kFindingsShown) {
            ++hidden;
            continue;
        }
        QString line = tr("Rule %1 %2").arg(row + 1).arg(finding.toHtmlEscaped());
        const RuleEffect* effect = m_model->effectOf(row);
        if (effect && effect->shadowedBy != RuleHits::kNoRule)
            line += QStringLiteral(" · <a href=\"show:%1\">%2</a> · <a href=\"remove:%3\">%4</a>")
                        .arg(QString::number(effect->shadowedBy), tr("show rule %1").arg(effect->shadowedBy + 1),
                            QString::number(row), tr("remove it"));
        const auto& suggestions = m_model->suggestionsOf(row);
        for (std::size_t i = 0; i < std::min(kSuggestionsShown, suggestions.size()); ++i)
            line += QStringLiteral(" · %1 <a href=\"%2:%3\">%4</a>")
                        .arg(toQt(suggestions[i].text).toHtmlEscaped())
                        .arg(row)
                        .arg(i)
                        .arg(tr("use it"));
        if (suggestions.size() > kSuggestionsShown)
            line += QStringLiteral(" · ") + tr("%1 more in its menu").arg(suggestions.size() - kSuggestionsShown);
        lines += line;
    }
    if (hidden > 0)
        lines += tr("… and %1 more").arg(hidden);
    return lines.join(QStringLiteral("<br>"));
}

void RulesView::placeParts()
{
    const bool isEmpty = m_model->rowCount() == 0;
    updateGeometry();
    if (m_table->isHidden() == isEmpty)
        return;
    m_table->setHidden(isEmpty);
    m_remove->setHidden(isEmpty);
    m_parts->removeWidget(m_findingsArea);
    if (isEmpty)
        m_parts->addWidget(m_findingsArea, 0, 0, Qt::AlignTop);
    else
        m_parts->addWidget(m_findingsArea, 1, 0, 1, 2);
}

QSize RulesView::sizeHint() const
{
    const int rows = m_model->rowCount();
    const QMargins around = m_parts->contentsMargins();
    const int line = fontMetrics().lineSpacing();
    const int room = std::max(width(), kNarrow) - around.left() - around.right();
    const int besides = rows == 0 ? m_add->sizeHint().width() + m_parts->spacing() : 0;
    const int said = m_findings->text().isEmpty()
        ? 0
        : std::min(m_findings->heightForWidth(room - besides), kFindingsLines * line) + 2;
    int height = rows == 0 ? std::max(said, m_add->sizeHint().height())
                           : m_table->horizontalHeader()->sizeHint().height()
            + rows * m_table->verticalHeader()->defaultSectionSize() + 2 * m_table->frameWidth();
    if (rows > 0) {
        height = std::max(height, m_add->sizeHint().height() + m_remove->sizeHint().height() + m_parts->spacing());
        height += said > 0 ? said + m_parts->spacing() : 0;
    }
    return {QWidget::sizeHint().width(), height + around.top() + around.bottom()};
}

void RulesView::describe()
{
    placeParts();
    m_remove->setEnabled(m_table->selectionModel()->hasSelection());
    if (m_model->rowCount() == 0) {
        showFindings(isEnabled() ? tr("No rules: everything that can be quantized is. Select a scope or a node in "
                                      "a tree or the graph and press I to ignore it, T to target it.")
                                 : QString());
    } else {
        showFindings(findingsText());
    }
}

void RulesView::showFindings(const QString& html)
{
    m_findings->setText(html);
    m_findingsArea->setVisible(!html.isEmpty());
    fitFindings();
    updateGeometry();
}

void RulesView::fitFindings()
{
    const int line = fontMetrics().lineSpacing();
    const int wanted = m_findings->heightForWidth(width() - contentsMargins().left() - 2 * kMargin);
    m_findingsArea->setMinimumHeight(line + 2); // a small window must not grow for it
    m_findingsArea->setMaximumHeight(std::clamp(wanted, line, std::max(2 * line, height() * 2 / 5)) + 2);
}

void RulesView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitFindings();
    const int letter = fontMetrics().horizontalAdvance(QLatin1Char('n'));
    if (const bool isNarrow = width() < kNarrow * letter; std::exchange(m_isNarrow, isNarrow) != isNarrow)
        m_table->setColumnWidth(RulesModel::CommentColumn, letter * (isNarrow ? 10 : kCommentLetters));
}

void RulesView::useSuggestion(const QString& link)
{
    const QStringList parts = link.split(QLatin1Char(':'));
    if (parts.front() == QLatin1String("show") || parts.front() == QLatin1String("remove")) {
        selectRule(parts.value(1).toInt());
        if (parts.front() == QLatin1String("remove"))
            removeSelected();
        return;
    }
    const int row = parts.value(0).toInt();
    const auto& suggestions = m_model->suggestionsOf(row);
    const auto which = static_cast<std::size_t>(parts.value(1).toInt());
    if (row >= m_model->rowCount() || which >= suggestions.size())
        return;
    RuleSet rules = m_model->rules();
    Rule& rule = rules.rules[static_cast<std::size_t>(row)];
    rule = withSuggestion(rule, suggestions[which]);
    requestEdit(rules, tr("Use the suggestion for rule %1").arg(row + 1));
}

void RulesView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        m_model->setTheme(themeFor(palette()));
    QWidget::changeEvent(event);
}

} // namespace duo::ui
