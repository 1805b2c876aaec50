// SPDX-License-Identifier: Apache-2.0
#include "views/find/finder.h"

#include <QElapsedTimer>

#include <utility>

namespace duo::ui {
namespace {

constexpr int kStepMs = 8; // at work between two events
constexpr std::size_t kThings = 256; // looked at between two glances at the clock

} // namespace

Finder::Finder(QObject* parent)
    : QObject(parent)
{
    m_next.setSingleShot(true);
    m_next.setInterval(0);
    connect(&m_next, &QTimer::timeout, this, &Finder::step);
}

Finder::~Finder() = default;

void Finder::setSnapshot(std::shared_ptr<const Snapshot> snapshot)
{
    stop(); // it reads the snapshot
    m_snapshot = std::move(snapshot);
}

void Finder::setTypes(std::shared_ptr<const ValueTypes> types)
{
    stop();
    m_types = std::move(types);
}

void Finder::start(SearchQuery query)
{
    stop();
    if (!m_snapshot || !m_snapshot->scopes || query.empty()) {
        Q_EMIT finished(std::make_shared<const Found>());
        return;
    }
    if (m_ordered != m_snapshot->scopes) {
        m_ordered = m_snapshot->scopes;
        m_order = searchOrder(*m_snapshot->model, *m_ordered);
    }
    const Decisions* decisions = m_snapshot->placement ? &m_snapshot->placement->decisions : nullptr;
    const OpenedModel* opened = m_snapshot->opened.get();
    m_search = std::make_unique<Search>(
        SearchPlace{*m_snapshot->model, *m_snapshot->scopes, decisions, m_order, opened ? opened->model.get() : nullptr,
            opened ? opened->scopes.get() : nullptr, m_types.get()},
        std::move(query));
    step();
}

void Finder::stop()
{
    m_next.stop();
    m_search.reset();
}

void Finder::step()
{
    QElapsedTimer clock;
    clock.start();
    while (!m_search->advance(kThings)) {
        if (clock.elapsed() >= kStepMs) {
            m_next.start();
            return;
        }
    }
    const auto search = std::exchange(m_search, nullptr);
    Q_EMIT finished(std::make_shared<const Found>(search->found()));
}

} // namespace duo::ui
