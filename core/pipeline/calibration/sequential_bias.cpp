// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/calibration/sequential_bias.h"

#include "core/calibrate/collect_statistics.h"
#include "core/model/op_facts.h"
#include "core/onnx/reader.h"
#include "core/quantize/edits/qdq_edits.h"
#include "core/quantize/points/weights.h"
#include "core/transform/fold_batch_norm.h"

#include <algorithm>
#include <cmath>

namespace duo {
namespace {

constexpr std::int64_t kShare = 5; // of the samples one in five, as NNCF

/// The value in which a node's bias is added: its own output, of a folded norm behind it, or of the Add.
ValueId biasedValue(const Model& model, NodeId id)
{
    if (const auto norm = foldableNorm(model, id))
        return model.node(norm->node).outputs[0];
    const auto written = biasOf(model, id);
    const auto place = written ? written : addedBiasOf(model, id);
    return model.node(place ? place->node : id).outputs[0];
}

/// Correctable nodes by how many of them lie before, at most.
std::vector<std::vector<NodeId>> layersOf(const Model& model, const std::vector<NodeId>& nodes)
{
    std::vector<std::size_t> depth(model.nodes.size(), 0); // correctable nodes up to and with this one
    std::vector<std::vector<NodeId>> layers;
    for (const NodeId id : model.order) {
        if (model.node(id).region != RegionId(0))
            continue;
        std::size_t before = 0;
        for (const ValueId input : model.node(id).inputs) {
            if (input.valid() && model.value(input).producer.valid())
                before = std::max(before, depth[model.value(input).producer.index]);
        }
        const bool isCorrectable = std::ranges::binary_search(nodes, id);
        depth[id.index] = before + (isCorrectable ? 1 : 0);
        if (!isCorrectable)
            continue;
        layers.resize(std::max(layers.size(), before + 1));
        layers[before].push_back(id);
    }
    return layers;
}

class Correction
{
public:
    Correction(const Snapshot& snapshot, const Dataset& dataset, std::int64_t samples, Compression& compression,
        int threads, const JobContext& job)
        : m_snapshot(snapshot)
        , m_model(*snapshot.model)
        , m_dataset(dataset)
        , m_samples(std::max<std::int64_t>(std::min(samples, dataset.size()) / kShare, 1))
        , m_compression(compression)
        , m_threads(threads)
        , m_job(job)
    {
    }

    Status run(const std::vector<NodeId>& nodes, CorrectionMade& made)
    {
        std::map<NodeId, std::string> names;
        for (const NodeId node : nodes)
            names.emplace(node, m_model.value(biasedValue(m_model, node)).name);
        DUO_TRY(wanted, means(m_model, names));
        for (const std::vector<NodeId>& layer : layersOf(m_model, nodes)) {
            DUO_TRY(given, meansOfQuantized(layer));
            for (const NodeId node : layer)
                correct(node, wanted.at(node), given.at(node), made);
        }
        return success();
    }

private:
    using Means = std::map<NodeId, std::vector<double>>;

    Result<Means> means(const Model& model, const std::map<NodeId, std::string>& names) const
    {
        Measurement wanted;
        wanted.kinds = {.quantiles = false, .moments = false, .channels = true, .histogram = false};
        for (const auto& [node, name] : names) {
            wanted.values.push_back(name);
            wanted.channelAxes.emplace(name, outputChannelAxis(m_model.node(node)).value_or(-1));
        }
        DUO_TRY(statistics, collectStatistics(model, wanted, m_dataset, {0, m_samples}, m_threads, m_job));
        Means means;
        for (const auto& [node, name] : names) {
            const ChannelStatistics& channels = statistics.values.at(name).channels;
            for (std::size_t c = 0; c < channels.min.size(); ++c)
                means[node].push_back(channels.mean(c));
            means[node].resize(channels.min.size());
        }
        return means;
    }

    Result<Means> meansOfQuantized(const std::vector<NodeId>& layer) const
    {
        DUO_TRY(qdq,
            buildQdqEdits(m_model, m_compression.setup, m_compression.parameters, m_snapshot.placement->decisions,
                m_snapshot.recipe.quantization, m_compression.biasShifts));
        DUO_TRY(quantized, editedModel(m_model, std::move(qdq.edits)));
        std::map<NodeId, std::string> names;
        for (const NodeId node : layer) {
            const ValueId value = biasedValue(m_model, node);
            const auto renamed = qdq.activations.find(value);
            const bool isRenamed = renamed != qdq.activations.end() && !renamed->second.floating.empty();
            names.emplace(node, isRenamed ? renamed->second.floating : m_model.value(value).name);
        }
        return means(*quantized, names);
    }

    void correct(NodeId node, const std::vector<double>& wanted, const std::vector<double>& given, CorrectionMade& made)
    {
        const auto bias = biasToCorrect(m_model, node);
        std::vector<float> shift;
        for (std::size_t c = 0; c < std::min(wanted.size(), given.size()); ++c)
            shift.push_back(static_cast<float>(wanted[c] - given[c]));
        const std::string& name = m_model.node(node).name;
        if (!isShiftTaken(bias, shift, biasThreshold(m_snapshot.recipe.quantization))) {
            made.skipped.push_back(name);
            return;
        }
        made.nodes.push_back(name);
        for (std::size_t c = 0; c < bias.size(); ++c)
            made.largest = std::max<double>(made.largest, std::abs(shift[c] / bias[c]));
        m_compression.biasShifts[node] = std::move(shift);
    }

    const Snapshot& m_snapshot;
    const Model& m_model;
    const Dataset& m_dataset;
    std::int64_t m_samples;
    Compression& m_compression;
    int m_threads;
    const JobContext& m_job;
};

} // namespace

Status correctBiasesInTurn(const Snapshot& snapshot, const Dataset& dataset, std::int64_t samples,
    Compression& compression, int threads, const JobContext& job)
{
    auto nodes = correctableNodes(*snapshot.model, compression.setup);
    std::ranges::sort(nodes);
    CorrectionMade made{"bias-correction", {}, {}, 0};
    std::erase_if(nodes, [&](NodeId node) { // what lies before them depends on the branches that samples take
        if (snapshot.model->node(node).region == RegionId(0))
            return false;
        made.skipped.push_back(snapshot.model->node(node).name);
        return true;
    });
    if (!nodes.empty())
        DUO_CHECK(Correction(snapshot, dataset, samples, compression, threads, job).run(nodes, made));
    compression.corrections.push_back(std::move(made));
    return success();
}

} // namespace duo
