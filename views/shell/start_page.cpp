// SPDX-License-Identifier: Apache-2.0
#include "views/shell/start_page.h"

#include "views/style/format.h"
#include "views/style/theme.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace duo::ui {
namespace {

constexpr int kMargin = 24; // px between the window and the drop frame
constexpr int kColumnWidth = 960;

QString describe(const QFileInfo& file)
{
    return QStringLiteral("%1 — %2, %3").arg(file.fileName(), bytesText(file.size()), file.absolutePath());
}

QLabel* label(const QString& text, double scale, bool bold)
{
    auto* result = new QLabel(text);
    QFont font = result->font();
    font.setPointSizeF(font.pointSizeF() * scale);
    font.setBold(bold);
    result->setFont(font);
    result->setWordWrap(true);
    return result;
}

} // namespace

StartPage::StartPage(QWidget* parent)
    : QWidget(parent)
    , m_open(new QPushButton(tr("&Open a model…"), this))
    , m_recent(makeList(QStringLiteral("recentList"), tr("Recent models")))
    , m_samples(makeList(QStringLiteral("sampleList"), tr("Sample models")))
    , m_kept(label({}, 1.0, false))
{
    setObjectName(QStringLiteral("startPage"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_open->setObjectName(QStringLiteral("startOpen"));
    m_open->setMinimumHeight(fontMetrics().height() * 2);
    m_open->setDefault(true);
    connect(m_open, &QPushButton::clicked, this, &StartPage::openRequested);

    auto* column = new QWidget(this);
    column->setMaximumWidth(kColumnWidth);
    auto* grid = new QGridLayout(column);
    grid->setVerticalSpacing(8);
    grid->addWidget(label(tr("Drop an ONNX model here"), 1.8, true), 0, 0, 1, 2);
    grid->addWidget(label(tr("1. Open a model and see where its parameters live and where its operations run.\n"
                             "2. Mark scopes or nodes to ignore (I) or to target (T); the graph follows at once.\n"
                             "3. Quantize with your data, then export a model that runs, with every check named."),
                        1.0, false),
        1, 0, 1, 2);
    grid->addWidget(m_open, 2, 0, Qt::AlignLeft);
    grid->addWidget(label(tr("Recent"), 1.1, true), 3, 0);
    grid->addWidget(label(tr("Samples"), 1.1, true), 3, 1);
    grid->addWidget(m_recent, 4, 0);
    grid->addWidget(m_samples, 4, 1);
    grid->addWidget(m_kept, 5, 0, 1, 2);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kMargin, 2 * kMargin, 2 * kMargin, 2 * kMargin);
    layout->addStretch(1);
    layout->addWidget(column, 4); // in the middle, as wide as it may be
    layout->addStretch(1);
    setRecent({});
    setSamples({});
}

QListWidget* StartPage::makeList(const QString& name, const QString& title)
{
    auto* list = new QListWidget(this);
    list->setObjectName(name);
    list->setAccessibleName(title);
    list->setTextElideMode(Qt::ElideRight);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    const auto choose = [this](const QListWidgetItem* item) {
        if (const QString path = item->data(Qt::UserRole).toString(); !path.isEmpty())
            Q_EMIT pathChosen(path);
    };
    connect(list, &QListWidget::itemActivated, this, choose); // double click or Enter
    return list;
}

void StartPage::fill(QListWidget* list, const QStringList& paths, const QString& ifEmpty)
{
    list->clear();
    for (const QString& path : paths) {
        const QFileInfo file(path);
        auto* item = new QListWidgetItem(describe(file), list);
        item->setData(Qt::UserRole, path);
        item->setToolTip(path);
    }
    if (paths.isEmpty())
        (new QListWidgetItem(ifEmpty, list))->setFlags(Qt::NoItemFlags);
    else
        list->setCurrentRow(0);
}

void StartPage::setRecent(const QStringList& paths)
{
    fill(m_recent, paths, tr("none yet"));
}

void StartPage::setSamples(const QStringList& paths)
{
    fill(m_samples, paths, tr("none installed"));
}

void StartPage::setKeptIn(const QString& folder)
{
    m_kept->setText(tr("What you do with a model is kept as you do it, in %1. You can close the window at any time: "
                       "opened again, the model stands as you left it.")
                        .arg(folder));
}

void StartPage::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(themeFor(palette()).muted, 2, Qt::DashLine));
    painter.drawRoundedRect(rect().adjusted(kMargin, kMargin, -kMargin, -kMargin), 12, 12);
}

} // namespace duo::ui
