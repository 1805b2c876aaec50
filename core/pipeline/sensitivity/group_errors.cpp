// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/sensitivity/group_errors.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace duo {
namespace {

constexpr double kMatters = 0.1; // of the noise with everything quantized
constexpr double kMattersNot = 0.03;

std::int64_t savedBytes(const Switch& quantizer)
{
    if (quantizer.kind != SwitchKind::Weight || quantizer.sharesStorage)
        return 0;
    const auto elements = elementCount(quantizer.dims).value_or(0);
    return elements * static_cast<std::int64_t>(sizeof(float)) - static_cast<std::int64_t>(quantizer.stored.size());
}

/// Of whole numbers how many are equal, as a verdict does.
OutputNoise outputNoise(const OutputApart& output)
{
    const SignalError& error = output.error;
    OutputNoise noise{std::nullopt, std::nullopt, error.identical, output.isCompared && output.otherShapes == 0};
    if (noise.isCompared && output.isDiscrete)
        noise.equal = output.agreement();
    if (!output.isDiscrete)
        noise.sqnrDb = error.sqnrDb();
    noise.medianDb = medianDb(output.samples);
    if (const auto variation = variationOf(output.samples))
        noise.variationDb = variation->db;
    const auto compared = static_cast<double>(output.elements - error.nonFinite);
    if (std::isfinite(error.noise) && compared > 0)
        noise.mse = error.noise / compared;
    return noise;
}

double noiseRatio(const OutputApart& output)
{
    const SignalError& error = output.error;
    if (output.isDiscrete && output.agreement())
        return 1 - *output.agreement();
    if (error.noise == 0)
        return 0;
    return error.signal > 0 ? error.noise / error.signal : std::numeric_limits<double>::infinity();
}

/// The nodes of a group, for looking them up.
class Members
{
public:
    explicit Members(const NodeGroup& group)
        : m_nodes(group.nodes)
    {
        std::ranges::sort(m_nodes);
    }
    [[nodiscard]] bool holdAnyOf(const std::vector<NodeId>& nodes) const
    {
        return std::ranges::any_of(nodes, [this](NodeId node) { return has(node); });
    }
    [[nodiscard]] bool holdAllOf(const std::vector<NodeId>& nodes) const // and there are some
    {
        return !nodes.empty() && std::ranges::all_of(nodes, [this](NodeId node) { return has(node); });
    }

private:
    [[nodiscard]] bool has(NodeId node) const { return std::ranges::binary_search(m_nodes, node); }
    std::vector<NodeId> m_nodes;
};

/// Of a noise that may be infinite; two infinite ones are as bad as each other.
double shareOf(double noise, double all)
{
    if (all == 0)
        return 0;
    if (std::isinf(noise))
        return 1;
    return std::isinf(all) ? 0 : noise / all;
}

} // namespace

MeasuredError measuredError(const OutputsApart& apart)
{
    MeasuredError measured;
    for (const OutputApart& output : apart.outputs) {
        measured.outputs.push_back(outputNoise(output));
        measured.noise += noiseRatio(output) / static_cast<double>(apart.outputs.size());
    }
    return measured;
}

GroupErrors::GroupErrors(const Snapshot& exported, const SwitchableModel& model, int threads, const JobContext& job)
    : m_exported(exported)
    , m_model(model)
    , m_threads(threads)
    , m_job(job)
    , m_nodeGroups(exported)
{
}

Switched GroupErrors::only(const NodeGroup& group) const
{
    const Members members(group);
    Switched isOn;
    for (const Switch& quantizer : m_model.switches())
        isOn.push_back(members.holdAnyOf(quantizer.nodes));
    return isOn;
}

Switched GroupErrors::allBut(const NodeGroup& group) const
{
    const Members members(group);
    Switched isOn;
    for (const Switch& quantizer : m_model.switches())
        isOn.push_back(!members.holdAllOf(quantizer.nodes));
    return isOn;
}

GroupSensitivity GroupErrors::sensitivityOf(const NodeGroup& group, MeasuredError only, MeasuredError allBut) const
{
    GroupSensitivity sensitivity;
    sensitivity.kind = group.kind;
    sensitivity.name = group.name;
    for (const NodeId node : group.nodes)
        sensitivity.nodes.push_back(m_exported.model->node(node).name);
    sensitivity.rules = group.rules;
    sensitivity.shareAlone = shareOf(only.noise, m_all.noise);
    sensitivity.shareTaken = 1 - shareOf(allBut.noise, m_all.noise);
    if (m_all.noise == 0)
        sensitivity.shareTaken = 0;
    const auto [less, more] = std::minmax(sensitivity.shareAlone, sensitivity.shareTaken);
    sensitivity.disagrees = more >= kMatters && less < kMattersNot;
    const Members members(group);
    for (const Switch& quantizer : m_model.switches())
        sensitivity.bytes += members.holdAllOf(quantizer.nodes) ? savedBytes(quantizer) : 0;
    sensitivity.only = std::move(only);
    sensitivity.allBut = std::move(allBut);
    return sensitivity;
}

Status GroupErrors::measure(std::vector<NodeGroup> groups, std::optional<std::size_t> partOf)
{
    const std::size_t first = m_ranAll ? 0 : 1; // everything comes before the groups
    const auto setting = [&](std::size_t i) {
        if (i < first)
            return Switched(m_model.switches().size(), true);
        const NodeGroup& group = groups[(i - first) / 2];
        return (i - first) % 2 == 0 ? only(group) : allBut(group);
    };
    const std::string stage = partOf ? "sensitivity of parts" : "sensitivity";
    DUO_TRY(apart, m_model.apart(first + 2 * groups.size(), setting, stage, m_threads, m_job));
    std::size_t next = 0;
    if (!m_ranAll) {
        m_all = measuredError(apart[next]);
        m_agreement = agreementOf(apart[next++]);
        m_ranAll = true;
    }
    for (std::size_t i = 0; i < groups.size(); ++i, next += 2) {
        auto sensitivity = sensitivityOf(groups[i], measuredError(apart[next]), measuredError(apart[next + 1]));
        sensitivity.partOf = partOf;
        m_groups.push_back({std::move(groups[i]), std::move(sensitivity), false});
    }
    return success();
}

} // namespace duo
