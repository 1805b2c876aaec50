// SPDX-License-Identifier: Apache-2.0
#include "views/config/data_dialog.h"

#include "core/calibrate/samples/data_folder.h"
#include "core/formats/file_formats.h"
#include "views/style/file_dialog.h"
#include "views/style/format.h"
#include "views/style/window_words.h"

#include <QDialogButtonBox>
#include <QDirIterator>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace duo::ui {
namespace {

constexpr int kOther = 1000;
constexpr int kRandom = 1001;
constexpr int kRandomSamples = 32;
constexpr int kMostRandom = 100000;
constexpr int kMostDim = 1 << 20;
constexpr int kDelay = 250; // milliseconds
constexpr int kPreviewHeight = 190;
constexpr int kPreviewWidth = 600; // of eight pictures side by side

/// "*.npz *.npy"
QString arrayPatterns()
{
    QStringList all;
    for (const FileFormat& format : fileFormats()) {
        if (!format.asData.empty())
            all += toQt(patternsText(format));
    }
    return all.join(QLatin1Char(' '));
}

QString randomPrefix()
{
    return QStringLiteral("random:");
}

/// Whether one of the first files of a folder is a picture.
bool holdsImages(const QString& path)
{
    constexpr int kMostFiles = 64;
    if (path.isEmpty() || !QFileInfo(path).isDir())
        return false;
    QDirIterator files(path, QDir::Files);
    for (int i = 0; i < kMostFiles && files.hasNext(); ++i) {
        if (isPictureFile(toPath(files.next())))
            return true;
    }
    return false;
}

} // namespace

DataDialog::DataDialog(const QStringList& found, const DataSource& current, const QStringList& symbols, QWidget* parent)
    : QDialog(parent)
    , m_found(found)
    , m_choices(new QButtonGroup(this))
    , m_other(new QLineEdit(this))
    , m_images(new ImageOptions(this))
    , m_samples(new QSpinBox(this))
    , m_feedBack(new QLineEdit(this))
    , m_preview(new PreviewPanel(this))
    , m_converged(new QCheckBox(tr("&Stop when more samples change no scale"), this))
{
    setObjectName(QStringLiteral("dataDialog"));
    setWindowTitle(tr("Calibration data"));
    auto* layout = new QVBoxLayout(this);
    auto* intro
        = new QLabel(tr("Quantization needs a few hundred typical inputs to measure ranges. No labels are used."));
    intro->setWordWrap(true);
    layout->addWidget(intro);
    layout->addLayout(makeFound());
    layout->addLayout(makePath());
    layout->addWidget(m_images);
    layout->addLayout(makeRandom(symbols));
    layout->addLayout(makeFeedBack());
    m_converged->setObjectName(QStringLiteral("stopWhenConverged"));
    m_converged->setToolTip(tr("Measuring ends once three rounds of four samples changed no scale by 0.5 %"));
    layout->addWidget(m_converged);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(m_preview);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setMinimumSize(kPreviewWidth, kPreviewHeight);
    layout->addWidget(scroll, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_ok = buttons->button(QDialogButtonBox::Ok);
    layout->addWidget(buttons);
    choose(current);

    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelay);
    connect(&m_delay, &QTimer::timeout, this, [this] { Q_EMIT previewWanted(source()); });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_choices, &QButtonGroup::idToggled, this, &DataDialog::update);
    connect(m_choices, &QButtonGroup::idClicked, this, [this] { m_isOwnChoice = false; });
    connect(m_other, &QLineEdit::textEdited, this, [this] { m_choices->button(kOther)->setChecked(true); });
    connect(m_other, &QLineEdit::textChanged, this, &DataDialog::update);
    connect(m_images, &ImageOptions::changed, this, &DataDialog::update);
    connect(m_samples, &QSpinBox::valueChanged, this, [this] { m_choices->button(kRandom)->setChecked(true); });
    connect(m_samples, &QSpinBox::valueChanged, this, &DataDialog::update);
    connect(m_feedBack, &QLineEdit::textChanged, this, &DataDialog::update);
    for (const auto& [name, box] : m_dims)
        connect(box, &QSpinBox::valueChanged, this, &DataDialog::update);
    update();
}

QLayout* DataDialog::makeFound()
{
    auto* column = new QVBoxLayout;
    for (qsizetype i = 0; i < m_found.size(); ++i) {
        auto* button = new QRadioButton(tr("%1 (beside the model)").arg(QFileInfo(m_found[i]).fileName()), this);
        button->setToolTip(m_found[i]);
        m_choices->addButton(button, static_cast<int>(i));
        column->addWidget(button);
    }
    return column;
}

QLayout* DataDialog::makePath()
{
    auto* choice = new QRadioButton(tr("&Path:"), this);
    auto* file = new QPushButton(tr("&File…"), this);
    auto* folder = new QPushButton(tr("F&older…"), this);
    m_choices->addButton(choice, kOther);
    m_other->setObjectName(QStringLiteral("dataPath"));
    m_other->setAccessibleName(tr("Path of the data"));
    m_other->setPlaceholderText(
        tr("a %1 file, or a folder of them, of images or of test data").arg(toQt(dataFormatsText())));
    m_other->setMinimumWidth(fontMetrics().averageCharWidth() * 50);
    auto* row = new QHBoxLayout;
    row->addWidget(choice);
    row->addWidget(m_other, 1);
    row->addWidget(file);
    row->addWidget(folder);
    file->setObjectName(QStringLiteral("dataFile"));
    connect(file, &QPushButton::clicked, this, [this] { browse(false); });
    connect(folder, &QPushButton::clicked, this, [this] { browse(true); });
    return row;
}

QLayout* DataDialog::makeRandom(const QStringList& symbols)
{
    auto* choice = new QRadioButton(tr("&Random samples:"), this);
    m_choices->addButton(choice, kRandom);
    m_samples->setObjectName(QStringLiteral("randomSamples"));
    m_samples->setAccessibleName(tr("Number of random samples"));
    m_samples->setRange(1, kMostRandom);
    m_samples->setValue(kRandomSamples);
    auto* row = new QHBoxLayout;
    row->addWidget(choice);
    row->addWidget(m_samples);
    for (const QString& symbol : symbols) {
        auto* box = new QSpinBox(this);
        box->setObjectName(QStringLiteral("dim:") + symbol);
        box->setAccessibleName(tr("Size of dimension %1").arg(symbol));
        box->setRange(0, kMostDim);
        box->setSpecialValueText(tr("default"));
        row->addWidget(new QLabel(symbol, this));
        row->addWidget(box);
        m_dims.emplace_back(toStd(symbol), box);
    }
    auto* remark = new QLabel(tr("enough to try things, meaningless for accuracy"), this);
    remark->setWordWrap(true);
    row->addWidget(remark, 1);
    return row;
}

QLayout* DataDialog::makeFeedBack()
{
    m_feedBack->setObjectName(QStringLiteral("feedBack"));
    m_feedBack->setPlaceholderText(tr("none; as hn=h, cn=c"));
    m_feedBack->setToolTip(tr("Output=input: from the second sample on, the input is what the model gave before"));
    auto* label = new QLabel(tr("States fed &back:"), this);
    label->setBuddy(m_feedBack);
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addWidget(m_feedBack, 1);
    return row;
}

void DataDialog::setFeedBack(const DatasetOptions& options)
{
    QStringList pairs;
    for (const auto& [output, input] : options.feedBack)
        pairs += toQt(output) + QLatin1Char('=') + toQt(input);
    m_feedBack->setText(pairs.join(QStringLiteral(", ")));
}

/// Where the engine takes none of the sizes tried, the first one it asks for is to be typed.
void DataDialog::goToSize(const std::vector<std::string>& wanted)
{
    const auto found = std::ranges::find_if(
        m_dims, [&](const auto& dim) { return std::ranges::find(wanted, dim.first) != wanted.end(); });
    if (m_choices->checkedId() != kRandom || found == m_dims.end())
        return;
    found->second->setFocus();
    found->second->selectAll();
}

void DataDialog::choose(const DataSource& current)
{
    const QString spec = toQt(current.spec);
    m_images->set(current.options);
    setFeedBack(current.options);
    for (const auto& [name, box] : m_dims) {
        const auto known = current.options.dims.find(name);
        box->setValue(known == current.options.dims.end() ? 0 : static_cast<int>(known->second));
    }
    if (spec.startsWith(randomPrefix())) {
        m_samples->setValue(spec.mid(randomPrefix().size()).section(QLatin1Char(':'), 0, 0).toInt());
        m_choices->button(kRandom)->setChecked(true);
    } else if (!spec.isEmpty() && !m_found.contains(spec)) {
        m_other->setText(spec);
        m_choices->button(kOther)->setChecked(true);
    } else if (!m_found.isEmpty()) {
        m_isOwnChoice = spec.isEmpty();
        m_choices->button(spec.isEmpty() ? 0 : static_cast<int>(m_found.indexOf(spec)))->setChecked(true);
    } else {
        m_choices->button(kOther)->setChecked(true);
    }
}

void DataDialog::browse(bool folder)
{
    const QString start = m_found.isEmpty() ? QString() : QFileInfo(m_found.front()).absolutePath();
    const auto take = [this](const std::filesystem::path& path) {
        m_other->setText(pathText(path));
        m_choices->button(kOther)->setChecked(true);
    };
    if (folder)
        askForFolder(this, {"samplesFolderDialog", tr("Folder of samples"), {}, start}, take);
    else
        askForFile(this,
            {"samplesFileDialog", tr("File of samples"), tr("Arrays (%1);;All files (*)").arg(arrayPatterns()), start},
            take);
}

void DataDialog::update()
{
    m_images->setVisible(holdsImages(spec()));
    const bool isChosen = !spec().isEmpty() && (m_images->isHidden() || m_images->isValid());
    m_ok->setEnabled(isChosen);
    m_preview->showNothing(isChosen ? tr("Reading…") : tr("Choose samples to see the first ones here."));
    if (isChosen)
        m_delay.start();
    else
        m_delay.stop();
}

void DataDialog::showPreview(const DataSource& about, const DatasetPreview& preview)
{
    if (about == source())
        m_preview->showPreview(preview);
}

void DataDialog::showProblem(const DataSource& about, const Error& error, const std::vector<std::string>& sizes)
{
    if (about != source() || passOver(error))
        return;
    m_preview->showError(error);
    m_ok->setEnabled(false); // until something else is chosen
    goToSize(sizes);
}

bool DataDialog::passOver(const Error& error)
{
    const int id = m_choices->checkedId();
    if (!m_isOwnChoice || id < 0 || id >= m_found.size())
        return false;
    auto* button = m_choices->button(id);
    button->setText(tr("%1 (beside the model, does not fit)").arg(QFileInfo(m_found[id]).fileName()));
    button->setToolTip(m_found[id] + QLatin1Char('\n') + windowWords(toQt(error.line())));
    const bool hasNext = id + 1 < m_found.size();
    m_choices->button(hasNext ? id + 1 : kOther)->setChecked(true);
    return hasNext;
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

void DataDialog::setStopsWhenConverged(bool stops)
{
    m_converged->setChecked(stops);
}

bool DataDialog::stopsWhenConverged() const
{
    return m_converged->isChecked();
}

DataSource DataDialog::source() const
{
    DataSource source{toStd(spec()), {}};
    if (!m_images->isHidden())
        m_images->applyTo(source.options);
    for (const auto& [name, box] : m_dims) {
        if (m_choices->checkedId() == kRandom && box->value() > 0)
            source.options.dims[name] = box->value();
    }
    for (const QString& pair : m_feedBack->text().split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const QString output = pair.section(QLatin1Char('='), 0, 0).trimmed();
        source.options.feedBack.emplace_back(toStd(output), toStd(pair.section(QLatin1Char('='), 1).trimmed()));
    }
    return source;
}

} // namespace duo::ui
