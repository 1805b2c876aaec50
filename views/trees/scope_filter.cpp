// SPDX-License-Identifier: Apache-2.0
#include "views/trees/scope_filter.h"

#include "views/style/format.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace duo::ui {
namespace {

bool isAscii(std::string_view text)
{
    return std::ranges::all_of(text, [](char letter) { return static_cast<unsigned char>(letter) < 0x80U; });
}

char folded(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/// Upper and lower case are the same. @param word folded; names are asked by the ten thousand, so nothing is copied
/// where the word is of plain letters
bool contains(std::string_view text, std::string_view word)
{
    if (!isAscii(word))
        return toQt(text).contains(toQt(word), Qt::CaseInsensitive);
    return std::search(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) {
        return folded(a) == b;
    }) != text.end();
}

} // namespace

ScopeFilter::ScopeFilter(QObject* parent)
    : QSortFilterProxyModel(parent)
{
    setDynamicSortFilter(false); // what a row says of its state changes nothing about whether it is shown
}

void ScopeFilter::setWanted(const QString& words, bool onlyDifferences)
{
    std::vector<std::string> wanted;
    for (const QString& word : words.toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts))
        wanted.push_back(toStd(word));
    const bool isSame = wanted == m_words && onlyDifferences == m_onlyDifferences;
    m_words = std::move(wanted);
    m_onlyDifferences = onlyDifferences;
    if (!isSame)
        showAgain();
}

void ScopeFilter::setWithConstants(bool with)
{
    if (std::exchange(m_withConstants, with) != with)
        showAgain();
}

/// All rows at once: rows taken out and put in one run after the other are as many changes for the view.
void ScopeFilter::showAgain()
{
    m_scopes.reset();
    if (sourceModel() != nullptr)
        invalidate();
}

bool ScopeFilter::hasWords(const TreeContent& content, const ScopeRow& row) const
{
    const auto areIn = [this](std::string_view name, std::string_view type) {
        return std::ranges::all_of(
            m_words, [&](const std::string& word) { return contains(name, word) || contains(type, word); });
    };
    switch (row.kind) {
    case ScopeRow::Kind::Node: {
        const Node& node = content.snapshot->model->node(row.node);
        return areIn(node.name, node.opType);
    }
    case ScopeRow::Kind::Scope:
        return areIn(content.scope(row).path, content.scope(row).className);
    case ScopeRow::Kind::Parameter:
    case ScopeRow::Kind::Constant:
        return areIn(content.tensorName(row), {});
    }
    return false;
}

bool ScopeFilter::passes(const TreeContent& content, const ScopeRow& row) const
{
    if (!m_withConstants && row.kind == ScopeRow::Kind::Constant)
        return false;
    if (m_onlyDifferences && (row.kind != ScopeRow::Kind::Node || !content.nodeScope(row.node).differs))
        return false;
    return m_words.empty() || hasWords(content, row);
}

const std::vector<bool>& ScopeFilter::shown() const
{
    const TreeContent& content = model().content();
    const auto scopes = content.snapshot ? content.snapshot->scopes : nullptr;
    if (m_scopes && m_scopes == scopes)
        return m_shown;
    m_scopes = scopes;
    m_shown.assign(content.rows.size(), false);
    for (std::size_t i = content.rows.size(); i-- > 0;) { // children come after their parents
        const ScopeRow& row = content.rows[i];
        m_shown[i] = m_shown[i] || passes(content, row);
        if (m_shown[i] && row.parent >= 0)
            m_shown[static_cast<std::size_t>(row.parent)] = true;
    }
    return m_shown;
}

bool ScopeFilter::isShown(std::size_t row) const
{
    return shown()[row];
}

std::size_t ScopeFilter::shownRows() const
{
    return static_cast<std::size_t>(std::ranges::count(shown(), true));
}

bool ScopeFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const auto& rows = model().content().rows;
    return shown()[parent.isValid() ? rows[parent.internalId()].firstChild + static_cast<std::size_t>(row) : 0];
}

} // namespace duo::ui
