// SPDX-License-Identifier: Apache-2.0
#include "views/style/file_dialog.h"

#include "views/style/format.h"

#include <QFileDialog>
#include <QHeaderView>
#include <QTreeView>

namespace duo::ui {
namespace {

using Then = std::function<void(const std::filesystem::path&)>;

/// Of the toolkit's dialog; the system's own has none.
void showWholeColumns(QFileDialog& dialog)
{
    constexpr QSize kRoomy(860, 520); // px
    auto* files = dialog.findChild<QTreeView*>(QStringLiteral("treeView"));
    if (files == nullptr)
        return;
    files->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    dialog.resize(kRoomy);
}

QFileDialog* makeDialog(QWidget* parent, const FileQuestion& question, Then then)
{
    auto* dialog = new QFileDialog(parent, question.title);
    dialog->setObjectName(QLatin1String(question.name));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (!question.filter.isEmpty())
        dialog->setNameFilter(question.filter);
    if (!question.folder.isEmpty())
        dialog->setDirectory(question.folder);
    showWholeColumns(*dialog);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent,
        [then = std::move(then)](const QString& path) { then(toPath(path)); });
    return dialog;
}

} // namespace

void askForFile(QWidget* parent, const FileQuestion& question, Then then)
{
    QFileDialog* dialog = makeDialog(parent, question, std::move(then));
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->open();
}

void askForFolder(QWidget* parent, const FileQuestion& question, Then then)
{
    QFileDialog* dialog = makeDialog(parent, question, std::move(then));
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    dialog->open();
}

void askForTarget(QWidget* parent, const FileQuestion& question, const std::filesystem::path& proposed,
    const QString& suffix, Then then)
{
    QFileDialog* dialog = makeDialog(parent, question, std::move(then));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setDefaultSuffix(suffix);
    dialog->setDirectory(pathText(proposed.parent_path()));
    dialog->selectFile(pathText(proposed.filename()));
    dialog->open();
}

} // namespace duo::ui
