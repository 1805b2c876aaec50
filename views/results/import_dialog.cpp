// SPDX-License-Identifier: Apache-2.0
#include "views/results/import_dialog.h"

#include "core/quantize/points/point_index.h"
#include "core/support/phrases.h"
#include "views/style/format.h"
#include "views/style/text_label.h"

#include <QAbstractTableModel>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QPushButton>
#include <QVBoxLayout>

#include <array>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace duo::ui {
namespace {

constexpr int kColumns = 5;
constexpr int kRowRoom = 6; // pixels beside the text

/// A quantizer, what has none, or a sentence.
struct Row {
    QString by;
    QString was;
    QString is;
    QString type = {};
    QString scale = {};
    QString node = {}; // "": none
    bool isSentence = false; // `was` takes all the room
};

QString tr(const char* text)
{
    return ImportDialog::tr(text);
}

QString byText(FoundBy by)
{
    switch (by) {
    case FoundBy::Name:
        return tr("name");
    case FoundBy::Scope:
        return tr("scope");
    case FoundBy::Storage:
        return tr("storage");
    case FoundBy::Position:
        return tr("position");
    }
    return {};
}

Row noteRow(const QString& kind, const std::string& note)
{
    Row row{kind, toQt(note), {}};
    row.isSentence = true;
    return row;
}

Row rowOf(const Model& model, const Compression& compression, const FoundPoint& found)
{
    Row row{byText(found.by), toQt(found.was), toQt(found.is)};
    const auto point = compression.setup.points.find(found.id);
    const auto known = compression.parameters.find(found.id);
    if (point == compression.setup.points.end() || known == compression.parameters.end())
        return row;
    const QuantizationParameters& parameters = known->second;
    if (point->second.node.valid())
        row.node = toQt(model.node(point->second.node).name);
    if (point->second.port) {
        const QString port = tr(", input %1").arg(*point->second.port);
        row.is += port;
        row.was += port;
    }
    row.type = toQt(std::string(elementTypeName(parameters.type)));
    row.scale = parameters.scale.size() == 1
        ? tr("%1, zero point %2").arg(static_cast<double>(parameters.scale.front())).arg(parameters.zeroPoint.front())
        : parameters.block > 0 ? tr("%1 blocks of %2").arg(parameters.scale.size()).arg(parameters.block)
                               : tr("%1 channels").arg(parameters.scale.size());
    return row;
}

std::vector<Row> rowsOf(const ImportedSetup& imported)
{
    std::vector<Row> rows;
    for (const std::string& note : imported.resumed.leftOut)
        rows.push_back(noteRow(tr("left out"), note));
    for (const std::string& value : imported.without)
        rows.push_back({tr("no entry"), toQt(value), tr("stays in float")});
    const Compression& compression = imported.resumed.compression;
    const Model& model = *placedBy(compression, imported.resumed.snapshot).model;
    for (const FoundPoint& found : imported.resumed.found)
        rows.push_back(rowOf(model, compression, found));
    const std::set<std::string_view> leftOut(imported.resumed.leftOut.begin(), imported.resumed.leftOut.end());
    for (const std::string& note : imported.resumed.notes) {
        if (!leftOut.contains(note))
            rows.push_back(noteRow(tr("differs"), note));
    }
    return rows;
}

class PointModel : public QAbstractTableModel
{
public:
    PointModel(std::vector<Row> rows, QObject* parent)
        : QAbstractTableModel(parent)
        , m_rows(std::move(rows))
    {
    }

    [[nodiscard]] int rowCount(const QModelIndex& parent) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    [[nodiscard]] int columnCount(const QModelIndex& parent) const override { return parent.isValid() ? 0 : kColumns; }

    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override
    {
        if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
            return {};
        const Row& row = m_rows[static_cast<std::size_t>(index.row())];
        const std::array<const QString*, kColumns> texts{&row.by, &row.was, &row.is, &row.type, &row.scale};
        return *texts[static_cast<std::size_t>(index.column())];
    }

    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
            return {};
        const std::array<QString, kColumns> titles{
            tr("Found by"), tr("In the file"), tr("In the open model"), tr("Type"), tr("Scale")};
        return titles[static_cast<std::size_t>(section)];
    }

    [[nodiscard]] bool isSentence(int row) const { return m_rows[static_cast<std::size_t>(row)].isSentence; }
    [[nodiscard]] const QString& nodeOf(int row) const { return m_rows[static_cast<std::size_t>(row)].node; }

private:
    std::vector<Row> m_rows;
};

QString summary(const QString& file, const ImportedSetup& imported)
{
    QString text = tr("%1 was read as %2: %3 of %4 entries are taken, as %5. Nothing is changed yet.")
                       .arg(file, toQt(imported.form))
                       .arg(imported.used)
                       .arg(imported.entries)
                       .arg(toQt(counted(imported.resumed.compression.setup.points.size(), "quantizer", "quantizers")));
    if (!imported.made.empty())
        text += tr(" The scales of %1 weights, which have no entry, were made of the weights.")
                    .arg(imported.made.size());
    if (!imported.biases.empty())
        text += tr(" Those of %1 biases follow from data and weight.").arg(imported.biases.size());
    return text;
}

} // namespace

ImportDialog::ImportDialog(const QString& file, const ImportedSetup& imported, QWidget* parent)
    : QDialog(parent)
    , m_table(new QTableView)
{
    setObjectName(QStringLiteral("importDialog"));
    setWindowTitle(tr("Take quantizers"));
    auto* model = new PointModel(rowsOf(imported), this);
    m_table->setObjectName(QStringLiteral("points"));
    m_table->setModel(model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setWordWrap(false);
    m_table->setTextElideMode(Qt::ElideMiddle); // names differ at their ends
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kRowRoom);
    m_table->horizontalHeader()->setResizeContentsPrecision(100);
    m_table->resizeColumnsToContents();
    for (int row = 0; row < model->rowCount({}); ++row) {
        if (model->isSentence(row))
            m_table->setSpan(row, 1, 1, kColumns - 1);
    }
    m_table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Stretch);
    connect(m_table, &QTableView::activated, this, [this, model](const QModelIndex& index) {
        if (!model->nodeOf(index.row()).isEmpty())
            Q_EMIT nodeChosen(model->nodeOf(index.row()));
    });
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("&Use these"));
    buttons->button(QDialogButtonBox::Ok)->setEnabled(!imported.resumed.compression.setup.points.empty());
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(textLabel(QStringLiteral("summary"), this, summary(file, imported)));
    layout->addWidget(m_table, 1);
    layout->addWidget(buttons);
    resize(900, 480);
}

} // namespace duo::ui
