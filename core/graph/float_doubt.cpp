// SPDX-License-Identifier: Apache-2.0
#include "core/graph/float_doubt.h"

#include <algorithm>

namespace duo {
namespace {

bool isPlanned(const RunGraph& run, const Placement& plan, NodeId kernel)
{
    return std::ranges::any_of(run.origins[kernel.index],
        [&](NodeId node) { return plan.decisions[node.index].state == NodeState::Quantized; });
}

/// What reads the values of a kernel, through others that only hand them on in float.
class ReadersInFloat
{
public:
    ReadersInFloat(const RunGraph& run, const Placement& plan)
        : m_run(run)
        , m_plan(plan)
        , m_isSeen(run.kernels->nodes.size(), false)
    {
    }

    void follow(NodeId kernel)
    {
        std::vector<NodeId> open{kernel};
        while (!open.empty()) {
            const NodeId next = open.back();
            open.pop_back();
            for (const ValueId output : m_run.kernels->node(next).outputs) {
                for (const Use& use : output.valid() ? m_run.kernels->value(output).uses : std::vector<Use>())
                    meet(use.node, open);
            }
        }
    }

    NodeId scaling; // put in by the export; the first of all
    bool makesCodes = false;

private:
    void meet(NodeId reader, std::vector<NodeId>& open)
    {
        if (m_isSeen[reader.index])
            return;
        m_isSeen[reader.index] = true;
        const KernelPrecision precision = m_run.precision[reader.index];
        if (precision == KernelPrecision::Quantizer)
            makesCodes = makesCodes || m_run.kernels->node(reader).opType != "DequantizeLinear";
        else if (m_run.isAdded[reader.index])
            scaling = !scaling.valid() || reader.index < scaling.index ? reader : scaling;
        else if (precision == KernelPrecision::Float && isPlanned(m_run, m_plan, reader))
            open.push_back(reader);
    }

    const RunGraph& m_run;
    const Placement& m_plan;
    std::vector<bool> m_isSeen; // [kernels]
};

} // namespace

std::string floatDoubt(const RunGraph& run, const Placement& plan, NodeId kernel)
{
    const bool isOfExport = std::ranges::find(run.isAdded, true) != run.isAdded.end();
    if (!isOfExport || run.precision[kernel.index] != KernelPrecision::Float || !isPlanned(run, plan, kernel))
        return {};
    ReadersInFloat readers(run, plan);
    readers.follow(kernel);
    if (readers.scaling.valid()) {
        const std::string& name = run.kernels->node(readers.scaling).name;
        return "the export scales what it gives (" + name + ") before codes are made";
    }
    return readers.makesCodes ? "codes are made of what it gives" : "why it is in float is not known";
}

} // namespace duo
