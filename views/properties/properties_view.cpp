// SPDX-License-Identifier: Apache-2.0
#include "views/properties/properties_view.h"

#include "core/scope/producers/producers.h"
#include "views/properties/properties_link.h"
#include "views/properties/properties_text.h"

#include <QEvent>
#include <QMimeData>
#include <QScrollBar>
#include <QTextDocumentFragment>

#include <utility>

namespace duo::ui {

PropertiesView::PropertiesView(QWidget* parent)
    : QTextBrowser(parent)
{
    setObjectName(QStringLiteral("properties"));
    setAccessibleName(tr("Properties of the selection"));
    setOpenLinks(false);
    setAcceptDrops(false);
    setTextInteractionFlags(Qt::TextBrowserInteraction);
    document()->setDocumentMargin(8);
    for (QTimer* timer : {&m_askingProducer, &m_refreshing}) {
        timer->setSingleShot(true);
        timer->setInterval(0);
    }
    connect(&m_askingProducer, &QTimer::timeout, this, &PropertiesView::askProducer);
    connect(&m_refreshing, &QTimer::timeout, this, &PropertiesView::refresh);
    connect(this, &QTextBrowser::anchorClicked, this, &PropertiesView::follow);
}

void PropertiesView::setSnapshot(std::shared_ptr<const Snapshot> snapshot)
{
    if (!snapshot || !m_snapshot || snapshot->scopes != m_snapshot->scopes)
        m_selection = {}; // its scope may be another one now
    if (snapshot && (!m_snapshot || snapshot->model != m_snapshot->model)) {
        m_producer.reset();
        m_inFile.reset();
        m_askingProducer.start();
    }
    m_snapshot = std::move(snapshot);
    refreshSoon();
}

/// A pass over all names, so not in the same event as what all panes do with another model.
void PropertiesView::askProducer()
{
    if (!m_snapshot)
        return;
    m_producer = producerNote(*m_snapshot->model);
    if (holdsCodes(*m_snapshot->model))
        m_inFile.emplace(*m_snapshot->model);
    if (m_producer || m_inFile)
        refreshSoon();
}

void PropertiesView::setTypes(std::shared_ptr<const ValueTypes> types)
{
    if (std::exchange(m_types, std::move(types)) != m_types)
        refreshSoon();
}

void PropertiesView::setSelection(const Selection& selection)
{
    m_selection = selection;
    m_isOther = true;
    refreshSoon();
}

void PropertiesView::setRuns(std::shared_ptr<const RunsOfNodes> runs)
{
    if (std::exchange(m_runs, std::move(runs)) != m_runs)
        refreshSoon();
}

void PropertiesView::setRun(std::shared_ptr<const RunGraph> run)
{
    if (std::exchange(m_run, std::move(run)) != m_run)
        refreshSoon();
}

void PropertiesView::follow(const QUrl& link)
{
    if (!m_snapshot || !m_snapshot->scopes)
        return;
    if (const auto rule = numberOf(link, "rule"))
        Q_EMIT ruleRequested(static_cast<int>(*rule));
    else if (const auto taken = numberOf(link, "takeout"); taken && *taken < m_snapshot->model->nodes.size())
        Q_EMIT rulesIntended({RuleIntent::Verb::Clear, {{RuleKind::Name, m_snapshot->model->nodes[*taken].name}}});
    else if (const auto target = numberOf(link, "target"); target && *target < m_snapshot->model->nodes.size())
        Q_EMIT rulesIntended(
            {RuleIntent::Verb::Target, {{RuleKind::Name, m_snapshot->model->nodes[*target].name}}, false});
    else if (const auto kernel = numberOf(link, "kernel"); kernel && m_run && *kernel < m_run->origins.size())
        Q_EMIT selected(selectNodes(m_run->origins[*kernel]));
    else if (const auto group = followDecision(link, m_decisions.groups()))
        Q_EMIT selected(*group);
    else if (const auto selection = followLink(link, *m_snapshot->scopes, m_selection))
        Q_EMIT selected(*selection);
}

QMimeData* PropertiesView::createMimeDataFromSelection() const
{
    // What is copied is pasted as a name somewhere, so without the places where a line may break.
    auto* copied = new QMimeData;
    copied->setText(textCursor().selection().toPlainText().remove(QChar(0x200b)));
    return copied;
}

/// In an event of its own, and once for all that changes in one: of a scope of 50,000 nodes it takes a while.
void PropertiesView::refreshSoon()
{
    m_refreshing.start();
}

void PropertiesView::refresh()
{
    if (m_snapshot && !m_decisions.find(m_snapshot, m_selection.nodes))
        return refreshSoon(); // what was written stays until then
    if (m_snapshot)
        setHtml(propertiesHtml(*m_snapshot, m_selection, themeFor(palette()),
            {m_types.get(), m_runs.get(), m_run.get(), m_inFile ? &*m_inFile : nullptr, m_decisions.groups(),
                m_producer ? &*m_producer : nullptr}));
    else
        clear();
    if (std::exchange(m_isOther, false))
        verticalScrollBar()->setValue(0);
}

void PropertiesView::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refreshSoon();
}

} // namespace duo::ui
