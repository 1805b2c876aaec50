// SPDX-License-Identifier: Apache-2.0
#include "views/intent/mark_intent.h"

#include "views/style/format.h"
#include "views/style/tr.h"

#include <QAction>

#include <utility>

namespace duo::ui {
namespace {

using Verb = MarkIntent::Verb;

QAction* add(QMenu& menu, const char* name, const QString& text, const QString& tip, const MarkIntent& intent,
    const EmitMarkIntent& emitIntent)
{
    QAction* action = menu.addAction(text);
    action->setObjectName(QLatin1String(name));
    action->setStatusTip(tip);
    QObject::connect(action, &QAction::triggered, &menu, [emitIntent, intent] { emitIntent(intent); });
    return action;
}

void addForms(QMenu& menu, const EmitMarkIntent& emitIntent)
{
    QMenu* forms = menu.addMenu(tr("&Copy as Python"));
    forms->setObjectName(QStringLiteral("menuMarkForms"));
    for (const auto& [form, text] : {std::pair(MarkForm::IgnoredModules, tr("ignored_modules = […]")),
             std::pair(MarkForm::Annotate, tr("_annotate_modules_for_dynamo(…)")),
             std::pair(MarkForm::Fsdp, tr("FullyShardedDataParallel(…)")),
             std::pair(MarkForm::FullyShard, tr("fully_shard(…) of each"))}) {
        const MarkIntent intent{Verb::Copy, ModuleTree::kNone, form};
        const std::string name = "marks:" + std::string(markFormText(form));
        add(*forms, name.c_str(), text, tr("Put the marks on the clipboard as Python that PyTorch runs"), intent,
            emitIntent);
    }
}

} // namespace

void addMarkActions(QMenu& menu, const EmitMarkIntent& emitIntent)
{
    add(menu, "marks:ignore", tr("&Ignore what is marked"),
        tr("Add rules that keep the nodes of marked modules in float, and no other node"), {Verb::Ignore}, emitIntent);
    add(menu, "marks:target", tr("&Target what is marked"),
        tr("Add rules that target the nodes of marked modules, and no other node"), {Verb::Target}, emitIntent);
    add(menu, "marks:from-rules", tr("&Mark what rules ignore"),
        tr("Mark the modules all of whose nodes the rules keep in float"), {Verb::TakeIgnored}, emitIntent);
    add(menu, "marks:of-model", tr("Ta&ke those of the model's file"),
        tr("Use the marks that an annotated or exported model holds, in place of these"), {Verb::TakeOfModel},
        emitIntent);
    menu.addSeparator();
    add(menu, "marks:settings", tr("&Settings…"), tr("Say what the last mark sets for its modules: key=value"),
        {Verb::Settings}, emitIntent);
    add(menu, "marks:expand", tr("Leave out what is &below"),
        tr("Leave out what lies below ignored modules, too, or mark it again"), {Verb::ExpandIgnored}, emitIntent);
    menu.addSeparator();
    addForms(menu, emitIntent);
    add(menu, "marks:paste", tr("&Paste Python"),
        tr("Read marks from Python on the clipboard: ignored_modules=[…], or what is copied here"), {Verb::Paste},
        emitIntent);
    menu.addSeparator();
    add(menu, "marks:clear", tr("&Unmark all"), tr("Take away all marks"), {Verb::Clear}, emitIntent);
}

void addModuleActions(QMenu& menu, const MarkedModules& modules, std::uint32_t module, const EmitMarkIntent& emitIntent)
{
    QString path = toQt(modules.tree->modules[module].path);
    path = path.isEmpty() ? tr("the model") : path.replace(QLatin1Char('&'), QLatin1String("&&"));
    const bool isMarked = modules.marked.states[module] == MarkState::Marked;
    add(menu, "module:mark", isMarked ? tr("Leave %1 out of the marks").arg(path) : tr("Mark %1").arg(path), {},
        {Verb::Toggle, module}, emitIntent);
    if (const std::size_t mark = markOf(modules, module); mark != kUnmarked)
        add(menu, "module:settings", tr("Settings of the mark…"), {}, {Verb::Settings, module}, emitIntent);
}

} // namespace duo::ui
