// SPDX-License-Identifier: Apache-2.0
#include "views/shell/data_dialog.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

namespace duo::ui {
namespace {

constexpr int kOther = 1000;
constexpr int kRandom = 1001;
constexpr int kRandomSamples = 32;
constexpr int kMostRandom = 100000;

QString randomPrefix()
{
    return QStringLiteral("random:");
}

} // namespace

DataDialog::DataDialog(const QStringList& found, const QString& current, QWidget* parent)
    : QDialog(parent)
    , m_found(found)
    , m_choices(new QButtonGroup(this))
    , m_other(new QLineEdit(this))
    , m_samples(new QSpinBox(this))
{
    setObjectName(QStringLiteral("dataDialog"));
    setWindowTitle(tr("Calibration data"));
    auto* layout = new QVBoxLayout(this);
    auto* intro
        = new QLabel(tr("Quantization needs a few hundred typical inputs to measure ranges. No labels are used."));
    intro->setWordWrap(true);
    layout->addWidget(intro);

    const auto addChoice = [this](int id, const QString& text) {
        auto* button = new QRadioButton(text, this);
        m_choices->addButton(button, id);
        return button;
    };
    for (qsizetype i = 0; i < found.size(); ++i) {
        auto* button = addChoice(static_cast<int>(i), tr("%1 (beside the model)").arg(QFileInfo(found[i]).fileName()));
        button->setToolTip(found[i]);
        layout->addWidget(button);
    }

    auto* file = new QPushButton(tr("&File…"), this);
    auto* folder = new QPushButton(tr("F&older…"), this);
    m_other->setObjectName(QStringLiteral("dataPath"));
    m_other->setAccessibleName(tr("Path of the data"));
    m_other->setPlaceholderText(tr("a .npz or .npy file, or a folder of them, of images or of test data"));
    m_other->setMinimumWidth(fontMetrics().averageCharWidth() * 50);
    auto* otherRow = new QHBoxLayout;
    otherRow->addWidget(addChoice(kOther, tr("&Path:")));
    otherRow->addWidget(m_other, 1);
    otherRow->addWidget(file);
    otherRow->addWidget(folder);
    layout->addLayout(otherRow);

    m_samples->setObjectName(QStringLiteral("randomSamples"));
    m_samples->setAccessibleName(tr("Number of random samples"));
    m_samples->setRange(1, kMostRandom);
    m_samples->setValue(kRandomSamples);
    auto* randomRow = new QHBoxLayout;
    randomRow->addWidget(addChoice(kRandom, tr("&Random samples:")));
    randomRow->addWidget(m_samples);
    randomRow->addWidget(new QLabel(tr("enough to try things, meaningless for accuracy")), 1);
    layout->addLayout(randomRow);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_ok = buttons->button(QDialogButtonBox::Ok);
    layout->addStretch(1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_choices, &QButtonGroup::idToggled, this, &DataDialog::updateOk);
    connect(m_other, &QLineEdit::textEdited, this, [this] { m_choices->button(kOther)->setChecked(true); });
    connect(m_other, &QLineEdit::textChanged, this, &DataDialog::updateOk);
    connect(m_samples, &QSpinBox::valueChanged, this, [this] { m_choices->button(kRandom)->setChecked(true); });
    connect(file, &QPushButton::clicked, this, [this] { browse(false); });
    connect(folder, &QPushButton::clicked, this, [this] { browse(true); });

    if (current.startsWith(randomPrefix())) {
        m_samples->setValue(current.mid(randomPrefix().size()).section(QLatin1Char(':'), 0, 0).toInt());
        m_choices->button(kRandom)->setChecked(true);
    } else if (!current.isEmpty() && !found.contains(current)) {
        m_other->setText(current);
        m_choices->button(kOther)->setChecked(true);
    } else if (!found.isEmpty()) {
        m_choices->button(current.isEmpty() ? 0 : static_cast<int>(found.indexOf(current)))->setChecked(true);
    } else {
        m_choices->button(kOther)->setChecked(true);
    }
    updateOk();
}

void DataDialog::browse(bool folder)
{
    const QString start = m_found.isEmpty() ? QString() : QFileInfo(m_found.front()).absolutePath();
    const QString path = folder ? QFileDialog::getExistingDirectory(this, tr("Folder of samples"), start)
                                : QFileDialog::getOpenFileName(this, tr("File of samples"), start,
                                    tr("NumPy arrays (*.npz *.npy);;All files (*)"));
    if (path.isEmpty())
        return;
    m_other->setText(path);
    m_choices->button(kOther)->setChecked(true);
}

void DataDialog::updateOk()
{
    m_ok->setEnabled(!spec().isEmpty());
}

QString DataDialog::spec() const
{
    const int id = m_choices->checkedId();
    if (id == kRandom)
        return randomPrefix() + QString::number(m_samples->value());
    if (id == kOther)
        return m_other->text().trimmed();
    return m_found.value(id);
}

} // namespace duo::ui
