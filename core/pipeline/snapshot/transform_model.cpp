// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/snapshot/transform_model.h"

#include "core/engine/compute_constants.h"
#include "core/engine/find_value_types.h"
#include "core/engine/open_model.h"
#include "core/model/op_facts.h"
#include "core/onnx/absent_data.h"
#include "core/onnx/reader.h"
#include "core/pipeline/snapshot/carried_scopes.h"
#include "core/pipeline/snapshot/opened_model.h"
#include "core/quantize/points/weights.h"
#include "core/report/match_report.h"
#include "core/rules/match.h"
#include "core/scope/scope.h"
#include "core/support/phrases.h"
#include "core/transform/fused_names.h"
#include "core/transform/known_shapes.h"
#include "core/transform/node_name_edits.h"
#include "core/transform/pass.h"
#include "core/transform/raise_opset.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace duo {
namespace {

constexpr int kMostRounds = 20; // each takes at least one node; chains are followed within a round

/// How many bodies lie inside each other where they lie deepest. O(bodies), which the reader lets be 64 deep.
int deepestBody(const Model& model)
{
    int deepest = 0;
    for (const Region& region : model.regions) {
        int depth = 0;
        for (NodeId at = region.owner; at.valid(); at = model.region(model.node(at).region).owner)
            ++depth;
        deepest = std::max(deepest, depth);
    }
    return deepest;
}

/// Of 8 bits or fewer, as OpenVINO marks them: whole numbers of more may be counts or sums.
bool isCodeType(ElementType type)
{
    const int bits = elementBits(type);
    return bits > 0 && bits <= 8 && type != ElementType::Bool;
}

/// The Cast that makes a number of a constant code; invalid where the value is another one.
NodeId castOfCode(const Model& model, ValueId value)
{
    const NodeId producer = value.valid() ? model.value(value).producer : NodeId();
    if (!producer.valid() || !isAnyOf(model.node(producer), {"Cast"}) || model.node(producer).inputs.empty())
        return {};
    const ValueId given = model.node(producer).inputs[0];
    const Tensor* code = given.valid() ? model.constant(given) : nullptr;
    return code != nullptr && isCodeType(code->type) ? producer : NodeId();
}

/// Nodes that turn constant codes into numbers: DequantizeLinear, or Cast, Sub and Mul by constants, the Cast of a zero
/// point among them.
std::vector<bool> dequantizers(const Model& model)
{
    std::vector<bool> isOne(model.nodes.size());
    std::vector<bool> isOfCodes(model.values.size());
    for (const NodeId id : model.order) {
        const Node& node = model.node(id);
        if (isQuantizer(node)) {
            isOne[id.index] = true;
            continue;
        }
        const ValueId data = node.inputs.empty() ? ValueId{} : node.inputs[0];
        if (!data.valid() || !node.domain.empty() || node.outputs.empty() || !node.outputs[0].valid())
            continue;
        const bool isCast = castOfCode(model, node.outputs[0]) == id && model.constant(data)->elements() > 1;
        const ValueId by = node.inputs.size() == 2 ? node.inputs[1] : ValueId();
        const NodeId zeroPoint = castOfCode(model, by);
        const bool isScaling = (node.opType == "Sub" || node.opType == "Mul") && isOfCodes[data.index] && by.valid()
            && (model.constant(by) != nullptr || zeroPoint.valid());
        if (isCast || isScaling) {
            isOne[id.index] = true;
            isOfCodes[node.outputs[0].index] = true;
        }
        if (isScaling && zeroPoint.valid())
            isOne[zeroPoint.index] = true;
    }
    return isOne;
}

bool hasAllSizes(const ValueTypes& types, ValueId value)
{
    const auto isOpen = [](const Dim& dim) { return !dim.size; };
    return !value.valid() || (types.of(value).shape && std::ranges::none_of(*types.of(value).shape, isOpen));
}

/// Whether a pass may ask for a size that is not there: of what changes shapes or is asked for its own, and of what an
/// Expand is spread for.
bool lacksSizes(const Model& model, const ValueTypes& types)
{
    const auto lacks = [&](const Node& node) {
        const auto isOpen = [&](ValueId value) { return !hasAllSizes(types, value); };
        return std::ranges::any_of(node.inputs, isOpen) || std::ranges::any_of(node.outputs, isOpen);
    };
    return std::ranges::any_of(model.nodes, [&](const Node& node) {
        const bool isAsked = has(node, mark::kReshapes)
            || isAnyOf(node, {"Attention", "Expand", "ReduceMean", "Shape", "Size", "Slice", "Transpose"});
        if (node.region != RegionId(0) || node.isCall || !isAsked)
            return false;
        const bool isSpread = isAnyOf(node, {"Expand"}) && !node.outputs.empty() && node.outputs[0].valid();
        return lacks(node) || (isSpread && std::ranges::any_of(model.value(node.outputs[0]).uses, [&](const Use& use) {
            return lacks(model.node(use.node));
        }));
    });
}

class Transformation
{
public:
    Transformation(std::shared_ptr<const Model> model, const TransformOptions& options, const JobContext& job,
        const Scopes* scopes)
        : m_given(model)
        , m_model(std::move(model))
        , m_options(options)
        , m_job(job)
        , m_known(scopes)
    {
    }

    Result<Transformed> run()
    {
        DUO_CHECK(checkOptions());
        DUO_CHECK(raiseFirst());
        DUO_CHECK(nameNodes());
        DUO_CHECK(findKept());
        m_report.nodesBefore = m_model->nodes.size();
        m_report.target = m_options.target;
        for (const Pass& pass : passes()) {
            if (pass.stage == PassStage::Common || isOfTarget(pass)) {
                m_report.passes.push_back({std::string(pass.id), pass.version, std::string(pass.does),
                    (pass.keeps & keeps::kBits) != 0, whyNot(pass)});
                m_passes.push_back(&pass);
            }
        }
        findWrittenBefore();
        m_told.resize(m_report.passes.size());
        const int mostRounds = kMostRounds + deepestBody(*m_model); // of nested bodies each takes one
        bool isChanged = true;
        for (int round = 0; isChanged; ++round) {
            if (round == mostRounds) {
                m_report.isSettled = false;
                break;
            }
            DUO_TRY(changed, runRound(PassStage::Common));
            isChanged = changed;
            if (!isChanged) {
                DUO_TRY(ofTarget, runRound(PassStage::Target));
                isChanged = ofTarget;
            }
            const bool areOld = !m_sizes.empty() && m_sizesOf != m_changes;
            if (!m_areSizesWhole || (areOld && !isChanged))
                m_sizes.clear(); // shapes that became constants may tell more
            isChanged = isChanged || areOld;
        }
        DUO_CHECK(checkOpset());
        forgetOvercome();
        m_report.nodesAfter = m_model->nodes.size();
        m_report.beyondTarget = beyondTarget();
        return Transformed{m_changes > 0 ? m_model : m_given, std::move(m_report)};
    }

private:
    Status checkOptions() const
    {
        if (!m_model->source)
            return Error{ErrorCode::Unsupported, "only ONNX models can be transformed", m_model->path.string(),
                "export it to ONNX first"};
        DUO_CHECK(checkHasData(*m_model));
        if (m_model->mainGraph().outputs.empty())
            return Error{ErrorCode::Unsupported, "the model has no outputs, so that nothing of it would be left",
                m_model->path.string(), "export it with its outputs"};
        if (!m_options.target.empty() && findTarget(m_options.target) == nullptr)
            return Error{ErrorCode::Usage, "no passes are known for this target", m_options.target, "try stage common"};
        if (m_options.opset > 0 && m_options.leastOpset > m_options.opset)
            return Error{ErrorCode::Usage,
                "no opset is at least " + std::to_string(m_options.leastOpset) + " and at most "
                    + std::to_string(m_options.opset),
                {}, "leave one of them out"};
        for (const std::string& id : m_options.enabled) {
            const auto isIt = [&](const Pass& pass) { return pass.id == id && pass.stage == PassStage::Target; };
            if (std::ranges::none_of(passes(), isIt))
                return Error{ErrorCode::Usage, "no pass that could be switched on has this id", id,
                    "those of stage target can: resources/docs/transforms.md"};
        }
        for (const std::string& id : m_options.disabled) {
            const auto isIt = [&](const Pass& pass) {
                return pass.id == id && (pass.stage == PassStage::Common || pass.stage == PassStage::Target);
            };
            if (std::ranges::none_of(passes(), isIt))
                return Error{ErrorCode::Usage, "no pass has this id", id, "see duoscope-cli transform MODEL --dry-run"};
        }
        return success();
    }

    /// What a pass could not do at first, as in an opset that was raised since, and did in the end.
    void forgetOvercome()
    {
        for (PassReport& report : m_report.passes) {
            std::unordered_set<std::string_view> done;
            for (const TransformedNode& node : report.applied)
                done.insert(node.name);
            std::erase_if(report.skipped, [&](const TransformedNode& node) { return done.contains(node.name); });
        }
    }

    /// What is older than every pass of stage Target knows.
    Status raiseFirst()
    {
        if (m_options.leastOpset == 0 || writtenOpset(*m_model) >= kPerChannelOpset)
            return success();
        DUO_TRY(raised, asOpened(m_model, m_job));
        m_isRaised = raised != m_model;
        m_changes += m_isRaised ? 1 : 0;
        m_model = std::move(raised);
        for (const Note& note : m_model->notes) {
            if (note.kind == kOpsetRaised)
                m_report.opsetRead = note.text;
            else if (note.kind == kOpsetKept)
                m_opsetKept = note;
        }
        return success();
    }

    Status nameNodes()
    {
        EditList edits;
        edits.nodeNames = nodeNameEdits(*m_model);
        if (edits.nodeNames.empty())
            return success();
        DUO_TRY(named, convertedModel(m_model, edits, {}, m_job));
        m_model = std::move(named);
        return success();
    }

    /// What another run wrote as several is not made one again either, where this run would write it as several anew.
    void findWrittenBefore()
    {
        for (std::size_t index = 0; index < m_passes.size(); ++index) {
            const std::string_view undone = m_passes[index]->undoes;
            if (undone.empty() || !m_report.passes[index].notRun.empty())
                continue;
            for (const Node& node : m_model->nodes) {
                if (!metadataValue(node.metadata, kWrittenOfKey).empty())
                    m_written[undone].insert(node.name);
            }
        }
    }

    /// Those of the model given, on the nodes that are there once its opset was raised.
    [[nodiscard]] Result<Scopes> scopesNow() const
    {
        if (m_known == nullptr)
            return findScopes(*m_model);
        if (!m_isRaised)
            return *m_known;
        DUO_TRY(told, withScopesTold(*m_given, *m_known, m_model, m_job));
        return findScopes(*told);
    }

    /// By name: node numbers change from pass to pass.
    Status findKept()
    {
        DUO_TRY(scopes, scopesNow());
        for (std::size_t n = 0; n < m_model->nodes.size(); ++n)
            m_scopes.emplace(m_model->nodes[n].name, scopes.nodes[n].execution);
        if (!m_options.keep.rules.empty()) {
            const RuleHits hits = matchRules(*m_model, scopes, m_options.keep);
            for (const RuleHit& hit : hits.hits) {
                if (!hit.problem.empty())
                    return Error{
                        ErrorCode::Usage, "a rule cannot be evaluated: " + hit.problem, ruleText(hit.rule), "mend it"};
                if (hit.rule.enabled && hit.nodes.empty())
                    m_report.keptNothing.push_back(unmatchedText(hit.rule, hit));
            }
            for (const NodeId node : ignoredNodes(hits))
                m_kept.insert(m_model->node(node).name);
        }
        if (m_options.lowPrecision) {
            const std::vector<bool> isOne = dequantizers(*m_model);
            for (std::size_t n = 0; n < isOne.size(); ++n) {
                if (isOne[n] && !m_kept.contains(m_model->nodes[n].name))
                    m_dequantizing.insert(m_model->nodes[n].name);
            }
        }
        m_report.keptNodes = m_kept.size();
        m_report.dequantizing = static_cast<std::size_t>(std::ranges::count_if(m_model->nodes, [&](const Node& node) {
            const bool isOfWeight = !node.outputs.empty() && isDequantizedConstant(*m_model, node.outputs.front());
            return m_dequantizing.contains(node.name) && (!isQuantizer(node) || isOfWeight);
        }));
        return success();
    }

    /// The newest opset that what is made may need; 0: any.
    [[nodiscard]] std::int64_t mostOpset() const
    {
        const TransformTarget* target = findTarget(m_options.target);
        return m_options.opset > 0 || target == nullptr ? m_options.opset : target->opset;
    }

    /// A target may read more than is known of it, so that this is no error.
    [[nodiscard]] std::string beyondTarget() const
    {
        if (mostOpset() == 0 || m_model->opset() <= mostOpset())
            return {};
        Error error
            = notIn(mostOpset(), "lower-opset", "export it in an older opset, or ask for a newer one (--opset)");
        error.what = readsUpToText(m_model->opset(), m_options.target, mostOpset()) + "; " + error.what;
        return error.line();
    }

    /// What was asked for by number has to hold.
    Status checkOpset() const
    {
        if (m_options.opset > 0 && m_model->opset() > m_options.opset)
            return notIn(m_options.opset, "lower-opset", "ask for a newer opset, or export it in an older one");
        if (m_model->opset() < m_options.leastOpset)
            return notIn(m_options.leastOpset, "newer-opset", "ask for an older opset, or export it in a newer one");
        return success();
    }

    [[nodiscard]] Error notIn(std::int64_t opset, std::string_view pass, const std::string& remedy) const
    {
        const auto report = std::ranges::find(m_report.passes, pass, &PassReport::id);
        const bool isTold = report != m_report.passes.end() && !report->skipped.empty();
        const bool isOff = report != m_report.passes.end() && !report->notRun.empty();
        const TransformedNode first = isTold ? report->skipped.front()
            : m_opsetKept                    ? TransformedNode{m_opsetKept->where, {}, m_opsetKept->text}
            : isOff                          ? TransformedNode{{}, {}, "pass " + std::string(pass) + " is switched off"}
                                             : TransformedNode{};
        const std::size_t others = isTold ? report->skipped.size() - 1 : 0;
        return {ErrorCode::Unsupported,
            "the model cannot be written in opset " + std::to_string(opset)
                + (first.why.empty() ? std::string() : ": " + first.why)
                + (others > 0 ? ", and so with " + counted(others, "other node", "other nodes") : std::string()),
            first.name, remedy};
    }

    [[nodiscard]] bool isOfTarget(const Pass& pass) const
    {
        if (m_options.enabled.contains(std::string(pass.id)))
            return pass.stage == PassStage::Target;
        return isAskedFor(pass, m_options);
    }

    [[nodiscard]] std::string whyNot(const Pass& pass) const
    {
        if (m_options.disabled.contains(std::string(pass.id)))
            return "switched off";
        if ((pass.needs & needs::kSizes) != 0 && !m_options.staticShapes)
            return "needs the sizes of values, and the model is to stay open to others";
        if ((pass.needs & needs::kValues) != 0)
            return "needs what data give, behind all else: `transform` does it, and saving in 16-bit floats";
        return {};
    }

    /// All passes of a stage once. @return whether one of them changed the model
    Result<bool> runRound(PassStage stage)
    {
        bool isChanged = false;
        for (std::size_t index = 0; index < m_passes.size(); ++index) {
            const Pass& pass = *m_passes[index];
            PassReport& report = m_report.passes[index];
            if (pass.stage != stage || !report.notRun.empty())
                continue;
            const auto start = std::chrono::steady_clock::now();
            DUO_TRY(changed, runPass(pass, report, m_told[index]));
            isChanged = isChanged || changed;
            report.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        }
        return isChanged;
    }

    using Told = std::unordered_set<std::string>;

    Result<bool> runPass(const Pass& pass, PassReport& report, Told& told)
    {
        if (m_job.stopped())
            return cancelledError();
        std::optional<ValueTypes> sizes;
        if ((pass.needs & (needs::kSizes | needs::kSizesIfFixed)) != 0 && m_options.staticShapes) {
            DUO_TRY(found, sizesNow());
            sizes = std::move(found);
        }
        static const std::set<NodeId> kNone;
        PassScene scene{*m_model, kNone, keptNow(pass), sizes ? &*sizes : nullptr};
        std::optional<ComputedConstants> constants;
        if ((pass.needs & needs::kConstants) != 0) {
            DUO_TRY(computed, computeConstants(*m_model, constantPart(scene), m_job));
            constants = std::move(computed);
            scene.constants = &*constants;
        }
        scene.opset = mostOpset();
        scene.leastOpset = m_options.leastOpset;
        PassResult result = pass.run(scene);
        tell(report.applied, told, result.applied);
        for (const PassSkip& skip : result.skipped)
            tell(report.skipped, told, {skip.node}, skip.why);
        if (!result.edits)
            return false;
        addFusedInPlace(*result.edits, *m_model, result.fused);
        keepNamesBeforeInPlace(*result.edits, *m_model);
        auto changed = convertedModel(m_model, *result.edits, {}, m_job);
        if (!changed && changed.error().code == ErrorCode::Cancelled)
            return changed.error();
        if (!changed)
            return Error{ErrorCode::Internal,
                "pass " + std::string(pass.id) + " breaks the model: " + changed.error().what, changed.error().where,
                "leave it out (--disable " + std::string(pass.id)
                    + "; --no-transform where the model is quantized), "
                      "and report this"};
        if (result.edits->loweredOpset > 0) // types that came with newer opsets the engine knows
            DUO_CHECK(openModel(**changed, {}, m_job));
        for (const NewNode& made : result.edits->newNodes) {
            if (!pass.undoes.empty())
                m_written[pass.undoes].insert(nameOfMade(*m_model, made));
        }
        m_model = *std::move(changed);
        ++m_changes;
        return true;
    }

    /// By operators and the file alone where these tell enough; else the engine is asked for the model as it was first,
    /// and values that stay keep their sizes.
    Result<ValueTypes> sizesNow()
    {
        if (m_sizes.empty()) {
            ValueTypes told;
            for (const Value& value : m_model->values)
                told.types.push_back(value.type);
            completeInPlace(told);
            if (!lacksSizes(*m_model, told))
                return told;
            DUO_TRY(found, findValueTypes(*m_model, m_job));
            m_areSizesWhole = true;
            m_sizesOf = m_changes;
            for (const ValueId value : mainValues()) {
                const ValueType& type = found.of(value);
                m_areSizesWhole = m_areSizesWhole && type.shape.has_value();
                m_sizes.insert_or_assign(m_model->value(value).name, type);
            }
            completeInPlace(found);
            return found;
        }
        ValueTypes types;
        for (const Value& value : m_model->values)
            types.types.push_back(value.type);
        for (const ValueId value : mainValues()) {
            if (const auto known = m_sizes.find(m_model->value(value).name); known != m_sizes.end())
                types.types[value.index] = known->second;
        }
        completeInPlace(types);
        return types;
    }

    /// By what operators tell beyond the engine and the file.
    void completeInPlace(ValueTypes& types) const
    {
        const KnownShapes shapes(*m_model, &types);
        for (const ValueId value : mainValues()) {
            const Extents* known = shapes.of(value);
            auto& shape = types.types[value.index].shape;
            if (known != nullptr && !shape)
                shape.emplace(known->size());
            if (known == nullptr || shape->size() != known->size())
                continue;
            for (std::size_t i = 0; i < known->size(); ++i) {
                if ((*known)[i].isKnown())
                    (*shape)[i] = {(*known)[i].number, {}};
            }
        }
    }

    [[nodiscard]] std::vector<ValueId> mainValues() const
    {
        std::vector<ValueId> values;
        for (std::size_t v = 0; v < m_model->values.size(); ++v) {
            if (m_model->values[v].region == RegionId(0))
                values.emplace_back(v);
        }
        return values;
    }

    /// What dequantizes constants is for passes of the target to handle, and so is what one of them wrote.
    [[nodiscard]] std::vector<bool> keptNow(const Pass& pass) const
    {
        std::vector<bool> kept;
        const bool isKept = pass.stage == PassStage::Common && !m_dequantizing.empty();
        const auto written = m_written.find(pass.id);
        if (m_kept.empty() && !isKept && written == m_written.end())
            return kept;
        kept.resize(m_model->nodes.size());
        for (std::size_t n = 0; n < kept.size(); ++n) {
            const std::string& name = m_model->nodes[n].name;
            kept[n] = m_kept.contains(name) || (isKept && m_dequantizing.contains(name))
                || (written != m_written.end() && written->second.contains(name));
        }
        return kept;
    }

    void tell(
        std::vector<TransformedNode>& list, Told& told, const std::vector<NodeId>& nodes, const std::string& why = {})
    {
        for (const NodeId id : nodes) {
            const std::string name(nameBefore(m_model->node(id)));
            if (!told.insert(name + '\n' + why).second)
                continue;
            const auto scope = m_scopes.find(m_model->node(id).name);
            list.push_back({name, scope == m_scopes.end() ? std::string() : scope->second, why});
        }
    }

    std::shared_ptr<const Model> m_given; // whose nodes may have no names
    std::optional<Note> m_opsetKept; // why its opset could not be raised first
    std::shared_ptr<const Model> m_model;
    const TransformOptions& m_options;
    const JobContext& m_job;
    const Scopes* m_known; // of the model given; may be null
    std::unordered_map<std::string, std::string> m_scopes; // of nodes by name, in the model given
    std::unordered_set<std::string> m_kept; // names, by rules
    std::unordered_set<std::string> m_dequantizing; // names of others that turn constant codes into numbers, to be left
    std::unordered_map<std::string_view, std::unordered_set<std::string>> m_written; // names, by passes not to undo it
    std::vector<const Pass*> m_passes; // that the report has
    std::vector<Told> m_told; // [passes]
    std::unordered_map<std::string, ValueType> m_sizes; // of the main graph's values; empty: to be asked for
    bool m_isRaised = false; // its opset, before any pass
    bool m_areSizesWhole = true;
    std::size_t m_changes = 0; // passes that changed the model
    std::size_t m_sizesOf = 0; // how many of them had when the sizes were asked for
    TransformReport m_report;
};

} // namespace

Result<Transformed> transformModel(const std::shared_ptr<const Model>& model, const TransformOptions& options,
    const JobContext& job, const Scopes* scopes)
{
    return Transformation(model, options, job, scopes).run();
}

} // namespace duo
