// SPDX-License-Identifier: Apache-2.0
// Asks for a file or a folder; the window goes on meanwhile.
#pragma once

#include <QString>
#include <QWidget>

#include <filesystem>
#include <functional>

namespace duo::ui {

struct FileQuestion {
    const char* name; // of the dialog
    QString title;
    QString filter = {}; // "": all files
    QString folder = {}; // shown first
};

void askForFile(QWidget* parent, const FileQuestion& question, std::function<void(const std::filesystem::path&)> then);

void askForFolder(
    QWidget* parent, const FileQuestion& question, std::function<void(const std::filesystem::path&)> then);

/// A file to write, of the name proposed unless the user says another. @param suffix of names without one
void askForTarget(QWidget* parent, const FileQuestion& question, const std::filesystem::path& proposed,
    const QString& suffix, std::function<void(const std::filesystem::path&)> then);

} // namespace duo::ui
