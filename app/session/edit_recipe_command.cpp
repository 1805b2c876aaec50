// SPDX-License-Identifier: Apache-2.0
#include "app/session/edit_recipe_command.h"

#include <utility>

namespace duo::app {
namespace {

constexpr int kMergeable = 1; // QUndoStack asks mergeWith only of equal numbers that are not -1

} // namespace

EditRecipeCommand::EditRecipeCommand(
    Recipe before, Recipe after, const QString& text, const QString& mergeKey, Apply apply)
    : QUndoCommand(text)
    , m_before(std::move(before))
    , m_after(std::move(after))
    , m_mergeKey(mergeKey)
    , m_apply(std::move(apply))
{
}

void EditRecipeCommand::undo()
{
    m_apply(m_before);
}

void EditRecipeCommand::redo()
{
    m_apply(m_after);
}

int EditRecipeCommand::id() const
{
    return m_mergeKey.isEmpty() ? -1 : kMergeable;
}

bool EditRecipeCommand::mergeWith(const QUndoCommand* next)
{
    const auto* edit = dynamic_cast<const EditRecipeCommand*>(next);
    if (edit == nullptr || edit->m_mergeKey != m_mergeKey)
        return false;
    m_after = edit->m_after;
    setText(edit->text());
    setObsolete(m_after == m_before);
    return true;
}

} // namespace duo::app
