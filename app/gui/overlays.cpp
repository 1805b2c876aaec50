// SPDX-License-Identifier: Apache-2.0
#include "app/gui/overlays.h"

#include "core/report/overlay_values.h"
#include "views/style/format.h"
#include "views/style/tr.h"

#include <QAction>

#include <algorithm>

namespace duo::app {
namespace {

QString tipOf(OverlayKind kind)
{
    switch (kind) {
    case OverlayKind::Decision:
        return ui::tr("Colour by what happens to each node");
    case OverlayKind::Precision:
        return ui::tr("Colour by the bits that each node computes in");
    case OverlayKind::Parameters:
        return ui::tr("Colour by how many parameters each node reads");
    case OverlayKind::Bytes:
        return ui::tr("Colour by the bytes of the parameters that each node reads");
    case OverlayKind::Range:
        return ui::tr("Colour by the largest magnitude that each node gives; it takes statistics");
    case OverlayKind::Error:
        return ui::tr("Colour by the signal to noise foreseen at each node; it takes statistics");
    case OverlayKind::Sensitivity:
        return ui::tr("Colour by the share of the output error that comes from each node");
    case OverlayKind::Time:
        return ui::tr("Colour by the time that each node takes in the engine");
    case OverlayKind::Half:
        return ui::tr("Colour by what could compute in floats of 16 bits, and say why the rest could not");
    case OverlayKind::Difference:
        return ui::tr("Colour by what the setups that were compared last have otherwise");
    }
    return {};
}

std::string changeText(QuantizerChange change)
{
    switch (change) {
    case QuantizerChange::OnlyFirst:
        return "only in first";
    case QuantizerChange::OnlySecond:
        return "only in second";
    case QuantizerChange::Type:
        return "other type";
    case QuantizerChange::Spread:
        return "per channel, or not";
    case QuantizerChange::Range:
        return "other range";
    case QuantizerChange::Readers:
        return "for other nodes";
    }
    return {};
}

} // namespace

Overlays::Overlays(Session& session, ui::Board& board, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_board(board)
    , m_actions(new QActionGroup(this))
{
    for (std::size_t i = 0; i < kOverlayKinds; ++i) {
        const auto kind = static_cast<OverlayKind>(i);
        auto* action = m_actions->addAction(ui::toQt(overlayTitle(kind)));
        action->setObjectName(QStringLiteral("overlay:") + ui::toQt(std::string(overlayKindText(kind))));
        action->setStatusTip(tipOf(kind));
        action->setCheckable(true);
        action->setChecked(kind == m_kind);
        connect(action, &QAction::triggered, this, [this, kind] {
            m_isAsked = true;
            choose(kind);
        });
    }
    connect(&board, &ui::Board::snapshotShown, this, &Overlays::refresh);
    connect(&board, &ui::Board::overlayChosen, this, &Overlays::choose);
    connect(&session, &Session::statisticsChanged, this, &Overlays::refresh);
    connect(&session, &Session::foresightChanged, this, &Overlays::refresh);
    connect(&session, &Session::sensitivityChanged, this, [this] {
        if (m_session.sensitivity().report)
            choose(OverlayKind::Sensitivity);
        else
            refresh();
    });
    connect(&session, &Session::sensitivityTakenUp, this, &Overlays::refresh);
    connect(&session, &Session::timesMeasured, this, [this] { choose(OverlayKind::Time); });
    connect(&session, &Session::timesTakenUp, this, &Overlays::refresh);
    connect(&session, &Session::halvesTakenUp, this, &Overlays::refresh);
    connect(&session, &Session::halvesMeasured, this, [this] { choose(OverlayKind::Half); });
    connect(&session, &Session::setupCompared, this,
        [this](const auto& /*file*/, const auto& difference) { showDifference(*difference); });
    connect(&session, &Session::runsCompared, this,
        [this](const auto& /*first*/, const auto& /*second*/, const auto& difference) { showDifference(*difference); });
}

void Overlays::choose(OverlayKind kind)
{
    m_kind = kind;
    actions()[static_cast<qsizetype>(kind)]->setChecked(true);
    refresh();
    Q_EMIT chosen(kind);
}

void Overlays::chooseNext()
{
    if (!m_session.snapshot())
        return;
    m_isAsked = true;
    auto kind = m_kind;
    do {
        kind = static_cast<OverlayKind>((static_cast<std::size_t>(kind) + 1) % kOverlayKinds);
    } while (kind != OverlayKind::Decision && !made(kind));
    choose(kind);
}

/// Of several quantizers of a node the one that differs most is told.
void Overlays::showDifference(const SetupDifference& difference)
{
    const bool hasQuantizers = difference.same > 0 || !difference.quantizers.empty();
    m_compared = hasQuantizers ? m_session.snapshot()->model : nullptr; // else only recipes were compared
    std::map<std::string, QuantizerChange> changes;
    for (const QuantizerDifference& one : difference.quantizers) {
        const auto [known, isNew] = changes.emplace(one.node, one.change);
        if (!isNew)
            known->second = std::min(known->second, one.change);
    }
    m_differences.clear();
    for (const auto& [node, change] : changes)
        m_differences.emplace(node, changeText(change));
    if (!m_differences.empty())
        choose(OverlayKind::Difference);
    else
        refresh();
}

/// For the snapshot shown.
bool Overlays::isForeseen() const
{
    const auto snapshot = m_session.snapshot();
    const auto foresight = m_session.foresight();
    return foresight && foresight->snapshot->model == snapshot->model && foresight->snapshot->scopes == snapshot->scopes
        && foresight->snapshot->recipe == snapshot->recipe;
}

std::optional<Overlay> Overlays::made(OverlayKind kind) const
{
    const auto snapshot = m_session.snapshot();
    const auto statistics = m_session.statistics().file;
    const auto foresight = m_session.foresight();
    OverlaySources sources{*snapshot->model, *snapshot->scopes, snapshot->placement.get()};
    sources.statistics = statistics ? &statistics->statistics : nullptr;
    if (isForeseen() && !foresight->problem) {
        sources.forecast = foresight->forecast.get();
        if (kind == OverlayKind::Error) // points have the numbers of its setup, which may leave more in float
            sources.placement = foresight->snapshot->placement.get();
    }
    sources.sensitivity = m_session.sensitivity().report.get();
    sources.times = m_session.times().model == snapshot->model ? m_session.times().times.get() : nullptr;
    sources.half = m_session.halves().isOf(*snapshot) ? m_session.halves().report.get() : nullptr;
    sources.differences = m_compared == snapshot->model ? &m_differences : nullptr;
    return makeOverlay(kind, sources);
}

void Overlays::refresh()
{
    const auto snapshot = m_session.snapshot();
    if (!snapshot || !snapshot->scopes || (m_kind == OverlayKind::Decision && !m_isAsked)) {
        Q_EMIT m_board.overlayShown(nullptr);
        return;
    }
    auto shown = std::make_shared<ui::ShownOverlay>();
    shown->kind = m_kind;
    shown->scopes = snapshot->scopes;
    shown->values = made(m_kind);
    Q_EMIT m_board.overlayShown(std::move(shown));
}

} // namespace duo::app
