// SPDX-License-Identifier: Apache-2.0
#include "app/gui/graph_forms.h"

#include "core/onnx/absent_data.h"
#include "views/style/format.h"

#include <algorithm>
#include <utility>

namespace duo::app {
namespace {

constexpr std::size_t kManyNodes = 10'000; // the engine opens twice as many in four times the time: 40 s and more

} // namespace

std::shared_ptr<const Model> modelOfFile(const Snapshot& snapshot)
{
    return snapshot.opened ? snapshot.opened->model : snapshot.model;
}

GraphForms::GraphForms(
    Session& session, ui::Board& board, GraphCenter& graph, std::array<QAction*, kGraphForms> actions)
    : m_session(session)
    , m_board(board)
    , m_graph(graph)
    , m_actions(actions)
{
    for (std::size_t form = 0; form < kGraphForms; ++form) {
        m_tips[form] = actions[form]->toolTip();
        connect(actions[form], &QAction::triggered, this, [this, form] { choose(static_cast<GraphForm>(form)); });
    }
    graph.view()->strip()->setActions({actions.begin(), actions.end()});
    connect(&session, &Session::snapshotChanged, this, &GraphForms::refresh);
    connect(&session, &Session::rulesChanged, this, &GraphForms::describe);
    connect(&session, &Session::exported, this, &GraphForms::refresh);
    connect(&session, &Session::dataChanged, this, &GraphForms::refresh); // an export of others is an earlier one
    connect(&session, &Session::activityChanged, this, &GraphForms::refresh);
    connect(&session, &Session::runGraphFound, this, [this] {
        m_isFinding = false;
        refresh();
    });
    connect(&session, &Session::failed, this, &GraphForms::giveUp);
    connect(&session, &Session::stopped, this, &GraphForms::giveUp);
    describe();
}

void GraphForms::choose(GraphForm form)
{
    const bool isAway = form == GraphForm::AsRun && !m_session.runGraph();
    if (isAway && m_isFinding) {
        Q_EMIT m_board.said(
            tr("The engine has been making the graph as it is run for %1 s. It is shown when it is made; "
               "Stop ends it.")
                .arg(m_since.elapsed() / 1000));
    } else if (isAway && m_session.activity() != Activity::Idle) {
        Q_EMIT m_board.said(tr("Something else is running. Ask for the graph as it is run when that is done."));
        describe(); // the segment was checked by the click
        return;
    }
    m_wanted = form;
    refresh();
}

void GraphForms::comeBackTo(GraphForm form)
{
    m_wanted = affordable(form);
    refresh();
}

/// What is shown where nobody has asked for the form just now.
GraphForm GraphForms::affordable(GraphForm form) const
{
    const bool takesLong = form == GraphForm::AsRun && m_model && m_model->nodes.size() > kManyNodes;
    return takesLong ? GraphForm::Compressed : form;
}

/// Shows what is wanted, as far as it is there; what the engine runs is asked for where it is not.
void GraphForms::refresh()
{
    const auto snapshot = m_session.snapshot();
    const auto model = snapshot ? snapshot->model : nullptr;
    const auto file = snapshot ? modelOfFile(*snapshot) : nullptr;
    const bool isOtherModel = std::exchange(m_model, model) != model;
    if (std::exchange(m_file, file) != file)
        m_wanted = GraphForm::Compressed;
    else if (isOtherModel)
        m_wanted = affordable(m_wanted);
    const auto run = m_session.runGraph();
    if (std::exchange(m_told, run) != run)
        Q_EMIT m_board.runShown(run);
    if (m_wanted == GraphForm::AsRun && !run && whyNot(m_wanted).isEmpty())
        find();
    if (m_wanted != GraphForm::AsRun || run)
        m_shown = m_wanted;
    else if (m_shown == GraphForm::AsRun)
        m_shown = GraphForm::Compressed; // what was run is not what would be now
    if (!whyNot(m_shown).isEmpty())
        m_shown = GraphForm::Original;
    m_graph.setForm(m_shown, m_shown == GraphForm::AsRun ? run : m_shown == GraphForm::Original ? opened() : nullptr);
    describe();
}

/// The file's graph, where transforms made another one of it; null otherwise.
std::shared_ptr<const RunGraph> GraphForms::opened()
{
    const auto snapshot = m_session.snapshot();
    if (!snapshot || !snapshot->opened)
        return nullptr;
    if (std::exchange(m_openedOf, snapshot->scopes) != snapshot->scopes)
        m_opened = std::make_shared<const RunGraph>(openedGraph(*snapshot->model, *snapshot->scopes,
            snapshot->opened->model, *snapshot->opened->scopes, *snapshot->transforms));
    return m_opened;
}

QString GraphForms::aboutOpened() const
{
    const auto& nodes = m_opened->kernels->nodes;
    const auto calls = std::ranges::count_if(nodes, &Node::isCall);
    const auto goes
        = std::ranges::count_if(m_opened->origins, [](const auto& origins) { return origins.empty(); }) - calls;
    const QString text = tr("The file as it was opened: %1, of which %2 went. Transforms has the passes.")
                             .arg(ui::nodesText(static_cast<std::int64_t>(nodes.size()) - calls), ui::countText(goes));
    return calls == 0 ? text : text + tr(" Calls of functions are written out: %1.").arg(ui::countText(calls));
}

void GraphForms::find()
{
    if (m_isFinding || m_session.activity() != Activity::Idle)
        return;
    m_isFinding = true;
    m_since.start();
    m_session.findRunGraph();
    if (m_model->nodes.size() > kManyNodes)
        Q_EMIT m_board.said(
            tr("The engine takes minutes to open a model of %1 nodes. Stop ends it, and the graph stays.")
                .arg(ui::countText(static_cast<std::int64_t>(m_model->nodes.size()))));
}

/// Whatever was asked for last has failed or was stopped.
void GraphForms::giveUp()
{
    if (!std::exchange(m_isFinding, false))
        return;
    m_wanted = m_shown;
    describe();
}

QString GraphForms::whyNot(GraphForm form) const
{
    const auto snapshot = m_session.snapshot();
    if (!snapshot)
        return tr("No model is open");
    if (form == GraphForm::Compressed && !snapshot->placement)
        return snapshot->refusal ? ui::toQt(snapshot->refusal->line()) : tr("The model cannot be quantized");
    if (form != GraphForm::AsRun)
        return {};
    if (!snapshot->model->format->canRun())
        return tr("Only ONNX models are run");
    const Status hasData = checkHasData(*snapshot->model);
    return hasData ? QString() : ui::toQt(hasData.error().line());
}

QString GraphForms::aboutRun() const
{
    QString text = ui::toQt(runText(*m_session.runGraph()));
    if (!m_session.report()) {
        const auto earlier = m_session.earlierResults();
        const bool wasExported = std::ranges::count(earlier, ResultKind::Export, &EarlierResult::kind) > 0;
        return text + (wasExported ? tr(". The last export is of an earlier run.") : tr(". Nothing was exported yet."));
    }
    return m_session.isReportCurrent() ? text + QLatin1Char('.')
                                       : text + tr(". The recipe was changed since the export.");
}

/// Which form is shown, and why the others are not to be had.
void GraphForms::describe()
{
    for (std::size_t form = 0; form < kGraphForms; ++form) {
        const QString why = whyNot(static_cast<GraphForm>(form));
        m_actions[form]->setEnabled(why.isEmpty());
        m_actions[form]->setChecked(m_session.snapshot() && static_cast<GraphForm>(form) == m_shown);
        m_actions[form]->setToolTip(why.isEmpty() ? m_tips[form] : why);
    }
    ui::GraphStrip* strip = m_graph.view()->strip();
    strip->setVisible(m_session.snapshot() != nullptr);
    const bool isRun = m_shown == GraphForm::AsRun && m_session.runGraph();
    const bool isOpened
        = m_shown == GraphForm::Original && m_session.snapshot() && m_session.snapshot()->opened && m_opened;
    strip->setAbout(isRun ? aboutRun() : isOpened ? aboutOpened() : QString());
}

} // namespace duo::app
