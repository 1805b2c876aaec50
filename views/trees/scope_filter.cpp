// SPDX-License-Identifier: Apache-2.0
#include "views/trees/scope_filter.h"

#include "views/trees/scope_tree_model.h"

namespace duo::ui {

ScopeFilter::ScopeFilter(QObject* parent)
    : QSortFilterProxyModel(parent)
{
    setRecursiveFilteringEnabled(true);
}

void ScopeFilter::setWords(const QString& text)
{
    m_words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

void ScopeFilter::setOnlyDifferences(bool only)
{
    m_onlyDifferences = only;
    invalidateFilter();
}

void ScopeFilter::setWithConstants(bool with)
{
    m_withConstants = with;
    invalidateFilter();
}

bool ScopeFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    if (!m_withConstants && index.data(ScopeTreeModel::ConstantRole).toBool())
        return false;
    if (m_onlyDifferences && !index.data(ScopeTreeModel::DiffersRole).toBool())
        return false;
    if (m_words.isEmpty())
        return true;
    const QString text = index.data(ScopeTreeModel::SearchRole).toString();
    return std::all_of(m_words.begin(), m_words.end(),
        [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace duo::ui
