// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compute_constants.h"

#include "core/engine/session.h"
#include "core/onnx/part_model.h"
#include "core/transform/plain_operators.h"

#include <algorithm>
#include <iterator>

namespace duo {
namespace {

constexpr int kMostAttempts = 32;

class ConstantRuns
{
public:
    ConstantRuns(const Model& model, ConstantPart part, const JobContext& job)
        : m_model(model)
        , m_job(job)
    {
        m_values.part = std::move(part);
    }

    Result<ComputedConstants> run()
    {
        computePlainly();
        std::vector<ValueId> left;
        std::ranges::copy_if(m_values.part.results, std::back_inserter(left), [&](ValueId result) {
            return !m_values.tensors.contains(result.index) && m_model.value(result).region == RegionId(0);
        });
        DUO_CHECK(compute(left));
        return std::move(m_values);
    }

private:
    /// What needs no engine, whose start takes longer than most models' passes.
    void computePlainly()
    {
        std::unordered_map<std::uint32_t, Tensor> known; // by value
        for (const NodeId id : m_values.part.nodes) {
            const Node& node = m_model.node(id);
            std::vector<const Tensor*> inputs;
            bool areKnown = true;
            for (const ValueId input : node.inputs) {
                const auto found = input.valid() ? known.find(input.index) : known.end();
                inputs.push_back(found != known.end() ? &found->second : m_model.constant(input));
                areKnown = areKnown && (inputs.back() != nullptr || !input.valid());
            }
            auto computed = areKnown ? computedPlainly(m_model, node, inputs) : std::nullopt;
            if (computed && node.outputs[0].valid())
                known.emplace(node.outputs[0].index, *std::move(computed));
        }
        for (const ValueId result : m_values.part.results) {
            const auto found = known.find(result.index);
            if (found == known.end())
                continue;
            const auto bytes = found->second.bytes();
            m_values.tensors.emplace(result.index,
                NewTensor{m_model.value(result).name, found->second.type, found->second.dims,
                    {bytes.begin(), bytes.end()}, m_model.value(result).region});
        }
    }

    /// All at once, or where that fails one half after the other.
    Status compute(std::span<const ValueId> results)
    {
        if (results.empty() || m_attempts++ >= kMostAttempts)
            return success();
        const Status done = attempt(results);
        if (m_job.stopped())
            return cancelledError();
        if (done)
            return success();
        if (m_values.problem.empty())
            m_values.problem = "the engine could not compute it: " + done.error().what;
        if (results.size() == 1)
            return success();
        DUO_CHECK(compute(results.first(results.size() / 2)));
        return compute(results.subspan(results.size() / 2));
    }

    Status attempt(std::span<const ValueId> results)
    {
        DUO_TRY(bytes, partModel(m_model, nodesFor(results), results));
        SessionOptions options;
        options.optimization = Optimization::None;
        options.crashPlace = m_model.path.string();
        options.stop = m_job.stop;
        DUO_TRY(session, Session::openBytes(bytes, options));
        std::vector<std::string> wanted;
        for (const PortInfo& port : session.outputs()) {
            if (port.isNumeric())
                wanted.push_back(port.name);
        }
        if (wanted.size() < results.size() && m_values.problem.empty())
            m_values.problem = "it gives no numbers";
        if (wanted.empty())
            return success();
        DUO_TRY(computed, session.run({}, wanted, m_job));
        for (HostTensor& tensor : computed) {
            const ValueId value = m_model.findValue(tensor.name);
            if (value.valid())
                m_values.tensors.emplace(
                    value.index, NewTensor{tensor.name, tensor.type, std::move(tensor.dims), std::move(tensor.bytes)});
        }
        return success();
    }

    /// Those that these values are made of, in their order.
    [[nodiscard]] std::vector<NodeId> nodesFor(std::span<const ValueId> results) const
    {
        std::vector<bool> isWanted(m_model.nodes.size());
        for (const ValueId result : results)
            isWanted[m_model.value(result).producer.index] = true;
        std::vector<NodeId> nodes;
        for (auto id = m_values.part.nodes.rbegin(); id != m_values.part.nodes.rend(); ++id) {
            if (!isWanted[id->index])
                continue;
            nodes.push_back(*id);
            for (const ValueId input : m_model.node(*id).inputs) {
                if (input.valid() && m_model.value(input).producer.valid())
                    isWanted[m_model.value(input).producer.index] = true;
            }
        }
        std::ranges::reverse(nodes);
        return nodes;
    }

    const Model& m_model;
    const JobContext& m_job;
    ComputedConstants m_values;
    int m_attempts = 0;
};

} // namespace

Result<ComputedConstants> computeConstants(const Model& model, ConstantPart part, const JobContext& job)
{
    return ConstantRuns(model, std::move(part), job).run();
}

} // namespace duo
