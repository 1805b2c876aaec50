// SPDX-License-Identifier: Apache-2.0
// ConfigView: the recipe in the form of a tool; valid changes of its text change the recipe, invalid ones are marked.
#pragma once

#include "views/config/config_text.h"
#include "views/config/profile_bar.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QWidget>

#include <map>
#include <memory>

namespace duo::ui {

struct Pane;

class ConfigView : public QWidget
{
    Q_OBJECT

public:
    explicit ConfigView(QWidget* parent = nullptr);

    void setSnapshot(std::shared_ptr<const Snapshot> snapshot);
    /// The recipe wanted. A text that is not valid stays as the user left it.
    void setRecipe(const Recipe& recipe);

Q_SIGNALS:
    /// `mergeKey`: what is typed without a change from elsewhere in between is one step.
    void recipeEdited(const duo::Recipe& recipe, const QString& text, const QString& mergeKey);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override; // message beside the text, or below it
    bool eventFilter(QObject* watched, QEvent* event) override; // keys of the text

private:
    void changeForm();
    void useProfile(Profile profile);
    void showText(); // of the recipe, or what the user left in this form
    void readText();
    void revert();
    void describe();
    void markProblem();
    void goToProblem();
    [[nodiscard]] ConfigForm form() const;

    std::shared_ptr<const Snapshot> m_snapshot;
    Recipe m_recipe;
    ConfigForm m_shown = ConfigForm::Recipe;
    std::map<ConfigForm, QString> m_drafts; // texts that are not valid
    ConfigProblem m_problem; // of the text shown; no text: none
    QStringList m_losses;
    int m_session = 0; // of typing
    bool m_isReading = false; // the recipe that comes is the one just read
    bool m_isShowing = false;
    bool m_isOutdated = true; // the text is not of the recipe
    QTimer m_pause; // until what is typed is read
    ProfileBar* m_profile;
    QComboBox* m_forms;
    QPlainTextEdit* m_text;
    QLabel* m_message;
    QScrollArea* m_messageArea;
    QBoxLayout* m_body;
    QPushButton* m_copy;
    QPushButton* m_revert;
};

/// How it stands in the window.
Pane configPane();

} // namespace duo::ui
