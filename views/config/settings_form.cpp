// SPDX-License-Identifier: Apache-2.0
#include "views/config/settings_form.h"

#include "views/config/profile_text.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QEvent>
#include <QGridLayout>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>
#include <utility>

namespace duo::ui {
namespace {

constexpr int kEditorLetters = 20;
constexpr int kAboutLetters = 28; // a line of what is told of a setting
constexpr int kMargin = 4; // px

/// Turning the wheel scrolls the form; a choice that is passed by does not change. One that is too long ends in "…",
/// and is whole in the tool tip.
class StillComboBox : public QComboBox
{
public:
    using QComboBox::QComboBox;

protected:
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }

    bool event(QEvent* event) override
    {
        if (event->type() == QEvent::ToolTip)
            setToolTip(shownText() == currentText() ? QString() : currentText());
        return QComboBox::event(event);
    }

    void paintEvent(QPaintEvent*) override
    {
        QStylePainter painter(this);
        QStyleOptionComboBox option;
        initStyleOption(&option);
        option.currentText = shownText();
        painter.drawComplexControl(QStyle::CC_ComboBox, option);
        painter.drawControl(QStyle::CE_ComboBoxLabel, option);
    }

private:
    [[nodiscard]] QString shownText() const
    {
        QStyleOptionComboBox option;
        initStyleOption(&option);
        const QRect field = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
        return fontMetrics().elidedText(currentText(), Qt::ElideRight, field.width() - 2); // px, that the style leaves
    }
};

QString unsetText(const Setting& setting)
{
    return SettingsForm::tr("not set: %1").arg(toQt(setting.unset));
}

QString valueText(const std::optional<std::string>& value)
{
    return value ? toQt(*value) : SettingsForm::tr("not set");
}

/// What several values would change alike stands once.
QStringList effectLines(const std::vector<SettingEffect>& effects)
{
    std::vector<std::pair<QString, QStringList>> merged;
    for (const SettingEffect& effect : effects) {
        const QString text = toQt(effect.text);
        const auto found = std::ranges::find(merged, text, &std::pair<QString, QStringList>::first);
        QStringList& values = found == merged.end() ? merged.emplace_back(text, QStringList()).second : found->second;
        values += valueText(effect.value);
    }
    QStringList lines;
    for (const auto& [text, values] : merged)
        lines += values == QStringList(valueText(std::nullopt)) && effects.size() == 1
            ? text.toHtmlEscaped()
            : QStringLiteral("<b>%1</b>: %2")
                  .arg(values.join(QStringLiteral(", ")).toHtmlEscaped(), text.toHtmlEscaped());
    return lines;
}

} // namespace

SettingsForm::SettingsForm(QWidget* parent)
    : QScrollArea(parent)
{
    setObjectName(QStringLiteral("settingsForm"));
    setAccessibleName(tr("Settings"));
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus); // its rows have it
    auto* form = new QWidget(this);
    auto* grid = new QGridLayout(form);
    grid->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    grid->setColumnStretch(1, 1);
    for (const Setting& setting : settingTable())
        addRow(setting, *form);
    grid->setRowStretch(grid->rowCount(), 1);
    setWidget(form);
    setSettings({});
    setMinimumWidth(form->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width() + 2 * frameWidth());
}

void SettingsForm::addRow(const Setting& setting, QWidget& form)
{
    auto* grid = static_cast<QGridLayout*>(form.layout());
    Row row{&setting, nullptr, nullptr, new QLabel(&form), {}, {}, {}};
    const std::size_t index = m_rows.size();
    auto* name = new QLabel(toQt(setting.key), &form);
    QString broken = name->text(); // long keys break behind their object, and where they have to behind a word
    broken.replace(QLatin1Char('.'), QStringLiteral(".<br>&nbsp;&nbsp;"));
    name->setText(broken.replace(QLatin1Char('_'), QStringLiteral("_&#8203;")));
    name->setTextFormat(Qt::RichText);
    name->setWordWrap(true);
    QWidget* editor = nullptr;
    if (setting.choices.empty()) {
        row.number = new QLineEdit(&form);
        row.number->setPlaceholderText(unsetText(setting));
        row.number->setToolTip(unsetText(setting)); // there may be no room for all of it
        connect(row.number, &QLineEdit::editingFinished, this, [this, index] {
            const QString text = m_rows[index].number->text().trimmed();
            choose(index, text.isEmpty() ? std::nullopt : std::optional(toStd(text)));
        });
        editor = row.number;
    } else {
        row.choices = new StillComboBox(&form);
        row.choices->setFocusPolicy(Qt::StrongFocus);
        row.choices->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        row.choices->setMinimumContentsLength(kEditorLetters);
        if (!setting.unset.empty())
            row.choices->addItem(unsetText(setting));
        for (const std::string_view choice : setting.choices)
            row.choices->addItem(toQt(choice), toQt(choice));
        connect(row.choices, &QComboBox::activated, this, [this, index] {
            const QVariant chosen = m_rows[index].choices->currentData();
            choose(index, chosen.isValid() ? std::optional(toStd(chosen.toString())) : std::nullopt);
        });
        editor = row.choices;
    }
    editor->setObjectName(QStringLiteral("setting:") + toQt(setting.key));
    editor->setAccessibleName(toQt(setting.key));
    editor->setAccessibleDescription(toQt(setting.meaning));
    name->setBuddy(editor);
    row.about->setObjectName(QStringLiteral("about:") + toQt(setting.key));
    row.about->setWordWrap(true);
    row.about->setMinimumWidth(fontMetrics().averageCharWidth() * kAboutLetters); // else it grows with its text
    row.about->setTextFormat(Qt::RichText);
    row.about->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* left = new QVBoxLayout;
    left->setSpacing(1);
    left->addWidget(name);
    left->addWidget(editor);
    left->addStretch(1);
    const int line = grid->rowCount();
    grid->addLayout(left, line, 0);
    grid->addWidget(row.about, line, 1, Qt::AlignTop);
    m_rows.push_back(std::move(row));
}

void SettingsForm::setSettings(const QuantizationSettings& settings)
{
    m_settings = settings;
    for (Row& row : m_rows) {
        row.value = settingText(settings, *row.setting);
        row.problem.clear();
        showValue(row);
        describe(row);
    }
}

void SettingsForm::showValue(Row& row)
{
    const QString text = row.value ? toQt(*row.value) : QString();
    if (row.number) {
        const QSignalBlocker blocker(row.number);
        if (row.number->text() != text)
            row.number->setText(text);
        return;
    }
    const QSignalBlocker blocker(row.choices);
    int index = row.value ? row.choices->findData(text) : 0;
    for (int i = row.choices->count() - 1; i >= 0; --i) { // a value that cannot be chosen was shown before
        if (row.choices->itemData(i, Qt::UserRole + 1).toBool())
            row.choices->removeItem(i);
    }
    if (index < 0) {
        index = row.choices->count();
        row.choices->addItem(text, text);
        row.choices->setItemData(index, true, Qt::UserRole + 1);
    }
    row.choices->setCurrentIndex(index);
}

void SettingsForm::describe(Row& row)
{
    const Theme& theme = themeFor(palette());
    QString text = toQt(row.setting->meaning);
    text[0] = text[0].toUpper();
    QStringList lines{text.toHtmlEscaped()};
    if (row.setting->key == "profile")
        lines += targetSummary(m_settings).toHtmlEscaped();
    if (!row.problem.isEmpty())
        lines += QStringLiteral("<span style='color:%1'><b>%2</b></span>")
                     .arg(theme.bad.ink.name(), row.problem.toHtmlEscaped());
    if (row.effects.empty() && m_isWaiting)
        lines += QStringLiteral("<span style='color:%1'>…</span>").arg(theme.muted.name());
    for (const QString& line : effectLines(row.effects))
        lines += QStringLiteral("<span style='color:%1'>%2</span>").arg(theme.muted.name(), line);
    row.about->setText(lines.join(QStringLiteral("<br>")));
}

void SettingsForm::forgetEffects(bool areComing)
{
    m_isWaiting = areComing;
    for (Row& row : m_rows) {
        row.effects.clear();
        describe(row);
    }
}

void SettingsForm::setEffects(const Setting& setting, const std::vector<SettingEffect>& effects)
{
    const auto row = std::ranges::find(m_rows, &setting, &Row::setting);
    if (row == m_rows.end())
        return;
    row->effects = effects;
    describe(*row);
}

void SettingsForm::choose(std::size_t index, const std::optional<std::string>& value)
{
    Row& row = m_rows[index];
    if (value == row.value)
        return;
    const auto changed = withSetting(m_settings, *row.setting, value);
    if (!changed) {
        row.problem = toQt(changed.error().what) + QStringLiteral(": ") + toQt(changed.error().whatToDo);
        describe(row);
        return;
    }
    if (*changed == m_settings) { // written otherwise: "0.50"
        setSettings(m_settings);
        return;
    }
    Q_EMIT edited(row.setting, value);
}

void SettingsForm::changeEvent(QEvent* event)
{
    QScrollArea::changeEvent(event);
    if (event->type() != QEvent::PaletteChange)
        return;
    for (Row& row : m_rows)
        describe(row);
}

} // namespace duo::ui
