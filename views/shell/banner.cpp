// SPDX-License-Identifier: Apache-2.0
#include "views/shell/banner.h"

#include "views/style/format.h"
#include "views/style/theme.h"
#include "views/style/window_words.h"

#include <QAccessible>
#include <QClipboard>
#include <QEvent>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>

#include <utility>

namespace duo::ui {
namespace {

constexpr int kLeastLetters = 60; // of the whole width, for buttons beside the text

} // namespace

Banner::Banner(QWidget* parent)
    : QFrame(parent)
    , m_mark(new QLabel(this))
    , m_text(new QLabel(this))
    , m_buttons(new QWidget(this))
    , m_offer(new QPushButton(m_buttons))
    , m_copy(new QPushButton(tr("Copy details"), m_buttons))
    , m_close(new QToolButton(this))
{
    setObjectName(QStringLiteral("banner"));
    setAutoFillBackground(true);
    setFrameShape(QFrame::Box);
    m_text->setObjectName(QStringLiteral("bannerText"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::RichText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_offer->setObjectName(QStringLiteral("bannerOffer"));
    m_copy->setObjectName(QStringLiteral("bannerCopy"));
    m_close->setObjectName(QStringLiteral("bannerClose"));
    m_close->setText(QStringLiteral("✕"));
    m_close->setAutoRaise(true);
    m_close->setAccessibleName(tr("Close the message"));
    m_close->setToolTip(tr("Close the message"));
    auto* row = new QHBoxLayout(m_buttons);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_offer);
    row->addWidget(m_copy);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(10, 6, 6, 6);
    grid->setColumnStretch(1, 1);
    grid->addWidget(m_mark, 0, 0);
    grid->addWidget(m_text, 0, 1);
    grid->addWidget(m_buttons, 0, 2);
    grid->addWidget(m_close, 0, 3, Qt::AlignTop);
    connect(m_close, &QToolButton::clicked, this, &Banner::dismiss);
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_details); });
    connect(m_offer, &QPushButton::clicked, this, [this] {
        const auto action = m_action; // it may show another message
        if (!m_isQuestion)
            dismiss();
        if (action)
            action();
    });
    hide();
}

void Banner::showError(const Error& error)
{
    QString html = QStringLiteral("<b>%1</b>").arg(windowWords(toQt(error.what)).toHtmlEscaped());
    if (!error.where.empty())
        html += QStringLiteral("<br>%1").arg(toQt(error.where).toHtmlEscaped());
    if (!error.whatToDo.empty())
        html += QStringLiteral("<br>→ %1").arg(windowWords(toQt(error.whatToDo)).toHtmlEscaped());
    show(Tone::Bad, html, QStringLiteral("error: ") + toQt(error.line()));
}

void Banner::showMessage(Tone tone, const QString& text)
{
    show(tone, windowWords(text).toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>")), text);
}

void Banner::show(Tone tone, const QString& html, const QString& details)
{
    m_tone = tone;
    m_details = details;
    m_action = nullptr;
    m_offer->hide();
    m_copy->setVisible(tone == Tone::Bad);
    m_buttons->setVisible(tone == Tone::Bad);
    m_mark->setText(tone == Tone::Good ? QStringLiteral("✓")
            : tone == Tone::Bad        ? QStringLiteral("✕")
                                       : QStringLiteral("!"));
    m_text->setText(html);
    setAccessibleName(details);
    paintTone();
    QFrame::show();
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

void Banner::offer(const QString& button, std::function<void()> action)
{
    offer(button, std::move(action), false);
}

void Banner::offerQuestion(const QString& button, std::function<void()> action)
{
    offer(button, std::move(action), true);
}

void Banner::offer(const QString& button, std::function<void()> action, bool isQuestion)
{
    m_action = std::move(action);
    m_isQuestion = isQuestion;
    m_offer->setText(button);
    m_offer->show();
    m_buttons->show();
}

void Banner::dismiss()
{
    hide();
    m_action = nullptr;
}

void Banner::placeButtons()
{
    const bool isOneLine = m_text->heightForWidth(m_text->width()) < 2 * fontMetrics().lineSpacing();
    m_mark->setAlignment(isOneLine ? Qt::AlignVCenter : Qt::AlignTop); // beside the first line
    const bool areBelow = width() < fontMetrics().averageCharWidth() * kLeastLetters;
    if (std::exchange(m_areBelow, areBelow) == areBelow)
        return;
    auto* grid = static_cast<QGridLayout*>(layout());
    grid->removeWidget(m_buttons);
    if (areBelow)
        grid->addWidget(m_buttons, 1, 1, Qt::AlignLeft);
    else
        grid->addWidget(m_buttons, 0, 2);
    updateGeometry(); // it is of another height now
}

void Banner::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    placeButtons();
}

void Banner::paintTone()
{
    const QPalette& base = parentWidget() ? parentWidget()->palette() : palette();
    const Theme& theme = themeFor(base);
    const Shade& shade = m_tone == Tone::Good ? theme.good : m_tone == Tone::Bad ? theme.bad : theme.warning;
    QPalette colors = base;
    colors.setColor(QPalette::Window, shade.fill);
    colors.setColor(QPalette::WindowText, shade.text);
    if (colors.color(QPalette::Window) != palette().color(QPalette::Window))
        setPalette(colors);
    m_mark->setForegroundRole(QPalette::WindowText);
}

void Banner::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && isVisible())
        paintTone();
}

} // namespace duo::ui
