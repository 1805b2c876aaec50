// SPDX-License-Identifier: Apache-2.0
#include "views/transforms/transforms_view.h"

#include "core/transform/fused_names.h"
#include "core/transform/halve.h"
#include "core/transform/pass.h"
#include "views/intent/rule_intent.h"
#include "views/style/format.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>
#include <map>
#include <unordered_set>

namespace duo::ui {
namespace {

constexpr int kMargin = 6;
constexpr std::size_t kReasonsShown = 6;

/// "12 nodes: its output is an output of the graph": a line for each reason.
QString skippedText(const PassReport& pass)
{
    std::map<std::string, std::int64_t> counts;
    for (const TransformedNode& node : pass.skipped)
        ++counts[node.why];
    QStringList lines;
    for (const auto& [why, count] : counts) {
        if (lines.size() < static_cast<qsizetype>(kReasonsShown))
            lines += TransformsView::tr("not %1: %2").arg(nodesText(count), toQt(why));
    }
    return lines.join(QLatin1Char('\n'));
}

bool isOffered(const Pass& pass)
{
    return pass.stage == PassStage::Common || pass.stage == PassStage::Target;
}

/// Whether it runs without being switched on: those of any target, and those that this one wants.
bool isWanted(const Pass& pass, const TransformOptions& options)
{
    return pass.stage == PassStage::Common || isAskedFor(pass, options);
}

bool isOn(const Pass& pass, const TransformOptions& options)
{
    const std::string id(pass.id);
    return !options.disabled.contains(id) && (options.enabled.contains(id) || isWanted(pass, options));
}

/// The options with a pass switched on or off.
TransformOptions switched(TransformOptions options, const Pass& pass, bool on)
{
    const std::string id(pass.id);
    options.disabled.erase(id);
    options.enabled.erase(id);
    if (on && !isWanted(pass, options))
        options.enabled.insert(id);
    else if (!on && isWanted(pass, options))
        options.disabled.insert(id);
    return options;
}

std::string idOf(const QTreeWidgetItem& item)
{
    return toStd(item.data(0, Qt::UserRole).toString());
}

} // namespace

TransformsView::TransformsView(QWidget* parent)
    : QWidget(parent)
    , m_isOn(new QCheckBox(tr("S&implify the model before quantizers are placed"), this))
    , m_staticShapes(new QCheckBox(tr("&Sizes are fixed"), this))
    , m_lowPrecision(new QCheckBox(tr("Leave what &dequantizes constants"), this))
    , m_target(new QComboBox(this))
    , m_summary(new QLabel(this))
    , m_passes(new QTreeWidget(this))
    , m_kept(new QLabel(this))
    , m_keep(new QPushButton(tr("&Keep the selection"), this))
    , m_keepNothing(new QPushButton(tr("Keep &nothing"), this))
    , m_look(new QPushButton(tr("&What would it do?"), this))
{
    setObjectName(QStringLiteral("transformsView"));
    m_isOn->setObjectName(QStringLiteral("transformsOn"));
    m_isOn->setToolTip(tr("Nodes go that change nothing; those that stay keep names and scopes, and rules hold"));
    m_staticShapes->setObjectName(QStringLiteral("transformsStaticShapes"));
    m_staticShapes->setToolTip(tr("Passes run that need sizes; the result may not fit inputs of other sizes"));
    m_lowPrecision->setObjectName(QStringLiteral("transformsLowPrecision"));
    m_lowPrecision->setToolTip(tr("DequantizeLinear, or Cast, Sub and Mul of codes, stay as they are"));
    m_target->setObjectName(QStringLiteral("transformsTarget"));
    m_target->setAccessibleName(tr("Passes of a target"));
    m_target->setToolTip(tr("What one runtime wants besides what is good for any"));
    m_target->addItem(tr("for any target"), QString());
    for (const TransformTarget& target : transformTargets())
        m_target->addItem(tr("for %1").arg(toQt(target.name)), toQt(target.name));
    m_summary->setObjectName(QStringLiteral("transformsSummary"));
    m_summary->setWordWrap(true);
    m_passes->setObjectName(QStringLiteral("transformsPasses"));
    m_passes->setAccessibleName(tr("Passes in their order"));
    m_passes->setHeaderLabels({tr("Pass"), tr("Nodes"), tr("Stage"), tr("What it does")});
    m_passes->setRootIsDecorated(false);
    m_passes->setUniformRowHeights(true);
    m_passes->header()->setSectionResizeMode(DoesColumn, QHeaderView::Stretch);
    m_passes->setMinimumSize(100, 60);
    for (const Pass& pass : passes()) {
        if (isOffered(pass))
            makeRow(pass, *m_passes);
    }
    m_kept->setObjectName(QStringLiteral("transformsKept"));
    m_kept->setWordWrap(true);
    m_keep->setObjectName(QStringLiteral("transformsKeep"));
    m_keep->setToolTip(tr("No pass changes the nodes selected in trees or graph"));
    m_keepNothing->setObjectName(QStringLiteral("transformsKeepNothing"));
    m_look->setObjectName(QStringLiteral("transformsLook"));
    m_look->setToolTip(tr("Run the passes on the model as it was opened, and change nothing"));
    auto* switches = new QGridLayout; // in two lines: in one they were wider than a small window
    switches->addWidget(m_isOn, 0, 0);
    switches->addWidget(m_target, 0, 1);
    switches->addWidget(m_lowPrecision, 1, 0);
    switches->addWidget(m_staticShapes, 1, 1);
    switches->setColumnStretch(2, 1);
    auto* last = new QHBoxLayout;
    last->addWidget(m_kept, 1);
    for (QWidget* part : std::initializer_list<QWidget*>{m_keep, m_keepNothing, m_look})
        last->addWidget(part);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    layout->addLayout(switches);
    layout->addWidget(m_summary);
    layout->addWidget(m_passes, 1);
    layout->addLayout(last);
    connectParts();
    refresh();
}

void TransformsView::makeRow(const Pass& pass, QTreeWidget& list)
{
    auto* item = new QTreeWidgetItem(&list);
    item->setData(0, Qt::UserRole, toQt(pass.id));
    item->setText(0, toQt(pass.id));
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    const bool isOfAll = pass.stage == PassStage::Common;
    item->setText(StageColumn, isOfAll ? TransformsView::tr("common") : TransformsView::tr("target"));
    item->setToolTip(StageColumn,
        isOfAll ? TransformsView::tr("Holds whatever the model is to run on")
                : TransformsView::tr("Runs behind the others, where the target wants it or it is switched on"));
    item->setText(DoesColumn, toQt(pass.does));
    if ((pass.keeps & keeps::kBits) == 0)
        item->setToolTip(DoesColumn, TransformsView::tr("Outputs stay the same to rounding"));
}

void TransformsView::connectParts()
{
    connect(m_isOn, &QCheckBox::clicked, this, [this](bool isOn) {
        Recipe recipe = m_recipe;
        const TransformOptions now = options();
        m_idle = now;
        recipe.transforms = isOn ? std::optional(now) : std::nullopt;
        Q_EMIT recipeEdited(recipe, isOn ? tr("Simplify the model") : tr("Do not simplify the model"));
    });
    connect(m_staticShapes, &QCheckBox::clicked, this, [this](bool isOn) {
        TransformOptions now = options();
        now.staticShapes = isOn;
        edit(now, isOn ? tr("Simplify for these sizes") : tr("Simplify for any sizes"));
    });
    connect(m_lowPrecision, &QCheckBox::clicked, this, [this](bool isOn) {
        TransformOptions now = options();
        now.lowPrecision = isOn;
        edit(now, isOn ? tr("Leave what dequantizes constants") : tr("Simplify what dequantizes constants"));
    });
    connect(m_target, &QComboBox::activated, this, [this] {
        TransformOptions now = options();
        now.target = toStd(m_target->currentData().toString());
        edit(now, tr("Simplify %1").arg(m_target->currentText()));
    });
    connect(m_passes, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item) {
        if (m_isShowing)
            return;
        const auto pass = std::ranges::find(passes(), idOf(*item), &Pass::id);
        const bool on = item->checkState(PassColumn) == Qt::Checked;
        edit(switched(options(), *pass, on), (on ? tr("Pass %1 on") : tr("Pass %1 off")).arg(toQt(pass->id)));
    });
    connect(m_passes, &QTreeWidget::itemSelectionChanged, this, &TransformsView::selectNodes);
    connect(m_passes, &QTreeWidget::itemClicked, this, [this](const QTreeWidgetItem*, int column) {
        if (column != PassColumn) // has the switch
            selectNodes(); // also of the row that was selected before
    });
    connect(m_keep, &QPushButton::clicked, this, &TransformsView::keepSelection);
    connect(m_keepNothing, &QPushButton::clicked, this, &TransformsView::keepNothing);
    connect(m_look, &QPushButton::clicked, this, [this] {
        m_previewOf = options();
        Q_EMIT previewRequested(m_previewOf);
    });
}

TransformOptions TransformsView::options() const
{
    return m_recipe.transforms.value_or(m_idle);
}

/// What is not wanted yet is only remembered.
void TransformsView::edit(const TransformOptions& options, const QString& text)
{
    if (!m_recipe.transforms) {
        m_idle = options;
        refresh();
        return;
    }
    Recipe recipe = m_recipe;
    recipe.transforms = options;
    Q_EMIT recipeEdited(recipe, text);
}

void TransformsView::setSnapshot(const std::shared_ptr<const Snapshot>& snapshot)
{
    const auto opened = [](const Snapshot& each) { return each.opened ? each.opened->model : each.model; };
    if (!snapshot || !m_snapshot || opened(*snapshot) != opened(*m_snapshot)) {
        m_preview.reset();
        m_idle = {};
    }
    m_snapshot = snapshot;
    refresh();
}

void TransformsView::setRecipe(const Recipe& recipe)
{
    m_recipe = recipe;
    refresh();
}

void TransformsView::setSelection(const Selection& selection)
{
    m_selection = selection;
    m_keep->setEnabled(m_snapshot && (selection.scope || !selection.nodes.empty()));
}

void TransformsView::setPreview(const std::shared_ptr<const TransformReport>& report)
{
    m_preview = report;
    refresh();
}

void TransformsView::setHalves(const std::shared_ptr<const PassReport>& report)
{
    m_halves = report;
    refresh();
}

const TransformReport* TransformsView::report() const
{
    const bool isDone = m_snapshot && m_snapshot->transforms && m_recipe.transforms
        && m_snapshot->recipe.transforms == m_recipe.transforms;
    if (isDone)
        return m_snapshot->transforms.get();
    return m_preview && m_previewOf == options() ? m_preview.get() : nullptr;
}

const PassReport* TransformsView::reportOf(std::string_view id) const
{
    if (id == kHalfPass && m_halves)
        return m_halves.get();
    const TransformReport* known = report();
    const auto found = known == nullptr ? std::vector<PassReport>::const_iterator()
                                        : std::ranges::find(known->passes, id, &PassReport::id);
    return known == nullptr || found == known->passes.end() ? nullptr : &*found;
}

void TransformsView::refresh()
{
    m_isShowing = true;
    const TransformOptions now = options();
    m_isOn->setChecked(m_recipe.transforms.has_value());
    m_staticShapes->setChecked(now.staticShapes);
    m_lowPrecision->setChecked(now.lowPrecision);
    m_target->setCurrentIndex(std::max(0, m_target->findData(toQt(now.target))));
    for (QWidget* part : std::initializer_list<QWidget*>{m_isOn, m_staticShapes, m_lowPrecision, m_target, m_passes})
        part->setEnabled(m_snapshot != nullptr);
    m_look->setEnabled(m_snapshot && report() == nullptr);
    m_keep->setEnabled(m_snapshot && (m_selection.scope || !m_selection.nodes.empty()));
    m_keepNothing->setEnabled(!now.keep.rules.empty());
    showPasses();
    showKept();
    describe();
    m_isShowing = false;
}

void TransformsView::showPasses()
{
    const QSignalBlocker silence(m_passes);
    const TransformOptions now = options();
    for (int row = 0; row < m_passes->topLevelItemCount(); ++row) {
        QTreeWidgetItem& item = *m_passes->topLevelItem(row);
        const auto pass = std::ranges::find(passes(), idOf(item), &Pass::id);
        item.setCheckState(PassColumn, isOn(*pass, now) ? Qt::Checked : Qt::Unchecked);
        fill(item, reportOf(pass->id));
    }
    m_passes->resizeColumnToContents(PassColumn);
    m_passes->resizeColumnToContents(NodesColumn);
}

/// Null: it is not known what the pass does here.
void TransformsView::fill(QTreeWidgetItem& item, const PassReport* pass)
{
    item.setText(NodesColumn, QString());
    item.setToolTip(NodesColumn, QString());
    if (pass == nullptr)
        return;
    if (!pass->notRun.empty()) {
        item.setText(NodesColumn, QStringLiteral("–"));
        item.setToolTip(NodesColumn, toQt(pass->notRun));
        return;
    }
    QString text = countText(static_cast<std::int64_t>(pass->applied.size()));
    if (!pass->skipped.empty())
        text += tr(" (not %1)").arg(countText(static_cast<std::int64_t>(pass->skipped.size())));
    item.setText(NodesColumn, text);
    item.setToolTip(NodesColumn, skippedText(*pass));
}

void TransformsView::showKept()
{
    QStringList kept;
    for (const Rule& rule : options().keep.rules)
        kept += toQt(std::string(ruleKindText(rule.kind)) + " " + rule.value);
    QString text
        = kept.isEmpty() ? tr("No scope is kept as it is.") : tr("Kept as they are: %1").arg(kept.join(tr(", ")));
    if (const TransformReport* known = report()) {
        for (const std::string& sentence : known->keptNothing)
            text += tr("\nKept nothing: %1").arg(toQt(sentence));
    }
    m_kept->setText(text);
}

void TransformsView::describe()
{
    const TransformReport* known = report();
    const bool isDone = known != nullptr && m_recipe.transforms;
    const bool isPlaced = m_snapshot && m_snapshot->recipe.transforms == m_recipe.transforms;
    if (!m_snapshot)
        m_summary->setText(tr("Open a model to see what would be simplified."));
    else if (m_recipe.transforms && !isDone && isPlaced)
        m_summary->setText(tr("A model that cannot be run is left as it was opened."));
    else if (m_recipe.transforms && !isDone)
        m_summary->setText(tr("The model is being simplified…"));
    else if (known == nullptr)
        m_summary->setText(
            tr("The model is as it was opened. A look ahead says how many nodes would go, and changes nothing."));
    else
        m_summary->setText((isDone ? tr("%1 became %2%3.") : tr("%1 would become %2%3."))
                               .arg(nodesText(static_cast<std::int64_t>(known->nodesBefore)),
                                   countText(static_cast<std::int64_t>(known->nodesAfter)),
                                   known->keptNodes == 0
                                       ? QString()
                                       : tr(", %1 kept").arg(countText(static_cast<std::int64_t>(known->keptNodes)))));
}

void TransformsView::keepSelection()
{
    if (!m_snapshot)
        return;
    TransformOptions now = options();
    const auto subjects = subjectsOf(m_selection, *m_snapshot->model, *m_snapshot->scopes);
    RuleSet keep = applyIntent(now.keep, {RuleIntent::Verb::Ignore, subjects, false});
    if (keep == now.keep || subjects.empty())
        return;
    now.keep = std::move(keep);
    edit(now, tr("Keep %1 as it is").arg(subjectText(subjects.front())));
}

void TransformsView::keepNothing()
{
    TransformOptions now = options();
    now.keep.rules.clear();
    edit(now, tr("Keep nothing as it is"));
}

/// Those that are there, and what the others became a part of; where that is nothing, it says so.
void TransformsView::selectNodes()
{
    const auto items = m_passes->selectedItems();
    const PassReport* pass = m_isShowing || items.isEmpty() ? nullptr : reportOf(idOf(*items.front()));
    if (pass == nullptr)
        return;
    std::unordered_set<std::string_view> names;
    for (const TransformedNode& node : pass->applied)
        names.insert(node.name);
    std::vector<NodeId> nodes;
    const Model& model = *m_snapshot->model;
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        const auto fused = fusedNames(model.nodes[n]);
        if (names.contains(nameBefore(model.nodes[n]))
            || std::ranges::any_of(fused, [&](std::string_view name) { return names.contains(name); }))
            nodes.emplace_back(n);
    }
    if (names.empty())
        return;
    if (nodes.empty())
        Q_EMIT told(tr("Of what pass %1 took nothing is left to select. Original above the graph draws it: %2.")
                        .arg(toQt(pass->id), nodesText(static_cast<std::int64_t>(names.size()))));
    Q_EMIT selected(ui::selectNodes(std::move(nodes)));
}

QSize TransformsView::sizeHint() const
{
    const QSize parts = QWidget::sizeHint();
    const int row = m_passes->topLevelItemCount() > 0 ? m_passes->sizeHintForRow(0) : 0;
    const int table
        = m_passes->header()->sizeHint().height() + row * m_passes->topLevelItemCount() + 2 * m_passes->frameWidth();
    return {parts.width(), parts.height() - m_passes->sizeHint().height() + table};
}

} // namespace duo::ui
