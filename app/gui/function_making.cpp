// SPDX-License-Identifier: Apache-2.0
#include "app/gui/function_making.h"

#include "core/rules/scope_rule.h"
#include "views/intent/rule_menu.h"
#include "views/style/file_dialog.h"
#include "views/style/format.h"

#include <algorithm>
#include <utility>

namespace duo::app {
namespace {

QAction* newAction(QWidget& window, const char* name, const QString& text, const QString& tip)
{
    auto* action = new QAction(text, &window);
    action->setObjectName(QLatin1String(name));
    action->setStatusTip(tip);
    action->setToolTip(tip);
    window.addAction(action);
    return action;
}

/// The scope that a selection means: its own, or the one that its first node runs in. Invalid for the whole model.
ScopeId meantScope(const ui::Selection& selection, const Scopes& scopes)
{
    const auto calls = [&](const std::string& module) {
        const auto& all = scopes.execution.scopes;
        const auto found = std::ranges::find_if(
            all, [&](const Scope& scope) { return !scope.isBody && scope.parent.valid() && scope.module == module; });
        return found == all.end() ? ScopeId() : ScopeId(static_cast<std::size_t>(found - all.begin()));
    };
    ScopeId scope;
    if (selection.scope && selection.scope->tree == ui::TreeKind::Storage)
        return calls(scopes.storage.scope(selection.scope->scope).module);
    if (selection.scope)
        scope = selection.scope->scope;
    else if (!selection.nodes.empty())
        scope = scopes.nodes[selection.nodes.front().index].executionScope;
    while (scope.valid() && scopes.execution.scope(scope).isBody)
        scope = scopes.execution.scope(scope).parent;
    return scope.valid() && scopes.execution.scope(scope).parent.valid() ? scope : ScopeId();
}

/// As an outline names all calls of what runs in a scope.
std::string everyCallOf(const ScopeTree& execution, const Scope& call)
{
    std::string text = everyCall(call.path);
    const ScopeId first = execution.find(text);
    return first.valid() && execution.scope(first).module == call.module ? text : call.module;
}

std::vector<ui::FunctionChoice> choicesFor(const Scopes& scopes, ScopeId scope)
{
    const Scope& call = scopes.execution.scope(scope);
    const auto count = [&](auto is) {
        return std::ranges::count_if(
            scopes.execution.scopes, [&](const Scope& one) { return !one.isBody && one.parent.valid() && is(one); });
    };
    const auto ofModule = count([&](const Scope& one) { return one.module == call.module; });
    const auto ofClass = count([&](const Scope& one) { return one.className == call.className; });
    std::vector<ui::FunctionChoice> choices;
    choices.push_back({FunctionMaking::tr("Every call of %1 (%2)").arg(ui::toQt(call.path), ui::countText(ofModule)),
        {.scopes = {everyCallOf(scopes.execution, call)}}});
    if (ofModule > 1) {
        std::string one = oneCall(scopes.execution, scope);
        choices.push_back({FunctionMaking::tr("Only the call %1").arg(ui::toQt(one)), {.scopes = {one}}});
    }
    if (!call.className.empty())
        choices.push_back({FunctionMaking::tr("Every %1 (%2)").arg(ui::toQt(call.className), ui::countText(ofClass)),
            {.classes = {call.className}}});
    choices.push_back({FunctionMaking::tr("Every module, one in another"), {.all = true}});
    return choices;
}

template <typename T> void addNew(std::vector<T>& to, const std::vector<T>& more)
{
    for (const T& one : more) {
        if (std::ranges::find(to, one) == to.end())
            to.push_back(one);
    }
}

/// Both together; of orders for one scope the later one.
OutlineRequest joined(OutlineRequest request, const OutlineRequest& more)
{
    addNew(request.scopes, more.scopes);
    addNew(request.classes, more.classes);
    request.all = request.all || more.all;
    request.split = request.split || more.split;
    for (const FunctionOrder& order : more.orders) {
        std::erase_if(request.orders, [&](const FunctionOrder& other) { return other.scope == order.scope; });
        request.orders.push_back(order);
    }
    return request;
}

std::filesystem::path targetFor(const std::filesystem::path& model, const char* ending)
{
    return model.parent_path() / (model.stem().string() + ending);
}

/// Whether the model came with functions.
bool hasCalls(const Snapshot& snapshot)
{
    const Model& model = snapshot.opened ? *snapshot.opened->model : *snapshot.model;
    return std::ranges::any_of(model.nodes, &Node::isCall);
}

QString writtenText(const std::filesystem::path& target, const OutlinePlan& plan)
{
    QString text = FunctionMaking::tr("%1 functions with %2 calls are in %3.")
                       .arg(plan.functions.size())
                       .arg(plan.scopes.size())
                       .arg(ui::pathText(target));
    if (!plan.refusals.empty())
        text += FunctionMaking::tr(" Not %1: %2.")
                    .arg(ui::toQt(plan.refusals.front().scope), ui::toQt(plan.refusals.front().why));
    return text;
}

} // namespace

FunctionMaking::FunctionMaking(Session& session, ui::Board& board, QWidget* window)
    : QObject(window)
    , m_session(session)
    , m_board(board)
    , m_window(window)
    , m_make(newAction(*window, "actionMakeFunction", tr("Make &function…"),
          tr("Show what the selected module would be as an ONNX function, and make it one of the recipe")))
    , m_forget(newAction(*window, "actionForgetFunctions", tr("No f&unctions"),
          tr("Take away all functions of the recipe, and write none that the model came with; modules stay what they "
             "are")))
    , m_save(newAction(*window, "actionSaveFunctions", tr("Save with &functions…"),
          tr("Write the model as it was opened, with the functions of the recipe; an export has them too")))
    , m_inline(newAction(*window, "actionSaveInlined", tr("Save &without functions…"),
          tr("Write the model as it was opened, with what its functions hold where they are called")))
{
    m_make->setShortcut(Qt::CTRL | Qt::Key_U);
    m_make->setProperty(ui::kForSelection, true);
    connect(m_make, &QAction::triggered, this, &FunctionMaking::ask);
    connect(m_save, &QAction::triggered, this, &FunctionMaking::save);
    connect(m_inline, &QAction::triggered, this, &FunctionMaking::saveInlined);
    connect(m_forget, &QAction::triggered, this, &FunctionMaking::forget);
    connect(&board, &ui::Board::selectionShown, this, [this](const ui::Selection& selection) {
        m_selection = selection;
        update();
    });
    connect(&board, &ui::Board::snapshotShown, this, &FunctionMaking::update);
    connect(&session, &Session::rulesChanged, this, &FunctionMaking::update);
    connect(&m_outlook, &FunctionOutlook::planned, this,
        [this](const std::shared_ptr<const OutlinePlan>& plan) { showPlan(*plan); });
    connect(&m_outlook, &FunctionOutlook::notPlanned, this, [this](const Error& error) {
        if (m_dialog)
            m_dialog->setProblem(ui::toQt(error.line()));
    });
    connect(&session, &Session::savedWithFunctions, this,
        [this](const std::filesystem::path& target, const std::shared_ptr<const OutlinePlan>& plan) {
            const auto tone = plan->refusals.empty() ? ui::Banner::Tone::Good : ui::Banner::Tone::Warning;
            Q_EMIT told({tone, writtenText(target, *plan)});
        });
    connect(&session, &Session::savedWithoutFunctions, this,
        [this](const std::filesystem::path& target, std::int64_t calls) {
            Q_EMIT told({ui::Banner::Tone::Good,
                tr("%1 calls of functions are written out in %2.").arg(ui::countText(calls), ui::pathText(target))});
        });
    connect(&session, &Session::activityChanged, this, &FunctionMaking::update);
    update();
}

void FunctionMaking::update()
{
    const bool hasModel = m_session.snapshot() != nullptr;
    const bool hasFunctions = hasModel && !m_session.recipe().functions.isEmpty();
    m_make->setEnabled(hasModel && (m_selection.scope || !m_selection.nodes.empty()));
    const bool comesWithFunctions = hasModel && hasCalls(*m_session.snapshot());
    const bool areWritten = comesWithFunctions && !m_session.recipe().functions.flat;
    m_forget->setEnabled(hasFunctions || areWritten);
    m_inline->setEnabled(comesWithFunctions && m_session.activity() == Activity::Idle);
    m_save->setEnabled(hasFunctions && m_session.activity() == Activity::Idle);
}

void FunctionMaking::ask()
{
    const auto snapshot = m_session.snapshot();
    if (!snapshot || !snapshot->scopes)
        return;
    const ScopeId scope = meantScope(m_selection, *snapshot->scopes);
    if (!scope.valid()) {
        Q_EMIT told({ui::Banner::Tone::Warning,
            tr("No module runs there. Select a module that runs, or a node in one, to make it a function.")});
        return;
    }
    m_asked = snapshot;
    auto* dialog = new ui::FunctionDialog(
        snapshot->scopes->execution.scope(scope).path, choicesFor(*snapshot->scopes, scope), m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    m_dialog = dialog;
    const auto look = [this, dialog] { m_outlook.look(m_asked, dialog->request()); };
    connect(dialog, &ui::FunctionDialog::requestChanged, this, look);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { take(*dialog); });
    look();
    dialog->open();
}

void FunctionMaking::showPlan(const OutlinePlan& plan)
{
    if (m_dialog)
        m_dialog->setPlan(plan, functionAt(plan, *m_asked->scopes, m_dialog->scope()));
}

void FunctionMaking::take(const ui::FunctionDialog& dialog)
{
    Recipe recipe = m_session.recipe();
    recipe.functions = joined(recipe.functions, dialog.request());
    m_session.editRecipe(recipe, tr("Make a function of %1").arg(ui::toQt(dialog.scope())));
    Q_EMIT m_board.said(
        tr("%1 is a function in what is exported or saved with functions").arg(ui::toQt(dialog.scope())));
}

void FunctionMaking::save()
{
    const auto snapshot = m_session.snapshot();
    ui::askForTarget(m_window,
        {"functionsDialog", tr("Save the model with functions"), tr("ONNX models (*.onnx);;All files (*)")},
        targetFor(snapshot->model->path, ".functions.onnx"), QStringLiteral("onnx"),
        [this](const std::filesystem::path& path) { m_session.saveWithFunctions(path); });
}

/// Those of the recipe, and those that the model came with, which an export would have again.
void FunctionMaking::forget()
{
    Recipe recipe = m_session.recipe();
    recipe.functions = OutlineRequest{.flat = hasCalls(*m_session.snapshot())};
    m_session.editRecipe(recipe, tr("No functions"));
}

void FunctionMaking::saveInlined()
{
    const auto snapshot = m_session.snapshot();
    ui::askForTarget(m_window,
        {"inlineDialog", tr("Save the model without functions"), tr("ONNX models (*.onnx);;All files (*)")},
        targetFor(snapshot->model->path, ".inlined.onnx"), QStringLiteral("onnx"),
        [this](const std::filesystem::path& path) { m_session.saveWithoutFunctions(path); });
}

} // namespace duo::app
