// SPDX-License-Identifier: Apache-2.0
// StartPage: what the window shows before a model is open: where to drop one, recent models, samples, and the way.
#pragma once

#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QStringList>
#include <QWidget>

namespace duo::ui {

class StartPage : public QWidget
{
    Q_OBJECT

public:
    explicit StartPage(QWidget* parent = nullptr);
    void setRecent(const QStringList& paths);
    void setSamples(const QStringList& paths);
    void setKeptIn(const QString& folder); // what is done with models

Q_SIGNALS:
    void openRequested();
    void pathChosen(const QString& path);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QListWidget* makeList(const QString& name, const QString& title);
    void fill(QListWidget* list, const QStringList& paths, const QString& ifEmpty);

    QPushButton* m_open;
    QListWidget* m_recent;
    QListWidget* m_samples;
    QLabel* m_kept;
};

} // namespace duo::ui
