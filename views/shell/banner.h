// SPDX-License-Identifier: Apache-2.0
// Banner: a message above the content that blocks nothing: what, where, what to do, and the details to copy.
#pragma once

#include "core/support/result.h"

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace duo::ui {

class Banner : public QFrame
{
    Q_OBJECT

public:
    enum class Tone { Good, Warning, Bad };

    explicit Banner(QWidget* parent = nullptr);
    void showError(const Error& error);
    void showMessage(Tone tone, const QString& text);
    /// A button of the message shown, until the next one. A click takes the message with it.
    void offer(const QString& button, std::function<void()> action);
    /// The same of what the user is asked for first: who cancels finds message and button where they were.
    void offerQuestion(const QString& button, std::function<void()> action);
    void dismiss();
    [[nodiscard]] QString text() const { return m_text->text(); }
    [[nodiscard]] Tone tone() const { return m_tone; }

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void placeButtons();
    void offer(const QString& button, std::function<void()> action, bool isQuestion);
    void show(Tone tone, const QString& html, const QString& details);
    void paintTone();

    Tone m_tone = Tone::Good;
    QString m_details;
    std::function<void()> m_action;
    bool m_isQuestion = false; // the action
    QLabel* m_mark;
    QLabel* m_text;
    QWidget* m_buttons; // beside the text, or below it where there is no room
    bool m_areBelow = false;
    QPushButton* m_offer;
    QPushButton* m_copy;
    QToolButton* m_close;
};

} // namespace duo::ui
