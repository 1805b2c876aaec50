// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/fitted_plan.h"

#include "core/engine/open_model.h"
#include "core/onnx/writer.h"
#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/continue_setup.h"
#include "core/pipeline/export_checks.h"
#include "core/pipeline/halved_export.h"
#include "core/pipeline/snapshot/exported_edits.h"
#include "core/pipeline/unfused.h"
#include "core/quantize/points/profile_rules.h"
#include "core/report/decision_sentences.h"
#include "core/support/freed_memory.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <map>
#include <utility>

namespace duo {
namespace {

constexpr int kMostPlans = 4;

Check* kernelCheck(WrittenPlan& plan)
{
    const auto found = std::ranges::find(plan.checks, "int8-kernels", &Check::id);
    return found == plan.checks.end() ? nullptr : &*found;
}

PlanRun runOf(WrittenPlan& plan)
{
    const Check* check = kernelCheck(plan);
    return {check == nullptr ? std::vector<NodeRun>() : check->results, plan.compression.setup.points.size()};
}

class Fitting
{
public:
    Fitting(
        const Snapshot& snapshot, const PlanWriter& write, const Dataset* dataset, int threads, const JobContext& job)
        : m_snapshot(snapshot)
        , m_write(write)
        , m_dataset(dataset)
        , m_threads(threads)
        , m_job(job)
        , m_engine("ONNX Runtime " + engineVersion())
    {
    }

    Result<WrittenPlan> fit(Compression compression)
    {
        DUO_TRY(best, m_write(std::move(compression)));
        bool isInPlace = true; // the file holds the best plan
        bool withOthers = true; // additions and the like are taken out too
        for (int plans = 1; plans < kMostPlans && mayChange(best); ++plans) {
            const Unfused unfused = unfusedNodes(placed(best.compression), kernelCheck(best)->results, m_engine);
            KeptFloats out = unfused.products;
            if (withOthers)
                out.insert(unfused.others.begin(), unfused.others.end());
            if (out.empty())
                break;
            best.session.reset(); // of a file that is to be replaced
            DUO_TRY(changed, without(best.compression, out));
            if (!changed)
                break;
            DUO_TRY(next, m_write(*std::move(changed)));
            isInPlace = kernelCheck(next) != nullptr && isBetterRun(runOf(best), runOf(next));
            if (isInPlace) {
                remember(*kernelCheck(best), out, *placed(best.compression).model);
                best = std::move(next);
            } else if (withOthers && !unfused.products.empty() && !unfused.others.empty()) {
                withOthers = false;
            } else {
                break;
            }
        }
        if (!isInPlace) {
            DUO_TRY(again, m_write(std::move(best.compression)));
            best = std::move(again);
        }
        tellInPlace(best);
        return best;
    }

private:
    /// @return nothing where data would be needed that are not there
    Result<std::optional<Compression>> without(const Compression& compression, const KeptFloats& out) const
    {
        if (!compression.statistics)
            return continuedWithout(m_snapshot, compression, out, m_dataset, m_threads, m_job);
        DUO_TRY(changed, withNodesInFloat(m_snapshot, compression, out, m_dataset, m_threads, m_job));
        return std::optional(std::move(changed));
    }

    [[nodiscard]] bool mayChange(WrittenPlan& plan) const
    {
        return isNew(plan.compression) && targetOf(m_snapshot.recipe.quantization).placesForOrtCpu
            && kernelCheck(plan) != nullptr;
    }

    [[nodiscard]] const Snapshot& placed(const Compression& compression) const
    {
        return placedBy(compression, m_snapshot);
    }

    /// How they ran before they were taken out.
    void remember(const Check& check, const KeptFloats& out, const Model& model)
    {
        for (const NodeRun& run : check.results) {
            if (out.contains(model.findNode(run.node)))
                m_takenOut.emplace(model.findNode(run.node), run);
        }
    }

    /// Adds what was taken out to the check, and why the rest stays.
    void tellInPlace(WrittenPlan& plan) const
    {
        Check* check = kernelCheck(plan);
        if (check == nullptr || !mayChange(plan))
            return;
        for (NodeRun& run : check->results) {
            if (run.runs == RunsAs::Float && run.as == PlannedAs::Other)
                run.reason += "; it is kept between quantizers that others need";
        }
        if (m_takenOut.empty())
            return;
        const Model& model = *placed(plan.compression).model;
        for (const auto& [node, before] : m_takenOut) {
            NodeRun run = before;
            run.reason = keptTexts(model, plan.compression.keptFloat.at(node)).reason + "; it was taken out of int8";
            check->results.push_back(std::move(run));
        }
        std::ranges::stable_sort(check->results, {}, [&](const NodeRun& run) { return model.findNode(run.node); });
        check->message += ", " + nodesText(m_takenOut.size()) + " without one taken out of int8";
    }

    const Snapshot& m_snapshot;
    const PlanWriter& m_write;
    const Dataset* m_dataset;
    int m_threads;
    const JobContext& m_job;
    std::string m_engine;
    std::map<NodeId, NodeRun> m_takenOut;
};

/// With its nodes in 16 bits, if any, whose constants `edits` counts as removed then. @return bytes of the files
Result<std::int64_t> writeInPlace(const Snapshot& exported, EditList& edits, const Compression& compression,
    const std::filesystem::path& file, const JobContext& job)
{
    if (!compression.halved) {
        DUO_TRY(written, writeModel(*exported.model, edits, file, job));
        return written.bytes;
    }
    DUO_TRY(halved, halvedExport(exported, edits, *compression.halved, job));
    edits.removedTensors.insert(edits.removedTensors.end(), halved.removedTensors.begin(), halved.removedTensors.end());
    DUO_TRY(written, writeModel(*halved.model, {}, file, job));
    return written.bytes;
}

} // namespace

Result<WrittenPlan> writePlan(const Snapshot& opened, Compression compression, std::string stateDigest,
    const std::filesystem::path& file, const std::function<void(const std::string& step)>& begins,
    const JobContext& job)
{
    DUO_TRY(exported, exportedSnapshot(opened, compression));
    DUO_TRY(qdq, exportedEdits(opened, compression));
    describeInPlace(qdq, *exported, std::move(stateDigest));
    begins("write");
    returnFreedMemory(); // of state and edits as they were made
    DUO_TRY(written, writeInPlace(*exported, qdq.edits, compression, file, job));
    EditList looked; // at by the checks; the rest is as large as the file
    looked.removedTensors = std::move(qdq.edits.removedTensors);
    qdq.edits = std::move(looked);
    begins("check");
    DUO_TRY(checked, checkExport(*exported, *opened.model, qdq, file, job));
    return WrittenPlan{
        std::move(compression), std::move(checked.checks), written, qdq.int8Elements, std::move(checked.session)};
}

Result<Session> takeSession(
    WrittenPlan& plan, const Model& original, const std::filesystem::path& file, const JobContext& job)
{
    if (auto session = std::exchange(plan.session, {}))
        return *std::move(session);
    return openExport(original, file, {.stop = job.stop});
}

Result<WrittenPlan> writeFittedPlan(const Snapshot& snapshot, Compression compression, const PlanWriter& write,
    const Dataset* dataset, int threads, const JobContext& job)
{
    return Fitting(snapshot, write, dataset, threads, job).fit(std::move(compression));
}

} // namespace duo
