// SPDX-License-Identifier: Apache-2.0
// HelpWindow: the pages of the help beside their list, with links to follow, a way back, and a search in the page.
#pragma once

#include "views/shell/help_page.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QTextBrowser>
#include <QWidget>

#include <vector>

namespace duo::ui {

class HelpWindow : public QWidget
{
    Q_OBJECT

public:
    /// @param folder of the pages (helpPages)
    explicit HelpWindow(const QString& folder, QWidget* parent = nullptr);

    /// Goes there, as a link does; a page that does not exist changes nothing. @return whether it exists
    bool open(const HelpPlace& place);
    [[nodiscard]] const HelpPlace& place() const { return m_place; }
    [[nodiscard]] QTextBrowser* text() { return m_text; }

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// What there is to go back to: a place, and how far it was scrolled.
    struct Step {
        HelpPlace place;
        int scrolled = 0;
    };

    void makeActions();
    void layOut();
    void follow(const QUrl& link);
    bool goTo(const HelpPlace& place);
    void showPage(const QString& markdown);
    void goAlong(std::vector<Step>& from, std::vector<Step>& to);
    void updateActions();
    void startSearch();
    void markFound();
    void goToFound();
    void searchOn(bool isForward);
    void endSearch();

    QString m_folder;
    HelpPlace m_place;
    std::vector<Step> m_before; // the last one last
    std::vector<Step> m_after;
    int m_found = 0; // times the words searched for are on the page
    QListWidget* m_pages;
    QTextBrowser* m_text;
    QAction* m_back;
    QAction* m_forward;
    QWidget* m_search;
    QLineEdit* m_words;
    QLabel* m_count;
};

} // namespace duo::ui
