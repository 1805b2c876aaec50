// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/stages_of_model.h"
#include "tests/support/view_graphs.h"

#include "core/calibrate/samples/dataset.h"
#include "core/engine/find_value_types.h"
#include "core/graph/containment.h"
#include "core/graph/layout_composer.h"
#include "core/graph/nncf_dot.h"
#include "core/graph/quantizer_boxes.h"
#include "core/graph/view_dot.h"
#include "core/onnx/writer.h"
#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/export.h"
#include "core/pipeline/snapshot/read_model_file.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "core/report/dequantize_report.h"
#include "core/report/explain_report.h"
#include "core/report/inspect_report.h"
#include "core/report/overlay_values.h"
#include "core/report/plan_report.h"
#include "core/report/scopes_report.h"
#include "core/search/find_things.h"

#include <algorithm>
#include <exception>

namespace duo::test {
namespace {

constexpr std::size_t kMostExplained = 40;

class Stages
{
public:
    Stages(const std::filesystem::path& path, const StageNews& news)
        : m_path(path)
        , m_news(news)
    {
    }

    /// As the door of a command does.
    template <typename Work> void guarded(const Work& work)
    {
        try {
            work();
        } catch (const std::exception& thrown) {
            m_findings.push_back(m_stage + ": thrown: " + thrown.what());
        }
    }

    void look()
    {
        begin("open");
        const auto read = readModelFile(m_path);
        if (!passes(read))
            return;
        begin("inspect");
        strict(inspectJson(**read));
        inspectText(**read);
        begin("write");
        if (const auto written = engineModel(**read, {}); passes(written)) {
            // A model in memory has no folder for external data.
            const auto again = readModelBytes({nullptr, written->proto}, "written");
            if (!again && again.error().code != ErrorCode::FileNotReadable)
                m_findings.push_back("what was written does not open: " + again.error().line());
        }
        begin("dequantize");
        dequantize(**read);
        begin("scopes");
        auto opened = openScopes(m_path);
        if (!passes(opened))
            return;
        m_snapshot = *std::move(opened);
        std::string json;
        writeScopesJson(*m_snapshot->model, *m_snapshot->scopes, [&](std::string_view piece) { json += piece; },
            {{"constants", constantsJson(*m_snapshot->model, *m_snapshot->scopes)}});
        if (!nlohmann::ordered_json::accept(json))
            m_findings.emplace_back("the JSON of scopes is none");
        scopesText(*m_snapshot->model, *m_snapshot->scopes, m_snapshot->sources());
        for (const Profile profile : {Profile::TensorRt, Profile::OpenVino, Profile::Qnn, Profile::OrtCpu})
            plan(profile);
        draw();
        explain(nullptr);
    }

    void quantize(const std::filesystem::path& folder)
    {
        if (!m_snapshot)
            return;
        begin("engine: explain");
        const auto types = findValueTypes(*m_snapshot->model);
        if (passes(types))
            explain(&*types);
        if (!m_snapshot->placement)
            return;
        begin("engine: data");
        const auto dataset = openDataset("random:2", *m_snapshot->model);
        if (!passes(dataset))
            return;
        begin("engine: calibrate");
        const auto compression = calibrate(*m_snapshot, **dataset, 1, {});
        if (!passes(compression))
            return;
        begin("engine: export");
        const auto exported
            = exportModel(*m_snapshot, *compression, dataset->get(), folder / "strange.int8.onnx", 1, {});
        if (!passes(exported))
            return;
        strict(exportJson(*exported));
        exportText(*exported);
    }

    [[nodiscard]] std::vector<std::string> findings() && { return std::move(m_findings); }

private:
    void begin(const std::string& stage)
    {
        m_stage = stage;
        if (m_news)
            m_news(stage);
    }

    void judge(const Error& error)
    {
        const std::string line = error.line();
        if (error.code == ErrorCode::Internal || line.empty() || line.find('\n') != std::string::npos)
            m_findings.push_back(m_stage + ": " + line);
    }

    template <typename T> bool passes(const Result<T>& result)
    {
        if (!result)
            judge(result.error());
        return result.hasValue();
    }

    /// All texts are UTF-8: else this throws.
    static void strict(const nlohmann::ordered_json& json) { static_cast<void>(json.dump()); }

    /// What is found, in float and in another tool's form; the edits fit the model.
    void dequantize(const Model& model)
    {
        const FoundQuantizers found = findQuantizers(model);
        encodingsText(model, found, EncodingForm::Aimet061);
        encodingsText(model, found, EncodingForm::OrtOverrides);
        const auto made = dequantizeEdits(model);
        if (!passes(made))
            return;
        strict(dequantizeJson(model, found, *made, {}));
        passes(engineModel(model, made->edits));
    }

    void plan(Profile profile)
    {
        begin("plan " + std::string(profileText(profile)));
        Recipe recipe;
        recipe.quantization.profile = profile;
        auto placed = withRecipe(*m_snapshot, recipe);
        if (!passes(placed))
            return;
        m_snapshot = *std::move(placed);
        if (m_snapshot->refusal)
            judge(*m_snapshot->refusal);
        if (!m_snapshot->placement)
            return;
        std::string json;
        writePlanJson(*m_snapshot->model, *m_snapshot->placement, {}, [&](std::string_view piece) { json += piece; });
        if (!nlohmann::ordered_json::accept(json))
            m_findings.emplace_back("the JSON of the plan is none");
        writePlanText(*m_snapshot->model, *m_snapshot->placement, {}, [](std::string_view) {});
    }

    void draw()
    {
        begin("graph");
        const Model& model = *m_snapshot->model;
        const Scopes& scopes = *m_snapshot->scopes;
        const Placement* placement = m_snapshot->placement.get();
        writeNncfDot(model, compressedGraph(model, placement != nullptr ? placement->setup : QuantizerSetup{}),
            [](std::string_view) {});
        std::set<std::string> all;
        for (const Container& container : findContainment(model, scopes).containers)
            all.insert(container.key);
        for (const auto& open : {test::openWithin(model, scopes, 60), all}) {
            const ViewGraph view = withQuantizerBoxes(test::viewOf(model, scopes, placement, open));
            LayoutComposer composer({});
            const auto picture = composer.compose(view, drawingSize);
            if (passes(picture))
                viewDot(view, *picture);
        }
        for (int kind = 0; kind < static_cast<int>(kOverlayKinds); ++kind)
            makeOverlay(static_cast<OverlayKind>(kind), {model, scopes, placement});
    }

    void explain(const ValueTypes* types)
    {
        begin("explain");
        const Known known{*m_snapshot->model, *m_snapshot->scopes, m_snapshot->sources(), m_snapshot->placement.get(),
            m_snapshot->hits.get(), m_snapshot->base.get(), m_snapshot->unruled.get(), types};
        std::vector<std::string> names{""};
        const auto& nodes = m_snapshot->model->nodes;
        for (std::size_t n = 0; n < std::min(kMostExplained, nodes.size()); ++n)
            names.push_back(nodes[n].name);
        for (const Scope& scope : m_snapshot->scopes->execution.scopes)
            names.push_back(scope.path);
        names.resize(std::min(names.size(), 2 * kMostExplained));
        for (const std::string& name : names) {
            const auto asked = findAsked(known.model, known.scopes, name);
            if (!passes(asked))
                continue;
            strict(explainJson(known, *asked));
            explainText(known, *asked);
        }
    }

    const std::filesystem::path& m_path;
    const StageNews& m_news;
    std::string m_stage;
    std::optional<Snapshot> m_snapshot;
    std::vector<std::string> m_findings;
};

} // namespace

std::vector<std::string> lookAtModel(const std::filesystem::path& path, const StageNews& news)
{
    Stages stages(path, news);
    stages.guarded([&] { stages.look(); });
    return std::move(stages).findings();
}

std::vector<std::string> quantizeModel(
    const std::filesystem::path& path, const std::filesystem::path& folder, const StageNews& news)
{
    Stages stages(path, news);
    stages.guarded([&] { stages.look(); });
    stages.guarded([&] { stages.quantize(folder); });
    return std::move(stages).findings();
}

} // namespace duo::test
