// SPDX-License-Identifier: Apache-2.0
#include "views/config/config_view.h"

#include "views/style/format.h"
#include "views/style/theme.h"

#include <QClipboard>
#include <QEvent>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QTextBlock>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace duo::ui {
namespace {

constexpr int kPauseMs = 250; // without a key before the text is read
constexpr int kLossesShown = 3;
constexpr int kFormPercent = 60; // of the room, for the form
constexpr int kMessageLines = 4; // seen at once
constexpr int kLettersBeside = 90; // width from which the text stands beside the form
constexpr int kWantedLines = 24;

} // namespace

ConfigView::ConfigView(QWidget* parent)
    : QWidget(parent)
    , m_form(new SettingsForm(this))
    , m_parts(new QSplitter(this))
    , m_forms(new QComboBox(this))
    , m_text(new QPlainTextEdit(this))
    , m_message(new QLabel(this))
    , m_messageArea(new QScrollArea(this))
    , m_copy(new QPushButton(tr("&Copy"), this))
    , m_revert(new QPushButton(tr("&Revert"), this))
{
    setObjectName(QStringLiteral("configView"));
    makeText();
    auto* bar = new QHBoxLayout;
    bar->addWidget(m_forms);
    bar->addWidget(m_copy);
    bar->addWidget(m_revert);
    bar->addStretch(1);
    auto* text = new QWidget(m_parts);
    auto* column = new QVBoxLayout(text);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(bar);
    column->addWidget(m_text, 1);
    column->addWidget(m_messageArea);
    m_parts->setObjectName(QStringLiteral("configParts"));
    m_parts->setChildrenCollapsible(false);
    m_parts->addWidget(m_form);
    m_parts->addWidget(text);
    m_parts->setStretchFactor(0, kFormPercent);
    m_parts->setStretchFactor(1, 100 - kFormPercent);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->addWidget(m_parts);

    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &ConfigView::readText);
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_isShowing && isEditable(m_shown))
            m_pause.start();
    });
    connect(m_forms, &QComboBox::currentIndexChanged, this, &ConfigView::changeForm);
    connect(
        m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_text->toPlainText()); });
    connect(m_form, &SettingsForm::edited, this,
        [this](const Setting* setting, const auto& value) { useSetting(*setting, value); });
    connect(m_revert, &QPushButton::clicked, this, &ConfigView::revert);
    connect(m_message, &QLabel::linkActivated, this, &ConfigView::goToProblem);
    describe();
}

void ConfigView::makeText()
{
    m_forms->setObjectName(QStringLiteral("configForm"));
    m_forms->setAccessibleName(tr("Form of the configuration"));
    for (const ConfigForm form : kConfigForms)
        m_forms->addItem(configFormLabel(form), static_cast<int>(form));
    m_text->setObjectName(QStringLiteral("configText"));
    m_text->setAccessibleName(tr("Configuration"));
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setTabChangesFocus(true);
    m_text->setUndoRedoEnabled(false); // the window's list of steps is the only one
    m_text->setAcceptDrops(false);
    m_text->installEventFilter(this);
    m_message->setObjectName(QStringLiteral("configMessage"));
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::RichText);
    m_message->setAlignment(Qt::AlignTop);
    m_message->setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::TextSelectableByKeyboard);
    m_messageArea->setObjectName(QStringLiteral("configMessageArea"));
    m_messageArea->setFrameShape(QFrame::NoFrame);
    m_messageArea->setWidgetResizable(true);
    m_messageArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_messageArea->setFocusPolicy(Qt::NoFocus); // the text in it has it
    m_messageArea->setWidget(m_message);
    m_copy->setObjectName(QStringLiteral("configCopy"));
    m_copy->setToolTip(tr("Copy the text in this form"));
    m_revert->setObjectName(QStringLiteral("configRevert"));
    m_revert->setToolTip(tr("Leave the text that cannot be read, and show the rules as they are"));
    m_messageArea->setMaximumHeight(kMessageLines * fontMetrics().lineSpacing());
}

ConfigForm ConfigView::form() const
{
    return static_cast<ConfigForm>(m_forms->currentData().toInt());
}

void ConfigView::changeForm()
{
    if (m_pause.isActive()) { // what was typed last counts
        m_pause.stop();
        readText();
    }
    m_shown = form();
    ++m_session;
    m_isOutdated = true;
    showText();
}

/// What was typed last counts, too.
void ConfigView::useSetting(const Setting& setting, const std::optional<std::string>& value)
{
    if (m_pause.isActive()) {
        m_pause.stop();
        readText();
    }
    auto settings = withSetting(m_recipe.quantization, setting, value);
    if (!settings) // what was typed last does not go with it
        return;
    Recipe recipe = m_recipe;
    recipe.quantization = *std::move(settings);
    const QString key = toQt(setting.key);
    Q_EMIT recipeEdited(
        recipe, value ? QStringLiteral("%1: %2").arg(key, toQt(*value)) : tr("%1 not set").arg(key), {});
}

void ConfigView::setEffects(const Setting& setting, const std::vector<SettingEffect>& effects)
{
    m_form->setEffects(setting, effects);
}

void ConfigView::forgetEffects()
{
    m_form->forgetEffects(m_snapshot && m_snapshot->placement);
}

QSize ConfigView::sizeHint() const
{
    return {QWidget::sizeHint().width(), kWantedLines * fontMetrics().lineSpacing()};
}

QSize ConfigView::minimumSizeHint() const
{
    const QMargins around = layout()->contentsMargins();
    return {std::max(narrowest(0), narrowest(1)) + around.left() + around.right(), QWidget::minimumSizeHint().height()};
}

int ConfigView::narrowest(int part) const
{
    const QWidget* widget = m_parts->widget(part);
    return widget->minimumSizeHint().expandedTo(widget->minimumSize()).width();
}

void ConfigView::setSnapshot(std::shared_ptr<const Snapshot> snapshot)
{
    const bool isOther = !snapshot || !m_snapshot || snapshot->model != m_snapshot->model;
    const bool isRead = snapshot && m_snapshot && snapshot->scopes == m_snapshot->scopes;
    const bool isSame = snapshot == m_snapshot;
    m_snapshot = std::move(snapshot);
    setEnabled(m_snapshot != nullptr);
    if (!isSame)
        forgetEffects();
    if (isOther)
        m_drafts.clear();
    if (isRead) // only names of scopes go into the text
        return;
    m_isOutdated = true;
    showText();
}

void ConfigView::setRecipe(const Recipe& recipe)
{
    m_recipe = recipe;
    m_form->setSettings(recipe.quantization);
    forgetEffects();
    if (m_isReading)
        return;
    ++m_session;
    m_isOutdated = true;
    if (m_drafts.contains(m_shown))
        describe(); // the text of the user stays
    else
        showText();
}

void ConfigView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    showText();
    Q_EMIT effectsWanted(true);
}

void ConfigView::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    Q_EMIT effectsWanted(false);
}

void ConfigView::showText()
{
    if (!m_snapshot || !m_snapshot->scopes || !m_isOutdated || !isVisible())
        return;
    const QScopedValueRollback guard(m_isShowing, true);
    m_pause.stop();
    m_isOutdated = false;
    const ConfigText written = configText(m_shown, m_recipe, *m_snapshot);
    m_losses = written.losses;
    m_problem = {};
    const auto draft = m_drafts.find(m_shown);
    const QString& text = draft == m_drafts.end() ? written.text : draft->second;
    const int scrolled = m_text->verticalScrollBar()->value();
    if (m_text->toPlainText() != text)
        m_text->setPlainText(text);
    m_text->verticalScrollBar()->setValue(scrolled);
    m_text->setReadOnly(!isEditable(m_shown));
    if (draft != m_drafts.end()) {
        const auto read = readConfig(m_shown, text, m_recipe, *m_snapshot);
        if (const auto* problem = std::get_if<ConfigProblem>(&read))
            m_problem = *problem;
    }
    describe();
}

void ConfigView::readText()
{
    if (!m_snapshot || !m_snapshot->scopes)
        return;
    const QString text = m_text->toPlainText();
    const auto read = readConfig(m_shown, text, m_recipe, *m_snapshot);
    if (const auto* problem = std::get_if<ConfigProblem>(&read)) {
        m_problem = *problem;
        m_drafts[m_shown] = text;
        describe();
        return;
    }
    m_problem = {};
    m_drafts.erase(m_shown);
    const Recipe& recipe = std::get<Recipe>(read);
    if (recipe != m_recipe) {
        const QScopedValueRollback guard(m_isReading, true);
        Q_EMIT recipeEdited(recipe, tr("Edit the %1").arg(configFormLabel(m_shown)), tr("config %1").arg(m_session));
    }
    m_losses = configText(m_shown, m_recipe, *m_snapshot).losses;
    describe();
}

void ConfigView::revert()
{
    m_drafts.erase(m_shown);
    m_isOutdated = true;
    showText();
}

void ConfigView::describe()
{
    const Theme& theme = themeFor(palette());
    const bool isInvalid = !m_problem.text.isEmpty();
    m_revert->setVisible(isInvalid);
    QStringList lines;
    if (isInvalid) {
        const QString place = m_problem.line > 0
            ? QStringLiteral("<a href='problem'>%1</a>: ")
                  .arg(tr("Line %1, column %2").arg(m_problem.line).arg(m_problem.column))
            : QString();
        lines += QStringLiteral("<span style='color:%1'><b>%2%3</b></span>")
                     .arg(theme.bad.ink.name(), place, m_problem.text.toHtmlEscaped());
        lines += tr("The rules stay as they were until the text can be read.");
    }
    for (int i = 0; i < std::min<int>(kLossesShown, static_cast<int>(m_losses.size())); ++i)
        lines += QStringLiteral("<span style='color:%1'>!</span> %2")
                     .arg(theme.warning.ink.name(), m_losses[i].toHtmlEscaped());
    if (m_losses.size() > kLossesShown)
        lines += tr("… and %1 more that this form cannot say").arg(m_losses.size() - kLossesShown);
    if (lines.isEmpty() && m_snapshot)
        lines += isEditable(m_shown) ? tr("This form says everything. Edit it here: valid text changes the rules.")
                                     : tr("This form says everything. It is for copying.");
    m_message->setText(lines.join(QStringLiteral("<br>")));
    m_message->setToolTip(m_losses.join(QLatin1Char('\n')));
    markProblem();
}

void ConfigView::markProblem()
{
    QList<QTextEdit::ExtraSelection> marks;
    if (!m_problem.text.isEmpty() && m_problem.line > 0) {
        const Theme& theme = themeFor(palette());
        const QTextBlock block
            = m_text->document()->findBlockByNumber(std::min(m_problem.line, m_text->document()->blockCount()) - 1);
        QTextEdit::ExtraSelection line;
        line.format.setBackground(theme.bad.fill);
        line.format.setForeground(theme.bad.text);
        line.format.setProperty(QTextFormat::FullWidthSelection, true);
        line.cursor = QTextCursor(block);
        marks.append(line);
        QTextEdit::ExtraSelection rest;
        rest.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        rest.format.setUnderlineColor(theme.bad.ink);
        rest.cursor = QTextCursor(block);
        rest.cursor.movePosition(QTextCursor::Right, QTextCursor::MoveAnchor,
            std::clamp(m_problem.column - 1, 0, std::max(0, block.length() - 2)));
        rest.cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        marks.append(rest);
    }
    m_text->setExtraSelections(marks);
}

void ConfigView::goToProblem()
{
    QTextCursor cursor(m_text->document()->findBlockByNumber(m_problem.line - 1));
    cursor.movePosition(
        QTextCursor::Right, QTextCursor::MoveAnchor, std::clamp(m_problem.column - 1, 0, cursor.block().length() - 1));
    m_text->setTextCursor(cursor);
    m_text->setFocus();
}

void ConfigView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const bool isWide = width() > kLettersBeside * fontMetrics().averageCharWidth()
        && contentsRect().marginsRemoved(layout()->contentsMargins()).width()
            >= narrowest(0) + m_parts->handleWidth() + narrowest(1);
    const auto orientation = isWide ? Qt::Horizontal : Qt::Vertical;
    const bool isFirst = event->oldSize().width() <= 0;
    if (!isFirst && m_parts->orientation() == orientation)
        return; // sizes are the user's
    m_parts->setOrientation(orientation);
    const int room = isWide ? width() : height();
    m_parts->setSizes({room * kFormPercent / 100, room - room * kFormPercent / 100});
}

bool ConfigView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_text && event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo))
            return true; // not taken by the text: the window has one list of steps
    }
    return QWidget::eventFilter(watched, event);
}

void ConfigView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        describe();
}

} // namespace duo::ui
