// SPDX-License-Identifier: Apache-2.0
#include "views/trees/scope_trees_panel.h"

#include "views/intent/rule_menu.h"
#include "views/style/format.h"

#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace duo::ui {
namespace {

constexpr int kFilterDelayMs = 120;
constexpr int kFilterStepMs = 8; // at work between two events
constexpr std::size_t kRowsLookedAt = 512; // between two glances at the clock

} // namespace

ScopeTreesPanel::ScopeTreesPanel(QWidget* parent)
    : QWidget(parent)
    , m_filter(new QLineEdit(this))
    , m_onlyDifferences(new QCheckBox(tr("Only &differences"), this))
    , m_withConstants(new QCheckBox(tr("Constant&s"), this))
    , m_marking(new QCheckBox(tr("Mar&k"), this))
    , m_execution(new ScopeTreeView(TreeKind::Execution, this))
    , m_storage(new ScopeTreeView(TreeKind::Storage, this))
    , m_splitter(new LinkSplitter(this))
    , m_summary(new QLabel(this))
    , m_markBar(new MarkBar(this))
    , m_active(m_execution)
    , m_counterparts(*m_execution, *m_storage)
{
    setObjectName(QStringLiteral("scopeTreesPanel"));
    m_filter->setObjectName(QStringLiteral("scopeFilter"));
    m_filter->setPlaceholderText(tr("Filter both trees: words, type:Conv, shape:3x3, state:ignored"));
    m_filter->setAccessibleName(tr("Filter scopes"));
    m_filter->setClearButtonEnabled(true);
    m_onlyDifferences->setObjectName(QStringLiteral("onlyDifferences"));
    m_onlyDifferences->setToolTip(tr("Show only nodes whose storage and execution scope are not the same path"));
    m_withConstants->setObjectName(QStringLiteral("withConstants"));
    m_withConstants->setToolTip(
        tr("List tensors that are no parameters below the modules: shapes, axes, limits, masks"));
    m_marking->setObjectName(QStringLiteral("markMode"));
    m_marking->setToolTip(tr("Mark modules by a click on the box before them, as PyTorch's FSDP does, or by Space"));
    m_summary->setObjectName(QStringLiteral("scopeSummary"));
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);

    auto* bar = new QHBoxLayout;
    bar->addWidget(m_filter, 1);
    bar->addWidget(m_onlyDifferences);
    bar->addWidget(m_withConstants);
    bar->addWidget(m_marking);
    m_splitter->setObjectName(QStringLiteral("scopeSplitter"));
    m_splitter->addWidget(m_execution);
    m_splitter->addWidget(m_storage);
    m_splitter->setSizes({1, 1});
    LinkGutter* gutter = m_splitter->gutter();
    gutter->setObjectName(QStringLiteral("linkGutter"));
    gutter->setContents(&m_execution->content(), &m_storage->content(), [this] { return look(); });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->addLayout(bar);
    layout->addWidget(m_splitter, 1);
    layout->addWidget(m_markBar);
    layout->addWidget(m_summary);

    m_filterDelay.setSingleShot(true);
    m_filterDelay.setInterval(kFilterDelayMs);
    connect(m_filter, &QLineEdit::textChanged, &m_filterDelay, qOverload<>(&QTimer::start));
    connect(&m_filterDelay, &QTimer::timeout, this, &ScopeTreesPanel::applyFilter);
    m_filterStep.setSingleShot(true);
    m_filterStep.setInterval(0);
    connect(&m_filterStep, &QTimer::timeout, this, &ScopeTreesPanel::filterOn);
    connect(m_onlyDifferences, &QCheckBox::toggled, this, &ScopeTreesPanel::applyFilter);
    connect(m_withConstants, &QCheckBox::toggled, this, [this](bool with) {
        m_storage->setWithConstants(with);
        m_storage->keepSelection(m_selection);
    });
    connect(m_marking, &QCheckBox::clicked, this, [this] { Q_EMIT marksIntended({MarkIntent::Verb::Begin}); });
    connect(m_markBar, &MarkBar::intended, this, &ScopeTreesPanel::marksIntended);
    for (ScopeTreeView* view : {m_execution, m_storage}) {
        connect(view, &ScopeTreeView::selected, this, [this, view](const Selection& s) { select(s, view); });
        connect(view, &ScopeTreeView::menuRequested, this, &ScopeTreesPanel::showMenu);
        connect(view, &ScopeTreeView::stateClicked, this, &ScopeTreesPanel::toggleIgnored);
        connect(view, &ScopeTreeView::moduleClicked, this, &ScopeTreesPanel::toggleModule);
        connect(view, &ScopeTreeView::sightChanged, gutter, qOverload<>(&QWidget::update));
    }
    connect(gutter, &LinkGutter::selected, this, [this](const Selection& selection) {
        setSelection(selection);
        Q_EMIT selected(selection);
    });
    describe();
}

void ScopeTreesPanel::setSnapshot(std::shared_ptr<const Snapshot> snapshot)
{
    const bool isOtherModel = !m_snapshot || !snapshot || snapshot->scopes != m_snapshot->scopes;
    const bool endsFilter = isOtherModel && m_snapshot && (!snapshot || snapshot->model != m_snapshot->model);
    m_snapshot = std::move(snapshot);
    if (isOtherModel)
        m_selection = {};
    m_execution->setSnapshot(m_snapshot, m_ahead->take(TreeKind::Execution, m_snapshot));
    m_storage->setSnapshot(m_snapshot, m_ahead->take(TreeKind::Storage, m_snapshot));
    if (endsFilter)
        clearFilter();
    if (isOtherModel) {
        m_counterparts.forget();
        joinRows();
    }
    if (m_execution->isFilterChanging() || m_storage->isFilterChanging()) // nodes have another state
        m_filterStep.start();
    describe();
}

void ScopeTreesPanel::setTypes(const std::shared_ptr<const ValueTypes>& types)
{
    m_execution->setTypes(types);
    m_storage->setTypes(types);
    if (m_execution->isFilterChanging() || m_storage->isFilterChanging())
        m_filterStep.start();
}

void ScopeTreesPanel::joinRows()
{
    const auto isShown = [this](TreeKind kind, std::size_t row) { return tree(kind)->isShown(row); };
    m_splitter->gutter()->setLinks(isShown);
    m_splitter->gutter()->setSelection(m_selection.nodes);
}

LinkGutter::Sight ScopeTreesPanel::look() const
{
    const LinkGutter& gutter = *m_splitter->gutter();
    const auto areaOf = [&](const ScopeTreeView& view) {
        const QPoint corner = gutter.mapFromGlobal(view.viewport()->mapToGlobal(QPoint()));
        return QRect(0, corner.y(), gutter.width(), view.viewport()->height());
    };
    return {areaOf(*m_execution).united(areaOf(*m_storage)), m_execution->rowsInSight(gutter),
        m_storage->rowsInSight(gutter)};
}

QString ScopeTreesPanel::goToCounterpart(bool isForward)
{
    for (ScopeTreeView* view : {m_execution, m_storage}) {
        if (view->hasFocus())
            m_active = view;
    }
    return m_counterparts.step(*m_active, isForward);
}

void ScopeTreesPanel::setSelection(const Selection& selection)
{
    if (selection == m_selection)
        return;
    m_selection = selection;
    m_execution->showSelection(selection);
    m_storage->showSelection(selection);
    m_splitter->gutter()->setSelection(selection.nodes);
    describe();
}

void ScopeTreesPanel::select(const Selection& selection, ScopeTreeView* from)
{
    m_selection = selection;
    m_active = from;
    (from == m_execution ? m_storage : m_execution)->showSelection(selection);
    m_splitter->gutter()->setSelection(selection.nodes);
    describe();
    Q_EMIT selected(selection);
}

void ScopeTreesPanel::setPreview(const std::vector<NodeId>& nodes)
{
    for (ScopeTreeView* view : {m_execution, m_storage})
        view->setPreview(nodes);
}

void ScopeTreesPanel::setFound(const FoundMarks* marks)
{
    for (ScopeTreeView* view : {m_execution, m_storage})
        view->setFound(marks);
}

void ScopeTreesPanel::setOverlay(const std::shared_ptr<const ShownOverlay>& overlay)
{
    for (ScopeTreeView* view : {m_execution, m_storage})
        view->setOverlay(overlay);
}

void ScopeTreesPanel::setMarks(const std::shared_ptr<const ShownMarks>& marks)
{
    m_marks = marks;
    m_marking->setChecked(marks && marks->isMarking);
    m_markBar->setMarks(marks ? *marks : ShownMarks());
    for (ScopeTreeView* view : {m_execution, m_storage})
        view->setMarks(marks);
}

void ScopeTreesPanel::toggleModule(std::uint32_t module)
{
    Q_EMIT marksIntended({MarkIntent::Verb::Toggle, module});
}

/// About the module of the row used last.
void ScopeTreesPanel::addMarkEntries(QMenu& menu)
{
    const auto row = m_active->currentRow();
    const std::uint32_t module = row ? m_active->moduleAt(*row) : ModuleTree::kNone;
    if (module == ModuleTree::kNone)
        return;
    menu.addSeparator();
    addModuleActions(
        menu, *m_marks->modules, module, [this](const MarkIntent& intent) { Q_EMIT marksIntended(intent); });
}

void ScopeTreesPanel::toggleIgnored(const Selection& selection)
{
    if (m_snapshot && m_snapshot->scopes)
        Q_EMIT rulesIntended(
            {RuleIntent::Verb::Ignore, ui::subjectsOf(selection, *m_snapshot->model, *m_snapshot->scopes)});
}

void ScopeTreesPanel::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void ScopeTreesPanel::applyFilter()
{
    for (ScopeTreeView* view : {m_execution, m_storage})
        m_filterProblem = view->beginFilter(m_filter->text(), m_onlyDifferences->isChecked());
    filterOn();
}

/// As much as may be done between two events; more than one tree of a large model at once is too much.
void ScopeTreesPanel::filterOn()
{
    QElapsedTimer clock;
    clock.start();
    const auto mayGoOn = [&] {
        const bool isLate = clock.elapsed() >= kFilterStepMs;
        if (isLate)
            m_filterStep.start();
        return !isLate;
    };
    for (ScopeTreeView* view : {m_execution, m_storage}) {
        while (!view->lookOn(kRowsLookedAt)) {
            if (!mayGoOn())
                return;
        }
    }
    for (ScopeTreeView* view : {m_execution, m_storage}) {
        while (view->isFilterChanging()) {
            view->endFilterStep();
            if (!view->isFilterChanging())
                view->keepSelection(m_selection);
            if (!mayGoOn())
                return;
        }
    }
    joinRows();
    describe();
}

/// At once: the rows of another model are being shown.
void ScopeTreesPanel::clearFilter()
{
    const QSignalBlocker box(m_onlyDifferences);
    m_filter->clear(); // its button goes as it tells of that
    m_onlyDifferences->setChecked(false);
    m_filterDelay.stop();
    m_filterStep.stop();
    m_filterProblem.clear();
    for (ScopeTreeView* view : {m_execution, m_storage}) {
        view->beginFilter({}, false);
        view->endFilter();
        view->keepSelection(m_selection);
    }
}

void ScopeTreesPanel::showMenu(const Selection& selection, const QPoint& globalPos)
{
    if (!m_snapshot || !m_snapshot->scopes)
        return;
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("scopeMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addRuleActions(*menu, selection, *m_snapshot->model, *m_snapshot->scopes,
        [this](const RuleIntent& intent) { Q_EMIT rulesIntended(intent); });
    addMarkEntries(*menu);
    menu->popup(globalPos);
}

void ScopeTreesPanel::describe()
{
    if (!m_snapshot || !m_snapshot->scopes) {
        m_summary->clear();
        return;
    }
    if (!m_filterProblem.isEmpty()) {
        m_summary->setText(m_filterProblem);
        return;
    }
    const auto isEmpty = [](const ScopeTreeView* view) { return view->model()->rowCount() == 0; };
    if (isEmpty(m_execution) && isEmpty(m_storage)) {
        m_summary->setText(tr("Nothing matches the filter."));
        return;
    }
    const auto& facts = m_snapshot->scopes->nodes;
    const auto count = [&](auto predicate) {
        return std::count_if(m_selection.nodes.begin(), m_selection.nodes.end(),
            [&](NodeId node) { return predicate(facts[node.index]); });
    };
    if (m_selection.nodes.empty()) {
        const auto differing
            = std::count_if(facts.begin(), facts.end(), [](const NodeScope& scope) { return scope.differs; });
        m_summary->setText(tr("%1, %2 of them run and live in different scopes")
                               .arg(nodesText(static_cast<std::int64_t>(facts.size())), countText(differing)));
        return;
    }
    const auto without = count([](const NodeScope& scope) { return scope.storage.empty(); });
    const auto differing = count([](const NodeScope& scope) { return scope.differs; });
    QString text = tr("Selected: %1").arg(nodesText(static_cast<std::int64_t>(m_selection.nodes.size())));
    if (without > 0)
        text += tr(", %1 without parameters").arg(countText(without));
    if (differing > 0)
        text += tr(", %1 differ in scope").arg(countText(differing));
    m_summary->setText(text);
}

} // namespace duo::ui
