// SPDX-License-Identifier: Apache-2.0
// EditRecipeCommand: one change of the recipe as it stands in the undo list. It holds both recipes, nothing derived.
#pragma once

#include "core/quantize/recipe/recipe.h"

#include <QUndoCommand>

#include <functional>

namespace duo::app {

class EditRecipeCommand : public QUndoCommand
{
public:
    using Apply = std::function<void(const Recipe&)>;
    /// @param mergeKey steps in a row with the same key are one step, as letters typed into one field are; "": never
    EditRecipeCommand(Recipe before, Recipe after, const QString& text, const QString& mergeKey, Apply apply);
    void undo() override;
    void redo() override;
    [[nodiscard]] int id() const override;
    /// A step that is merged back to where it began is dropped from the list.
    bool mergeWith(const QUndoCommand* next) override;

private:
    Recipe m_before;
    Recipe m_after;
    QString m_mergeKey;
    Apply m_apply;
};

} // namespace duo::app
