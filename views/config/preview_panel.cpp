// SPDX-License-Identifier: Apache-2.0
#include "views/config/preview_panel.h"

#include "core/calibrate/samples/sample_picture.h"
#include "core/report/data_report.h"
#include "views/style/format.h"
#include "views/style/text_label.h"
#include "views/style/theme.h"

#include <QHBoxLayout>
#include <QPixmap>

#include <algorithm>

namespace duo::ui {
namespace {

constexpr int kPictureSide = 64; // on the screen, in logical pixels
constexpr std::size_t kNumbers = 6; // of a sample that is no picture

QPixmap pixmapOf(const Image& image)
{
    const QImage picture(image.rgb.data(), image.width, image.height, 3 * image.width, QImage::Format_RGB888);
    const bool isSmall = image.width < kPictureSide && image.height < kPictureSide;
    return QPixmap::fromImage(picture.scaled(
        kPictureSide, kPictureSide, Qt::KeepAspectRatio, isSmall ? Qt::FastTransformation : Qt::SmoothTransformation));
}

QString numbersText(const HostTensor& sample)
{
    const std::vector<float> values = numbersIn(sample);
    QStringList texts;
    for (std::size_t i = 0; i < std::min(values.size(), kNumbers); ++i)
        texts += QString::number(static_cast<double>(values[i]), 'g', 4);
    return texts.join(QStringLiteral(", ")) + (values.size() > kNumbers ? QStringLiteral(", …") : QString());
}

} // namespace

PreviewPanel::PreviewPanel(QWidget* parent)
    : QFrame(parent)
    , m_title(textLabel(QStringLiteral("dataPreviewTitle"), this))
    , m_inputs(new QVBoxLayout)
{
    setObjectName(QStringLiteral("dataPreview"));
    setFrameShape(QFrame::StyledPanel);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_title);
    layout->addLayout(m_inputs);
    layout->addStretch(1);
}

void PreviewPanel::clear()
{
    while (QLayoutItem* item = m_inputs->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_title->setStyleSheet({});
}

void PreviewPanel::showNothing(const QString& text)
{
    clear();
    m_title->setText(text);
}

void PreviewPanel::showError(const Error& error)
{
    clear();
    m_title->setStyleSheet(QStringLiteral("color: %1").arg(themeFor(palette()).bad.ink.name()));
    QString text = toQt(error.what);
    for (const std::string& part : {error.where, error.whatToDo})
        text += part.empty() ? QString() : QLatin1Char('\n') + toQt(part);
    m_title->setText(text);
}

void PreviewPanel::showPreview(const DatasetPreview& preview)
{
    clear();
    const auto shown = static_cast<std::int64_t>(preview.first.size());
    m_title->setText(preview.samples == 1 ? tr("1 sample")
            : shown < preview.samples     ? tr("%1 samples; the first %2:").arg(countText(preview.samples)).arg(shown)
                                          : tr("%1 samples:").arg(countText(preview.samples)));
    for (std::size_t input = 0; input < preview.inputs.size(); ++input)
        addInput(preview, input);
    for (const Note& note : preview.notes)
        m_inputs->addWidget(textLabel({}, this, tr("Note: %1").arg(toQt(note.text))));
}

void PreviewPanel::addInput(const DatasetPreview& preview, std::size_t input)
{
    auto* pictures = new QWidget(this);
    pictures->setObjectName(QStringLiteral("dataPictures"));
    auto* row = new QHBoxLayout(pictures);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    QStringList numbers;
    for (std::size_t sample = 0; sample < preview.first.size(); ++sample) {
        const HostTensor& feed = preview.first[sample][input];
        if (const auto image = pictureOf(feed)) {
            auto* label = new QLabel(pictures);
            label->setPixmap(pixmapOf(*image));
            label->setToolTip(tr("sample %1").arg(sample + 1));
            label->setAccessibleName(tr("sample %1 of %2").arg(sample + 1).arg(toQt(feed.name)));
            row->addWidget(label);
        } else {
            numbers += numbersText(feed);
        }
    }
    row->addStretch(1);
    m_inputs->addWidget(textLabel(
        {}, this, toQt(preview.inputs[input].name) + QStringLiteral("  ") + toQt(inputText(preview.inputs[input]))));
    if (!numbers.isEmpty()) {
        delete pictures;
        m_inputs->addWidget(textLabel({}, this, numbers.join(QLatin1Char('\n'))));
    } else {
        m_inputs->addWidget(pictures);
    }
}

} // namespace duo::ui
