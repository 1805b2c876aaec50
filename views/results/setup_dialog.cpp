// SPDX-License-Identifier: Apache-2.0
#include "views/results/setup_dialog.h"

#include "views/style/format.h"
#include "views/style/text_label.h"

#include <QAbstractTableModel>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QVBoxLayout>

#include <array>
#include <utility>
#include <vector>

namespace duo::ui {
namespace {

constexpr int kColumns = 5;
constexpr int kFirstOfWide = 3; // the two setups
constexpr int kRowRoom = 6; // pixels beside the text

struct Row {
    QString what;
    QString place;
    QString here;
    QString there;
    QString scope = {}; // "": the root, or it is about none
    QString node = {}; // "": none
};

QString tr(const char* text)
{
    return SetupDialog::tr(text);
}

QString orNone(const std::string& text)
{
    return text.empty() ? QStringLiteral("–") : toQt(text);
}

void addTexts(const QString& what, const std::vector<TextDifference>& differences, std::vector<Row>& rows)
{
    for (const TextDifference& one : differences)
        rows.push_back({what, toQt(one.name), orNone(one.first), orNone(one.second)});
}

std::vector<Row> rowsOf(const ComparedSetups& of, const SetupDifference& difference)
{
    std::vector<Row> rows;
    addTexts(tr("result"), of.results, rows);
    const QString none = QStringLiteral("–");
    for (const std::string& rule : difference.rulesOnlyFirst)
        rows.push_back({tr("rule"), toQt(rule), tr("yes"), none});
    for (const std::string& rule : difference.rulesOnlySecond)
        rows.push_back({tr("rule"), toQt(rule), none, tr("yes")});
    if (difference.areRulesReordered)
        rows.push_back({tr("rules"), tr("the same in another order"), {}, {}});
    addTexts(tr("setting"), difference.settings, rows);
    for (const QuantizerDifference& one : difference.quantizers)
        rows.push_back(
            {tr("quantizer"), toQt(one.place), orNone(one.first), orNone(one.second), toQt(one.scope), toQt(one.node)});
    addTexts(tr("made with"), difference.facts, rows);
    return rows;
}

class DifferenceModel : public QAbstractTableModel
{
public:
    DifferenceModel(const ComparedSetups& of, const SetupDifference& difference, QObject* parent)
        : QAbstractTableModel(parent)
        , m_titles{tr("What"), tr("Where"), tr("Scope"), of.first, of.second}
        , m_rows(rowsOf(of, difference))
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
        const std::array<const QString*, kColumns> texts{&row.what, &row.place, &row.scope, &row.here, &row.there};
        return *texts[static_cast<std::size_t>(index.column())];
    }

    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
            return {};
        return m_titles[static_cast<std::size_t>(section)];
    }

    [[nodiscard]] const QString& nodeOf(int row) const { return m_rows[static_cast<std::size_t>(row)].node; }

private:
    std::array<QString, kColumns> m_titles;
    std::vector<Row> m_rows;
};

QString summary(const QString& subject, const SetupDifference& difference)
{
    const auto quantizers = difference.quantizers.size() + difference.same;
    const QString said = difference.isSame() ? tr("The setup of %1 is the same.").arg(subject)
                                             : tr("The setup of %1 is another one.").arg(subject);
    if (quantizers == 0)
        return said;
    return said + QLatin1Char(' ')
        + tr("%1 of %2 quantizers differ; select one to see where it stands.")
              .arg(difference.quantizers.size())
              .arg(quantizers);
}

} // namespace

SetupDialog::SetupDialog(const ComparedSetups& of, const SetupDifference& difference, QWidget* parent)
    : QDialog(parent)
    , m_table(new QTableView)
{
    setObjectName(QStringLiteral("setupDialog"));
    setWindowTitle(tr("Compare setups"));
    auto* model = new DifferenceModel(of, difference, this);
    m_table->setObjectName(QStringLiteral("differences"));
    m_table->setModel(model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kRowRoom);
    m_table->horizontalHeader()->setResizeContentsPrecision(100);
    m_table->resizeColumnsToContents();
    for (int column = kFirstOfWide; column < kColumns; ++column)
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this, model](const QModelIndex& index) {
            if (index.isValid() && !model->nodeOf(index.row()).isEmpty())
                Q_EMIT nodeChosen(model->nodeOf(index.row()));
        });
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(textLabel(QStringLiteral("summary"), this, summary(of.subject, difference)));
    layout->addWidget(m_table, 1);
    layout->addWidget(buttons);
    const bool hasRows = !difference.isSame() || !of.results.empty();
    m_table->setVisible(hasRows);
    if (hasRows)
        resize(900, 480);
}

} // namespace duo::ui
