// SPDX-License-Identifier: Apache-2.0
// A filter of a scope tree from its beginning to its end, and what comes back behind it.
#include "views/trees/scope_tree_view.h"

#include <QScopedValueRollback>
#include <QScrollBar>
#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace duo::ui {
namespace {

constexpr std::size_t kRowsOpened = 16000; // again, in one event
constexpr int kFoundRows = 2000; // opened by a filter; of more the first levels

} // namespace

QString ScopeTreeView::beginFilter(const QString& words, bool onlyDifferences)
{
    QString problem = m_model->filter().beginWanted(words, onlyDifferences);
    m_isFilterBegun = m_isFilterBegun || m_model->filter().isChanging();
    return problem;
}

void ScopeTreeView::endFilter()
{
    do
        endFilterStep();
    while (m_ending);
}

/// Scopes are closed while rows change where other ones will be open. Nothing is painted until all is done.
void ScopeTreeView::endFilterStep()
{
    const QScopedValueRollback guard(m_isShowing, true);
    if (!m_ending) {
        beginEnding();
        if (m_ending->wasFiltered != m_isFiltered) {
            setUpdatesEnabled(false);
            closeAll();
            return;
        }
    }
    if (!m_ending->areRowsShown) {
        m_ending->areRowsShown = true;
        showWantedRows();
        if (isClearing() && m_unfiltered)
            return;
    }
    if (isClearing() && openMoreAgain())
        return;
    finishEnding();
    noteSight();
}

void ScopeTreeView::beginEnding()
{
    Ending ending;
    ending.isBegun = std::exchange(m_isFilterBegun, false);
    ending.wasFiltered = std::exchange(m_isFiltered, m_model->filter().isActive());
    ending.top = visualRect(currentIndex()).top();
    if (!ending.wasFiltered && m_isFiltered && !content().rows.empty())
        m_unfiltered = Unfiltered{expandedRows(), verticalScrollBar()->value()};
    m_ending = ending;
}

void ScopeTreeView::finishEnding()
{
    const auto ending = std::exchange(m_ending, std::nullopt);
    if (!ending)
        return;
    m_isFilterBegun |= ending->isBegun && !ending->areRowsShown; // other scopes came in between
    setUpdatesEnabled(true);
}

void ScopeTreeView::showWantedRows()
{
    m_model->showWanted();
    const QSignalBlocker quiet(this);
    if (m_ending->isBegun && m_isFiltered && m_model->rowCount() > 0)
        expandFirstLevels(kFoundRows);
    else if (isClearing() && !m_unfiltered)
        expandFirstLevels(kFirstRows);
}

/// What was open before the filter; at last the current row comes to where it was. @return there is more
bool ScopeTreeView::openMoreAgain()
{
    if (m_unfiltered) {
        auto rest = std::span(m_unfiltered->open).subspan(m_ending->opened);
        rest = rest.first(std::min(rest.size(), kRowsOpened));
        expandRows(rest);
        m_ending->opened += rest.size();
        if (m_ending->opened < m_unfiltered->open.size())
            return true;
    }
    const auto before = std::exchange(m_unfiltered, std::nullopt);
    const QModelIndex current = currentIndex();
    if (isChosen(current)) {
        scrollTo(current); // opens its parents
        const QRect now = visualRect(current);
        const int rows = (now.top() - m_ending->top) / std::max(now.height(), 1); // it scrolls by rows
        verticalScrollBar()->setValue(verticalScrollBar()->value() + rows);
    } else if (before) {
        verticalScrollBar()->setValue(before->scrolled);
    }
    return false;
}

void ScopeTreeView::setWithConstants(bool with)
{
    m_model->filter().beginWithConstants(with);
    if (isFilterChanging())
        endFilter();
}

} // namespace duo::ui
