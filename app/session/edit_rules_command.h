// SPDX-License-Identifier: Apache-2.0
// EditRulesCommand: one change of the rules as it stands in the undo list. It holds both rule sets, nothing derived.
#pragma once

#include "core/rules/rule.h"

#include <QUndoCommand>

#include <functional>

namespace duo::app {

class EditRulesCommand : public QUndoCommand
{
public:
    using Apply = std::function<void(const RuleSet&)>;
    EditRulesCommand(RuleSet before, RuleSet after, const QString& text, Apply apply);
    void undo() override;
    void redo() override;

private:
    RuleSet m_before;
    RuleSet m_after;
    Apply m_apply;
};

} // namespace duo::app
