// SPDX-License-Identifier: Apache-2.0
#include "views/config/image_options.h"

#include "views/style/format.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QRegularExpression>
#include <QSignalBlocker>

namespace duo::ui {
namespace {

constexpr int kMostPixels = 16384;

/// Pixels are 0..1 before mean and deviation are taken. The last one is what torchvision's networks were trained with.
struct Pixels {
    const char* name;
    const char* mean;
    const char* std;
};
constexpr Pixels kPixels[] = {
    {"0 to 1", "", ""},
    {"-1 to 1", "0.5", "0.5"},
    {"0 to 255", "0", "0.00392156863"},
    {"ImageNet mean and deviation", "0.485, 0.456, 0.406", "0.229, 0.224, 0.225"},
};
constexpr int kOwnPixels = 4;

QString textOf(const std::vector<float>& numbers)
{
    QStringList texts;
    for (const float number : numbers)
        texts += QString::number(static_cast<double>(number), 'g', 9);
    return texts.join(QStringLiteral(", "));
}

QSpinBox* sizeBox(const QString& name, QWidget* parent)
{
    auto* box = new QSpinBox(parent);
    box->setAccessibleName(name);
    box->setToolTip(name);
    box->setRange(0, kMostPixels);
    box->setSpecialValueText(QObject::tr("as the model"));
    return box;
}

QComboBox* comboOf(const QString& name, const QStringList& items, QWidget* parent)
{
    auto* combo = new QComboBox(parent);
    combo->setAccessibleName(name);
    combo->addItems(items);
    return combo;
}

} // namespace

std::optional<std::vector<float>> numbersOf(const QString& text)
{
    std::vector<float> numbers;
    static const QRegularExpression kGap(QStringLiteral("[,;\\s]+"));
    for (const QString& part : text.split(kGap, Qt::SkipEmptyParts)) {
        bool isNumber = false;
        numbers.push_back(part.toFloat(&isNumber));
        if (!isNumber)
            return std::nullopt;
    }
    return numbers;
}

ImageOptions::ImageOptions(QWidget* parent)
    : QWidget(parent)
    , m_height(sizeBox(tr("Height in pixels"), this))
    , m_width(sizeBox(tr("Width in pixels"), this))
    , m_layout(comboOf(tr("Layout"), {QStringLiteral("auto"), QStringLiteral("nchw"), QStringLiteral("nhwc")}, this))
    , m_channels(comboOf(tr("Channels"), {QStringLiteral("rgb"), QStringLiteral("bgr"), QStringLiteral("gray")}, this))
    , m_pixels(comboOf(tr("Range of pixels"), {}, this))
    , m_mean(new QLineEdit(this))
    , m_std(new QLineEdit(this))
{
    setObjectName(QStringLiteral("imageOptions"));
    m_pixels->setObjectName(QStringLiteral("imagePixels"));
    m_mean->setObjectName(QStringLiteral("imageMean"));
    m_std->setObjectName(QStringLiteral("imageStd"));
    for (const Pixels& pixels : kPixels)
        m_pixels->addItem(tr(pixels.name));
    m_pixels->addItem(tr("as written below"));
    m_mean->setPlaceholderText(QStringLiteral("0"));
    m_std->setPlaceholderText(QStringLiteral("1"));
    auto* row = new QHBoxLayout;
    row->addWidget(m_height);
    row->addWidget(new QLabel(QStringLiteral("×")));
    row->addWidget(m_width);
    row->addWidget(m_layout);
    row->addWidget(m_channels);
    row->addStretch(1);
    auto* form = new QFormLayout(this);
    form->setContentsMargins(24, 0, 0, 0);
    form->addRow(tr("Size"), row);
    form->addRow(tr("Pixels"), m_pixels);
    form->addRow(tr("Mean"), m_mean);
    form->addRow(tr("Deviation"), m_std);

    connect(m_pixels, &QComboBox::activated, this, &ImageOptions::choosePixels);
    for (QLineEdit* edit : {m_mean, m_std})
        connect(edit, &QLineEdit::textChanged, this, [this] {
            markNumbers();
            Q_EMIT changed();
        });
    for (QSpinBox* box : {m_height, m_width})
        connect(box, &QSpinBox::valueChanged, this, &ImageOptions::changed);
    for (QComboBox* box : {m_layout, m_channels})
        connect(box, &QComboBox::currentIndexChanged, this, &ImageOptions::changed);
}

void ImageOptions::set(const DatasetOptions& options)
{
    const QSignalBlocker blocker(this);
    m_height->setValue(options.size ? options.size->first : 0);
    m_width->setValue(options.size ? options.size->second : 0);
    m_layout->setCurrentText(toQt(options.layout));
    m_channels->setCurrentText(toQt(options.channels));
    m_mean->setText(textOf(options.mean));
    m_std->setText(textOf(options.std));
}

void ImageOptions::applyTo(DatasetOptions& options) const
{
    options.size.reset();
    if (m_height->value() > 0 && m_width->value() > 0)
        options.size = {m_height->value(), m_width->value()};
    options.layout = toStd(m_layout->currentText());
    options.channels = toStd(m_channels->currentText());
    options.mean = numbersOf(m_mean->text()).value_or(std::vector<float>{});
    options.std = numbersOf(m_std->text()).value_or(std::vector<float>{});
}

bool ImageOptions::isValid() const
{
    return numbersOf(m_mean->text()) && numbersOf(m_std->text());
}

void ImageOptions::choosePixels(int index)
{
    if (index >= kOwnPixels)
        return;
    m_mean->setText(QString::fromLatin1(kPixels[index].mean));
    m_std->setText(QString::fromLatin1(kPixels[index].std));
}

void ImageOptions::markNumbers()
{
    const auto isSame = [this](const Pixels& pixels) {
        return m_mean->text() == QLatin1String(pixels.mean) && m_std->text() == QLatin1String(pixels.std);
    };
    const auto known = std::find_if(std::begin(kPixels), std::end(kPixels), isSame);
    m_pixels->setCurrentIndex(static_cast<int>(known - std::begin(kPixels)));
}

} // namespace duo::ui
