// SPDX-License-Identifier: Apache-2.0
#include "app/gui/marking.h"

#include "core/marks/mark_metadata.h"
#include "core/marks/mark_rules.h"
#include "core/marks/mark_snippet.h"
#include "core/marks/toggle_mark.h"
#include "core/pipeline/sensitivity/suggest_floats.h"
#include "views/intent/pane.h"
#include "views/style/format.h"
#include "views/style/scope_text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QInputDialog>

#include <algorithm>
#include <utility>

namespace duo::app {
namespace {

using Verb = ui::MarkIntent::Verb;

QString linesOf(const Mark& mark)
{
    QStringList lines;
    for (const MarkSetting& setting : mark.settings)
        lines += QStringLiteral("%1=%2").arg(ui::toQt(setting.key), ui::toQt(setting.value));
    return lines.join(QLatin1Char('\n'));
}

QString joined(const std::vector<std::string>& sentences)
{
    QString text;
    for (const std::string& sentence : sentences)
        text += QStringLiteral("%1%2.").arg(text.isEmpty() ? QString() : QStringLiteral(" "), ui::toQt(sentence));
    return text;
}

QString toggleText(MarkState before, const QString& module)
{
    switch (before) {
    case MarkState::None:
        return Marking::tr("Mark %1").arg(module);
    case MarkState::Marked:
        return Marking::tr("Leave %1 out of the marks").arg(module);
    case MarkState::Ignored:
        return Marking::tr("Mark %1 again").arg(module);
    }
    return {};
}

} // namespace

Marking::Marking(Session& session, ui::Board& board, QAction* mode, QWidget* window)
    : QObject(window)
    , m_session(session)
    , m_board(board)
    , m_mode(mode)
    , m_window(window)
{
    mode->setCheckable(true);
    connect(mode, &QAction::toggled, this, [this](bool isOn) {
        m_modules.setWanted(isOn);
        show();
        if (isOn)
            Q_EMIT m_board.paneRequested(ui::kScopesDock);
    });
    connect(&board, &ui::Board::marksIntended, this, &Marking::apply);
    connect(&board, &ui::Board::snapshotShown, this,
        [this](const std::shared_ptr<const Snapshot>& snapshot) { m_modules.setSnapshot(snapshot); });
    connect(&session, &Session::rulesChanged, this, [this] { m_modules.setMarks(marks()); });
    connect(&m_modules, &ModuleMarks::changed, this, &Marking::show);
}

void Marking::fillMenu(QMenu& menu)
{
    menu.addAction(m_mode);
    menu.addSeparator();
    ui::addMarkActions(menu, [this](const ui::MarkIntent& intent) { apply(intent); });
}

void Marking::show()
{
    auto shown = std::make_shared<ui::ShownMarks>();
    shown->modules = m_modules.modules();
    shown->isMarking = m_mode->isChecked();
    Q_EMIT m_board.marksShown(std::move(shown));
}

void Marking::warn(const QString& text)
{
    Q_EMIT told({ui::Banner::Tone::Warning, text});
}

void Marking::edit(std::vector<Mark> marks, const QString& text)
{
    Recipe recipe = m_session.recipe();
    recipe.marks = std::move(marks);
    m_session.editRecipe(recipe, text);
}

void Marking::apply(const ui::MarkIntent& intent)
{
    if (!m_session.snapshot())
        return;
    switch (intent.verb) {
    case Verb::Begin:
        return m_mode->toggle();
    case Verb::Toggle:
        return toggle(intent.module);
    case Verb::Settings: {
        const auto modules = m_modules.modules();
        const bool isAbout = modules && intent.module < modules->tree->modules.size();
        return askSettings(isAbout ? markOf(*modules, intent.module) : marks().size() - 1);
    }
    case Verb::ExpandIgnored:
        return expandIgnored();
    case Verb::Ignore:
        return makeRules(RuleAction::Ignore);
    case Verb::Target:
        return makeRules(RuleAction::Target);
    case Verb::TakeIgnored:
        return takeIgnored();
    case Verb::TakeOfModel:
        return takeOfModel();
    case Verb::Copy:
        return copy(intent.form);
    case Verb::Paste:
        return paste();
    case Verb::Clear:
        return edit({}, tr("Unmark all"));
    }
}

Marked Marking::marked(const MarkedModules& modules) const
{
    return modules.marks == marks() ? modules.marked : annotate(*modules.tree, marks());
}

void Marking::toggle(std::uint32_t module)
{
    const auto modules = m_modules.modules();
    if (!modules || module >= modules->tree->modules.size())
        return;
    const QString name = ui::scopeLabel(modules->tree->modules[module].path);
    edit(withToggled(*modules->tree, marks(), module), toggleText(marked(*modules).states[module], name));
}

void Marking::makeRules(RuleAction action)
{
    const auto modules = m_modules.modules();
    const Marked made = modules ? marked(*modules) : Marked();
    if (made.nodes.empty())
        return warn(tr("Nothing is marked that has nodes. Mark modules first."));
    const auto snapshot = m_session.snapshot();
    const auto rules = rulesCatching(*snapshot->model, *snapshot->scopes, made.nodes, action);
    const QString nodes = ui::nodesText(made.counts.nodes);
    m_session.editRecipe(withRules(m_session.recipe(), rules),
        action == RuleAction::Ignore ? tr("Ignore what is marked (%1)").arg(nodes)
                                     : tr("Target what is marked (%1)").arg(nodes));
}

void Marking::takeIgnored()
{
    const auto snapshot = m_session.snapshot();
    const auto known = m_modules.modules();
    const ModuleTree tree = known ? *known->tree : moduleTree(*snapshot->model, *snapshot->scopes, snapshot->sources());
    const RuleHits hits = matchRules(*snapshot->model, *snapshot->scopes, m_session.rules());
    auto mark = markCatching(tree, ignoredNodes(hits));
    if (!mark)
        return warn(tr("The rules ignore no module as a whole."));
    auto all = marks();
    all.push_back(*std::move(mark));
    edit(std::move(all), tr("Mark what rules ignore"));
}

void Marking::takeOfModel()
{
    auto told = marksOf(*m_session.snapshot()->model);
    if (told.empty())
        return warn(tr("The model's file holds no marks."));
    edit(std::move(told), tr("Take the marks of the model's file"));
}

void Marking::expandIgnored()
{
    auto all = marks();
    if (std::ranges::all_of(all, [](const Mark& mark) { return mark.ignored.empty(); }))
        return warn(tr("No mark leaves a module out."));
    const bool isExpanded = std::ranges::all_of(all, &Mark::expandIgnored);
    for (Mark& mark : all)
        mark.expandIgnored = !isExpanded;
    edit(std::move(all),
        isExpanded ? tr("Mark what lies below modules left out") : tr("Leave out what lies below, too"));
}

void Marking::askSettings(std::size_t mark)
{
    if (mark >= marks().size())
        return warn(tr("There is no mark yet. Mark a module first."));
    auto* dialog = new QInputDialog(m_window);
    dialog->setObjectName(QStringLiteral("markSettingsDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Settings of a mark"));
    dialog->setOption(QInputDialog::UsePlainTextEditForTextInput);
    dialog->setLabelText(tr("What “%1” says of each of its modules, a line each: use_orig_params=true")
                             .arg(ui::toQt(markText(marks()[mark]))));
    dialog->setTextValue(linesOf(marks()[mark]));
    connect(dialog, &QInputDialog::textValueSelected, this, [this, mark](const QString& lines) { set(mark, lines); });
    dialog->open();
}

void Marking::set(std::size_t mark, const QString& lines)
{
    auto all = marks();
    if (mark >= all.size())
        return;
    all[mark].settings.clear();
    for (const QString& line : lines.split(QLatin1Char('\n'))) {
        if (line.trimmed().isEmpty())
            continue;
        auto setting = markSettingFromText(line.trimmed().toStdString());
        if (!setting)
            return warn(tr("“%1” is no setting; write key=value, a line each.").arg(line.trimmed()));
        setInPlace(all[mark].settings, *std::move(setting));
    }
    edit(std::move(all), tr("Settings of a mark"));
}

void Marking::copy(MarkForm form)
{
    const auto modules = m_modules.modules();
    if (!modules || marks().empty())
        return warn(tr("Nothing is marked. Mark modules first."));
    const MarkSnippet snippet = markSnippet(*modules->tree, marks(), marked(*modules), form);
    QGuiApplication::clipboard()->setText(ui::toQt(snippet.text));
    if (!snippet.losses.empty())
        warn(tr("Copied, but: %1").arg(joined(snippet.losses)));
    else
        Q_EMIT m_board.said(tr("The marks are on the clipboard, as Python"));
}

void Marking::paste()
{
    auto read = marksFromPython(QGuiApplication::clipboard()->text().toStdString());
    if (const auto* problem = std::get_if<TextProblem>(&read))
        return warn(tr("The clipboard, line %1: %2; %3.")
                        .arg(problem->place.line)
                        .arg(ui::toQt(problem->what), ui::toQt(problem->whatToDo)));
    auto all = marks();
    for (Mark& mark : std::get<std::vector<Mark>>(read))
        all.push_back(std::move(mark));
    edit(std::move(all), tr("Paste marks"));
}

} // namespace duo::app
