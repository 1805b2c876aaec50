// SPDX-License-Identifier: Apache-2.0
#include "views/properties/properties_text.h"

#include "core/pipeline/snapshot/opened_model.h"
#include "core/scope/parameters/learned_tensors.h"
#include "views/properties/kernel_sections.h"
#include "views/properties/page.h"
#include "views/properties/properties_link.h"
#include "views/properties/scope_sections.h"
#include "views/properties/why_sections.h"
#include "views/style/format.h"
#include "views/style/window_words.h"

#include <QStringList>

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace duo::ui {
namespace {

constexpr std::size_t kNodesListed = 6; // listed per reason

QString sentenceOf(const NodeRun& run)
{
    if (run.runs == RunsAs::Int8)
        return QStringLiteral("runs in int8 as %1").arg(toQt(run.kernel));
    const QString reason = run.reason.empty() ? QString() : QStringLiteral(": ") + toQt(run.reason);
    return (run.runs == RunsAs::Gone ? QStringLiteral("was not found in the optimized graph")
                                     : QStringLiteral("runs in float although int8 was planned"))
        + reason;
}

/// How the planned nodes of a selection run in the engine, as the last export found it, and why not in int8.
/// Nothing where none of the nodes was planned, or the check "int8-kernels" was not made.
void addEngine(Page& page, const Model& model, const RunsOfNodes& runs, const std::vector<NodeId>& nodes)
{
    std::map<QString, std::vector<NodeId>> fallbacks; // by what is said of them
    std::int64_t planned = 0;
    const NodeRun* last = nullptr;
    for (const NodeId node : nodes) {
        const NodeRun* run = runs.of(node);
        if (run == nullptr)
            continue;
        ++planned;
        last = run;
        if (last->runs != RunsAs::Int8)
            fallbacks[sentenceOf(*last)].push_back(node);
    }
    if (planned == 0)
        return;
    page.section(QStringLiteral("In the engine"));
    if (nodes.size() == 1) {
        const bool isInt8 = last->runs == RunsAs::Int8;
        page.colored((isInt8 ? QStringLiteral("✓ ") : QStringLiteral("! ")) + sentenceOf(*last),
            (isInt8 ? page.theme().good : page.theme().warning).ink);
        return;
    }
    std::int64_t fallen = 0;
    for (const auto& [sentence, fell] : fallbacks)
        fallen += static_cast<std::int64_t>(fell.size());
    page.line(
        QStringLiteral("%1 of %2 planned nodes run in int8").arg(countText(planned - fallen), countText(planned)));
    for (const auto& [sentence, fell] : fallbacks) {
        QStringList links;
        for (std::size_t i = 0; i < std::min(kNodesListed, fell.size()); ++i)
            links += Page::link(nodeLink(fell[i]), toQt(model.node(fell[i]).name));
        if (fell.size() > kNodesListed)
            links += QStringLiteral("… %1 more").arg(fell.size() - kNodesListed);
        page.colored(QStringLiteral("! %1 %2").arg(nodesText(static_cast<std::int64_t>(fell.size())), sentence),
            page.theme().warning.ink);
        page.lineHtml(links.join(QStringLiteral(", ")));
    }
}

constexpr std::size_t kListed = 30; // entries of a long list that are shown
constexpr std::size_t kPlaces = 3; // of a note

/// What the notes say, the first places as links where they are nodes, more of them when pointed at.
QString noteHtml(const Model& model, const NoteGroup& group)
{
    QString html = Page::breakable(windowWords(toQt(group.text)));
    if (group.isMixed)
        html += QStringLiteral(" (and others alike)");
    if (group.count > 1)
        html += QStringLiteral(" <span title='%1'>%2 times</span>")
                    .arg(toQt(placesText(group, kListed)).toHtmlEscaped(),
                        countText(static_cast<std::int64_t>(group.count)));
    QStringList places;
    for (std::size_t i = 0; i < group.places.size() && i < kPlaces; ++i) {
        const NodeId node = model.findNode(group.places[i]);
        const QString name = toQt(group.places[i]);
        places += node.valid() ? Page::link(nodeLink(node), name) : Page::breakable(name);
    }
    if (group.places.size() > kPlaces)
        places += QStringLiteral("…");
    return places.isEmpty() ? html : html + QStringLiteral(": ") + places.join(QStringLiteral(", "));
}

/// @param types null: they are being found out
QString portTypeText(const ValueType& type, const ValueTypes* types)
{
    if (type.shape || types != nullptr)
        return typeText(type);
    const QString element = type.element == ElementType::Undefined ? QString() : toQt(elementTypeName(type.element));
    return element + (element.isEmpty() ? QString() : QStringLiteral(", "))
        + QStringLiteral("its shape is being found out");
}

void addPorts(
    Page& page, const Model& model, const ValueTypes* types, const QString& heading, const std::vector<ValueId>& ports)
{
    if (ports.empty())
        return;
    page.section(heading);
    for (std::size_t i = 0; i < ports.size() && i < kListed; ++i) {
        if (!ports[i].valid()) {
            page.line(QStringLiteral("%1: (left out)").arg(i));
            continue;
        }
        const Value& value = model.value(ports[i]);
        ValueType type = types != nullptr ? types->of(ports[i]) : value.type;
        if (value.initializer.valid()) { // a constant knows its exact type
            const Tensor& tensor = model.tensor(value.initializer);
            type.element = tensor.type;
            type.shape.emplace();
            for (const auto dim : tensor.dims)
                type.shape->push_back({dim, {}});
        }
        const QString constant = value.initializer.valid() ? QStringLiteral(", constant") : QString();
        page.line(QStringLiteral("%1: %2 — %3%4").arg(i).arg(toQt(value.name), portTypeText(type, types), constant));
    }
    if (ports.size() > kListed)
        page.line(QStringLiteral("… %1 more").arg(ports.size() - kListed));
}

QString nodeHtml(const Snapshot& snapshot, NodeId id, const Theme& theme, const KnownBesides& known)
{
    const Model& model = *snapshot.model;
    const Node& node = model.node(id);
    Page page(theme);
    page.title(toQt(node.name), node.domain.empty() ? toQt(node.opType) : toQt(node.opType + " of " + node.domain));
    addNodeWhy(page, snapshot, id);
    if (known.inFile)
        known.inFile->add(page, model, id);
    if (known.runs)
        addEngine(page, model, *known.runs, {id});
    if (known.run)
        addKernels(page, snapshot, *known.run, {id});
    if (snapshot.scopes)
        addNodeScopes(page, snapshot, id);
    addPorts(page, model, known.types, QStringLiteral("Inputs"), node.inputs);
    addPorts(page, model, known.types, QStringLiteral("Outputs"), node.outputs);
    if (!node.attributes.empty())
        page.section(QStringLiteral("Attributes"));
    for (const Attribute& attribute : node.attributes)
        page.line(attributeText(attribute));
    return page.html();
}

void addTypes(Page& page, const Model& model, const std::vector<NodeId>& nodes)
{
    std::unordered_map<std::string_view, std::int64_t> counts;
    for (const NodeId node : nodes)
        ++counts[model.node(node).opType];
    const std::map<std::string_view, std::int64_t> types(counts.begin(), counts.end());
    page.section(QStringLiteral("Operators"));
    QStringList texts;
    for (const auto& [type, count] : types)
        texts += QStringLiteral("%1 ×%2").arg(toQt(type), countText(count));
    page.line(texts.join(QStringLiteral(", ")));
}

/// Sections about several nodes.
void addNodes(Page& page, const Snapshot& snapshot, const std::vector<NodeId>& nodes, const KnownBesides& known)
{
    if (nodes.empty())
        return;
    addNodesWhy(page, snapshot, nodes, known.decisions);
    if (known.runs)
        addEngine(page, *snapshot.model, *known.runs, nodes);
    if (known.run)
        addKernels(page, snapshot, *known.run, nodes);
    if (snapshot.scopes) {
        addDifferences(page, snapshot, nodes);
        addProvenance(page, snapshot, nodes);
    }
    addTypes(page, *snapshot.model, nodes);
}

QString scopeHtml(const Snapshot& snapshot, const Selection& selection, const Theme& theme, const KnownBesides& known)
{
    Page page(theme);
    addScopeFacts(page, snapshot, *selection.scope);
    addNodes(page, snapshot, selection.nodes, known);
    return page.html();
}

namespace {

/// As the storage tree says, which counts a checkpoint where there is one; that is not what this file holds.
std::int64_t parametersOf(const Snapshot& snapshot)
{
    const bool isCounted = snapshot.scopes && !snapshot.checkpoint && !snapshot.scopes->storage.scopes.empty();
    return isCounted ? snapshot.scopes->storage.scopes.front().totalParameters
                     : parameterTotals(*snapshot.model).parameters;
}

} // namespace

QString modelHtml(const Snapshot& snapshot, const Theme& theme, const ValueTypes* types, const Note* producer)
{
    const Model& model = *snapshot.model;
    Page page(theme);
    page.title(pathText(model.path.filename()), QStringLiteral("Model"));
    if (!model.producerName.empty())
        page.row(QStringLiteral("Producer"), toQt(model.producerName + " " + model.producerVersion));
    const std::int64_t inFile = opsetInFile(model);
    page.row(QStringLiteral("Opset"),
        inFile == model.opset() ? QString::number(inFile)
                                : QStringLiteral("%1, read as %2").arg(inFile).arg(model.opset()));
    page.row(QStringLiteral("Nodes"), countText(static_cast<std::int64_t>(model.nodes.size())));
    page.row(QStringLiteral("Parameters"), countText(parametersOf(snapshot)));
    page.row(QStringLiteral("Size"), bytesText(openedBytes(snapshot)));
    addPorts(page, model, types, QStringLiteral("Inputs"), model.mainGraph().inputs);
    addPorts(page, model, types, QStringLiteral("Outputs"), model.mainGraph().outputs);
    if (types != nullptr && types->problem)
        page.quiet(QStringLiteral("Shapes are as the file says: %1").arg(toQt(types->problem->what)));
    if (snapshot.scopes) {
        const auto nodes = nodesOfPage(*snapshot.scopes, {});
        addCheckpoint(page, snapshot);
        addDifferences(page, snapshot, nodes);
        addNeverExecuted(page, *snapshot.scopes);
        addProvenance(page, snapshot, nodes);
    }
    std::vector<Note> notes = model.notes;
    if (producer != nullptr)
        notes.insert(notes.begin(), *producer);
    for (const Note& note : snapshot.placement ? snapshot.placement->notes : std::vector<Note>()) {
        if (std::ranges::find(notes, note) == notes.end())
            notes.push_back(note);
    }
    const auto groups = groupNotes(notes);
    if (!groups.empty())
        page.section(QStringLiteral("Notes"));
    for (std::size_t i = 0; i < groups.size() && i < kListed; ++i)
        page.lineHtml(noteHtml(model, groups[i]));
    if (groups.size() > kListed)
        page.line(QStringLiteral("… %1 more").arg(groups.size() - kListed));
    return page.html();
}

QString nodesHtml(
    const Snapshot& snapshot, const std::vector<NodeId>& nodes, const Theme& theme, const KnownBesides& known)
{
    Page page(theme);
    page.title(nodesText(static_cast<std::int64_t>(nodes.size())), QStringLiteral("Selection"));
    addNodes(page, snapshot, nodes, known);
    return page.html();
}

} // namespace

QString propertiesHtml(
    const Snapshot& snapshot, const Selection& selection, const Theme& theme, const KnownBesides& known)
{
    // Types may be of a model that is not shown yet.
    const bool fits = known.types != nullptr && known.types->types.size() == snapshot.model->values.size();
    const bool isRun = known.run != nullptr && known.run->kernelsOf.size() == snapshot.model->nodes.size();
    KnownBesides fitting = known;
    fitting.types = fits ? known.types : nullptr;
    fitting.run = isRun ? known.run : nullptr;
    if (selection.scope && snapshot.scopes)
        return scopeHtml(snapshot, selection, theme, fitting);
    if (selection.nodes.empty())
        return modelHtml(snapshot, theme, fitting.types, known.producer);
    if (selection.nodes.size() == 1)
        return nodeHtml(snapshot, selection.nodes.front(), theme, fitting);
    return nodesHtml(snapshot, selection.nodes, theme, fitting);
}

} // namespace duo::ui
