// SPDX-License-Identifier: Apache-2.0
// MarkIntent: what the user wants done to the marks, as views say it; applied by the window.
#pragma once

#include "core/marks/mark_snippet.h"
#include "core/marks/marked_modules.h"

#include <QMenu>
#include <QMetaType>

#include <cstdint>
#include <functional>

namespace duo::ui {

struct MarkIntent {
    enum class Verb {
        Begin, // and end: a click marks
        Toggle, // `module`
        Settings, // of the mark that decides of `module`; of the last one without a module
        ExpandIgnored, // what lies below ignored modules is ignored, too, or no more
        Ignore, // rules that ignore what is marked
        Target,
        TakeIgnored, // a mark of what the rules ignore
        TakeOfModel, // those that its file holds
        Copy, // Python, in `form`
        Paste, // Python
        Clear, // all marks
    };
    Verb verb = Verb::Toggle;
    std::uint32_t module = ModuleTree::kNone; // of ModuleTree::modules
    MarkForm form = MarkForm::IgnoredModules;
    bool operator==(const MarkIntent&) const = default;
};

using EmitMarkIntent = std::function<void(const MarkIntent&)>;

/// What can be done with all marks. The actions have object names, for those who want to enable them.
void addMarkActions(QMenu& menu, const EmitMarkIntent& emitIntent);

/// What can be done with a module: to mark it or not, and what its mark sets.
void addModuleActions(
    QMenu& menu, const MarkedModules& modules, std::uint32_t module, const EmitMarkIntent& emitIntent);

} // namespace duo::ui

Q_DECLARE_METATYPE(duo::ui::MarkIntent)
