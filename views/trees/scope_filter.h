// SPDX-License-Identifier: Apache-2.0
// ScopeFilter: shows the rows whose name, path or type contains a text, or only nodes whose scopes differ; constants
// only if they are asked for.
#pragma once

#include <QSortFilterProxyModel>

namespace duo::ui {

class ScopeFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit ScopeFilter(QObject* parent = nullptr);
    /// Words separated by spaces must all occur; upper and lower case are the same.
    void setWords(const QString& text);
    void setOnlyDifferences(bool only);
    void setWithConstants(bool with);
    [[nodiscard]] bool isActive() const { return !m_words.isEmpty() || m_onlyDifferences; }

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QStringList m_words;
    bool m_onlyDifferences = false;
    bool m_withConstants = false;
};

} // namespace duo::ui
