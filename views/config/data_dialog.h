// SPDX-License-Identifier: Apache-2.0
// DataDialog: which samples to calibrate with, how pictures are read, and what the first ones look like.
#pragma once

#include "core/calibrate/samples/dataset_preview.h"
#include "views/config/image_options.h"
#include "views/config/preview_panel.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QDialog>
#include <QLineEdit>
#include <QSpinBox>
#include <QStringList>
#include <QTimer>

#include <string>
#include <vector>

namespace duo::ui {

class DataDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param found paths to offer, likeliest first; @param current the data in use;
    /// @param symbols names of symbolic dimensions of the model's inputs, for random data
    DataDialog(const QStringList& found, const DataSource& current, const QStringList& symbols = {},
        QWidget* parent = nullptr);
    [[nodiscard]] DataSource source() const; // without spec if nothing is chosen
    /// Whether measuring ends where more samples change no scale: the recipe's stop_when_converged.
    void setStopsWhenConverged(bool stops);
    [[nodiscard]] bool stopsWhenConverged() const;
    /// Answers to previewWanted(); an answer about what is not chosen any more is ignored. While the user has chosen
    /// nothing, a path found that cannot be used is marked, and the next one is taken.
    void showPreview(const DataSource& source, const DatasetPreview& preview);
    /// @param sizes dimensions that are to be given a size, likeliest first; none where that is not what is wrong
    void showProblem(const DataSource& source, const Error& error, const std::vector<std::string>& sizes = {});

Q_SIGNALS:
    void previewWanted(const duo::DataSource& source);

private:
    [[nodiscard]] QString spec() const; // as --data has it
    QLayout* makeFound();
    QLayout* makePath();
    QLayout* makeRandom(const QStringList& symbols);
    QLayout* makeFeedBack();
    void setFeedBack(const DatasetOptions& options);
    void goToSize(const std::vector<std::string>& wanted);
    void choose(const DataSource& current);
    bool passOver(const Error& error); // what was chosen here; @return whether something else was found
    void browse(bool folder);
    void update();

    QStringList m_found;
    bool m_isOwnChoice = false; // the dialog's, not the user's
    QButtonGroup* m_choices; // ids: index into m_found, then kOther, kRandom
    QLineEdit* m_other;
    ImageOptions* m_images;
    QSpinBox* m_samples;
    std::vector<std::pair<std::string, QSpinBox*>> m_dims; // of symbolic dimensions
    QLineEdit* m_feedBack; // "hn=h, cn=c"
    PreviewPanel* m_preview;
    QCheckBox* m_converged;
    QPushButton* m_ok = nullptr;
    QTimer m_delay; // until typing has ended
};

} // namespace duo::ui
