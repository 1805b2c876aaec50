// SPDX-License-Identifier: Apache-2.0
// ConfigView: the recipe as a form of its settings, and beside it in the form of a tool; valid changes of either change
// the recipe, an invalid text is marked.
#pragma once

#include "views/config/config_text.h"
#include "views/config/settings_form.h"

#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTimer>
#include <QWidget>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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
    /// Of the recipe and the snapshot there are now.
    void setEffects(const Setting& setting, const std::vector<SettingEffect>& effects);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override; // as narrow as form and text below each other

Q_SIGNALS:
    void effectsWanted(bool areWanted); // somebody looks at the form
    /// `mergeKey`: what is typed without a change from elsewhere in between is one step.
    void recipeEdited(const duo::Recipe& recipe, const QString& text, const QString& mergeKey);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override; // the text beside the form, or below it
    bool eventFilter(QObject* watched, QEvent* event) override; // keys of the text

private:
    [[nodiscard]] int narrowest(int part) const; // of form and text: its least width
    void changeForm();
    void makeText();
    void useSetting(const Setting& setting, const std::optional<std::string>& value);
    void forgetEffects();
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
    SettingsForm* m_form;
    QSplitter* m_parts;
    QComboBox* m_forms;
    QPlainTextEdit* m_text;
    QLabel* m_message;
    QScrollArea* m_messageArea;
    QPushButton* m_copy;
    QPushButton* m_revert;
};

/// How it stands in the window.
Pane configPane();

} // namespace duo::ui
