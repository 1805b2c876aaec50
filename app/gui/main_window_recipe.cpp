// SPDX-License-Identifier: Apache-2.0
// MainWindow: recipes opened and saved, and what a recipe of another export means here.
#include "app/gui/main_window.h"

#include "app/session/recipe/recipe_files.h"
#include "core/rules/suggest/suggestions.h"
#include "core/support/file.h"
#include "views/style/format.h"

#include <QFileDialog>

namespace duo::app {
namespace {

constexpr std::size_t kMostNamed = 6; // rules in a message

QString rulesCount(std::size_t rules)
{
    return rules == 1 ? MainWindow::tr("1 rule") : MainWindow::tr("%1 rules").arg(rules);
}

std::vector<std::size_t> rulesThatMatchNothing(const Snapshot& snapshot)
{
    std::vector<std::size_t> rules;
    for (std::size_t i = 0; i < snapshot.recipe.rules.rules.size(); ++i) {
        if (snapshot.recipe.rules.rules[i].enabled && snapshot.hits->hits[i].nodes.empty())
            rules.push_back(i);
    }
    return rules;
}

/// "rule 1 (ignore name /a/Conv), rule 3 (…)".
QString named(const Snapshot& snapshot, const std::vector<std::size_t>& rules)
{
    QStringList texts;
    for (std::size_t i = 0; i < rules.size() && i < kMostNamed; ++i)
        texts += MainWindow::tr("rule %1 (%2)")
                     .arg(rules[i] + 1)
                     .arg(ui::toQt(ruleText(snapshot.recipe.rules.rules[rules[i]])));
    if (rules.size() > kMostNamed)
        texts += MainWindow::tr("%1 more").arg(rules.size() - kMostNamed);
    return texts.join(QStringLiteral(", "));
}

} // namespace

void MainWindow::setRecipe(const QString& path)
{
    m_pendingRecipe = ui::toPath(path);
}

void MainWindow::chooseRecipe()
{
    auto* dialog = new QFileDialog(this, tr("Open a recipe or rules"));
    dialog->setObjectName(QStringLiteral("recipeDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilter(tr("Recipes and rules (*.json *.py);;All files (*)"));
    dialog->setDirectory(ui::pathText(m_session.snapshot()->model->path.parent_path()));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { openRecipe(ui::toPath(path)); });
    dialog->open();
}

void MainWindow::openRecipe(const std::filesystem::path& path)
{
    if (!m_session.snapshot()) {
        m_banner->showError({ErrorCode::Usage, "a recipe needs the model that it is for", path.string(),
            "open the model first, then the recipe"});
        return;
    }
    const auto reading = readRecipeOver(m_session.recipe(), path);
    if (!reading) {
        m_banner->showError(reading.error());
        return;
    }
    m_openedRecipe = path.filename();
    m_recipeNotes.clear();
    for (const NoteGroup& group : groupNotes(reading->notes))
        m_recipeNotes += QLatin1Char('\n') + ui::noteText(group);
    m_rulesDock->show();
    m_rulesDock->raise();
    if (reading->recipe == m_session.recipe())
        reportRecipe();
    else
        m_session.editRecipe(reading->recipe, tr("Open recipe %1").arg(ui::pathText(m_openedRecipe)));
}

/// Once the rules of a recipe just opened are evaluated: which of them match nothing, and what they mean here.
void MainWindow::reportRecipe()
{
    const auto snapshot = m_session.snapshot();
    if (m_openedRecipe.empty() || !snapshot->hits || snapshot->recipe != m_session.recipe())
        return;
    const QString name = ui::pathText(std::exchange(m_openedRecipe, {}));
    const auto unmatched = rulesThatMatchNothing(*snapshot);
    const std::size_t count = snapshot->recipe.rules.rules.size();
    if (unmatched.empty()) {
        m_banner->showMessage(m_recipeNotes.isEmpty() ? ui::Banner::Tone::Good : ui::Banner::Tone::Warning,
            tr("%1 is in use: %2, all of them match.").arg(name, rulesCount(count)) + m_recipeNotes);
        return;
    }
    Recipe here = snapshot->recipe;
    std::size_t known = 0;
    for (const std::size_t rule : unmatched) {
        Rule& changed = here.rules.rules[rule];
        if (const auto meaning = meaningByScope(*snapshot->model, *snapshot->scopes, changed)) {
            changed = withSuggestion(changed, *meaning);
            ++known;
        }
    }
    QString text = tr("%1: %2 of %3 match nothing in this model: %4. Was it made for another export of it?")
                       .arg(name)
                       .arg(unmatched.size())
                       .arg(rulesCount(count), named(*snapshot, unmatched));
    if (known > 0)
        text += QLatin1Char(' ') + tr("For %1 the scope tells what is meant here.").arg(rulesCount(known));
    m_banner->showMessage(ui::Banner::Tone::Warning, text + m_recipeNotes);
    if (known > 0)
        m_banner->offer(known == 1 ? tr("Use the scope") : tr("Use the scopes"), [this, here, known, name] {
            m_session.editRecipe(here, tr("Take %1 of %2 by their scope").arg(rulesCount(known), name));
            m_banner->dismiss();
        });
}

void MainWindow::chooseRecipeTarget()
{
    auto* dialog = new QFileDialog(this, tr("Save the recipe"));
    dialog->setObjectName(QStringLiteral("saveRecipeDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setNameFilter(tr("Recipes (*.recipe.json);;All files (*)"));
    dialog->setDefaultSuffix(QStringLiteral("recipe.json"));
    const auto target = recipePathFor(m_session.snapshot()->model->path);
    dialog->setDirectory(ui::pathText(target.parent_path()));
    dialog->selectFile(ui::pathText(target.filename()));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { saveRecipeAs(ui::toPath(path)); });
    dialog->open();
}

void MainWindow::saveRecipeAs(const std::filesystem::path& path)
{
    if (isSameFile(path, m_session.snapshot()->model->path)) {
        m_banner->showError(
            {ErrorCode::NotWritable, "the recipe would replace the model", path.string(), "choose another name"});
        return;
    }
    if (const Status saved = saveRecipe(m_session.recipe(), path); !saved)
        m_banner->showError(saved.error());
    else
        m_banner->showMessage(ui::Banner::Tone::Good, tr("The recipe is saved as %1.").arg(ui::pathText(path)));
}

} // namespace duo::app
