// SPDX-License-Identifier: Apache-2.0
#include "app/session/edit_rules_command.h"

#include <utility>

namespace duo::app {

EditRulesCommand::EditRulesCommand(RuleSet before, RuleSet after, const QString& text, Apply apply)
    : QUndoCommand(text)
    , m_before(std::move(before))
    , m_after(std::move(after))
    , m_apply(std::move(apply))
{
}

void EditRulesCommand::undo()
{
    m_apply(m_before);
}

void EditRulesCommand::redo()
{
    m_apply(m_after);
}

} // namespace duo::app
