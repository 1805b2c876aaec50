// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/operators/patterns.h"

#include <algorithm>

namespace duo {
namespace {

using namespace role;
using Kind = PatternNode::Kind;
using Alternatives = std::vector<FusionPattern>;

constexpr OpRoles kArithmetic = kAdd | kSub | kMul | kDiv;

PatternNode outside()
{
    return {Kind::Outside, kNone, {}, false};
}

PatternNode node(OpRoles roles, std::vector<int> reads = {})
{
    return {Kind::Roles, roles, std::move(reads), false};
}

PatternNode excluded(OpRoles roles, std::vector<int> reads)
{
    return {Kind::Roles, roles, std::move(reads), true};
}

FusionPattern single(std::string name, OpRoles roles)
{
    return {std::move(name), {node(roles)}};
}

/// `second` behind the last node of `first`; a leading Any or Outside of `second` becomes that node.
FusionPattern join(const FusionPattern& first, const FusionPattern& second)
{
    FusionPattern joined{first.name + ", " + second.name, first.nodes};
    const int last = static_cast<int>(first.nodes.size()) - 1;
    const bool dropsHead = second.nodes.front().kind != Kind::Roles;
    const int shift = last + (dropsHead ? 0 : 1);
    for (std::size_t i = dropsHead ? 1 : 0; i < second.nodes.size(); ++i) {
        PatternNode copy = second.nodes[i];
        for (int& read : copy.reads)
            read += shift;
        if (i == 0)
            copy.reads.push_back(last);
        joined.nodes.push_back(std::move(copy));
    }
    return joined;
}

Alternatives join(const Alternatives& first, const Alternatives& second)
{
    Alternatives joined;
    for (const FusionPattern& a : first) {
        for (const FusionPattern& b : second)
            joined.push_back(join(a, b));
    }
    return joined;
}

// Building blocks. Reads are indices into the same list.

FusionPattern swish(OpRoles gate)
{
    return {"swish", {outside(), node(gate, {0}), node(kMul, {1, 0})}};
}

FusionPattern hardSwish()
{
    return {"hard swish", {{Kind::Any, kNone, {}, false}, node(kAdd, {0}), node(kRelu, {1}), node(kMul, {2, 0})}};
}

FusionPattern gelu()
{
    return {"gelu",
        {outside(), node(kDiv | kMul, {0}), node(kErf, {1}), node(kAdd | kSub, {2}), node(kMul | kDiv, {3, 0})}};
}

FusionPattern scaleShift()
{
    return {"scale-shift", {outside(), node(kMul, {0}), node(kAdd | kSub, {1})}};
}

FusionPattern shiftScale()
{
    return {"shift-scale", {node(kAdd | kSub), node(kMul | kDiv, {0})}};
}

/// Mean-variance normalization: the body of a layer normalization.
FusionPattern mvn()
{
    return {"normalization",
        {outside(), node(kReduceMean, {0}), node(kSub, {1, 0}), node(kPow, {2}), node(kReduceMean, {3}),
            node(kAdd, {4}), node(kSqrt, {5}), node(kDiv, {6, 2})}};
}

Alternatives activations()
{
    return {single("activation", kActivation), swish(kSigmoid), swish(kHardSigmoid),
        join(hardSwish(), single("division", kDiv)), hardSwish(), gelu()};
}

/// A list of alternatives that grows family by family.
class Families
{
public:
    /// The parts joined in their order.
    void add(const std::vector<Alternatives>& parts)
    {
        Alternatives joined = parts.front();
        for (std::size_t i = 1; i < parts.size(); ++i)
            joined = join(joined, parts[i]);
        m_all.insert(m_all.end(), joined.begin(), joined.end());
    }
    Alternatives take() { return std::move(m_all); }

private:
    Alternatives m_all;
};

/// What runtimes compute as one operator. The order decides between overlapping patterns of one length and is NNCF's.
Alternatives fusedFamilies(bool fusesScaledLinear)
{
    const Alternatives act = activations();
    const Alternatives lin{single("linear", kLinear)};
    const Alternatives arith{single("arithmetic", kArithmetic)};
    const Alternatives bn{single("batch norm", kBatchNorm)};
    const Alternatives ss{scaleShift()};
    const Alternatives squeeze{single("squeeze", kSqueeze)};
    const Alternatives input{single("input", kInput)};
    Families all;
    all.add({{mvn(), join(mvn(), scaleShift()), gelu(), scaleShift(), shiftScale(), swish(kSigmoid),
        swish(kHardSigmoid), join(hardSwish(), single("division", kDiv)), hardSwish()}});
    all.add({input, ss});
    all.add({input, {shiftScale()}});
    all.add({input, {single("arithmetic", kAdd | kMul)}});
    for (const auto& second : {bn, ss})
        all.add({act, second});
    for (const auto& second : {bn, act, ss})
        all.add({arith, second});
    all.add({arith, bn, act});
    all.add({arith, ss, act});
    all.add({arith, act, bn});
    all.add({arith, act, ss});
    all.add({bn, act});
    all.add({ss, act});
    all.add({lin, arith});
    all.add({{{"linear, arithmetic", {node(kLinear), node(kArithmetic, {0, 0})}}}});
    for (const auto& second : {bn, act})
        all.add({lin, second});
    all.add({lin, bn, act});
    all.add({lin, ss, act});
    all.add({lin, act, bn});
    all.add({lin, act, ss});
    all.add({lin, bn, ss, act});
    all.add({lin, squeeze, act});
    all.add({lin, squeeze, arith, act});
    all.add({bn, ss, act});
    all.add({lin, arith, act});
    all.add({lin, {shiftScale()}});
    all.add({lin, arith, act, arith});
    if (fusesScaledLinear)
        all.add({lin, ss});
    return all.take();
}

void sortLongestFirstInPlace(std::vector<FusionPattern>& patterns)
{
    std::stable_sort(patterns.begin(), patterns.end(),
        [](const FusionPattern& a, const FusionPattern& b) { return a.size() > b.size(); });
}

/// Reduced means through two convolutions to a gate that multiplies the reduced value.
Alternatives squeezeExcite()
{
    Alternatives all;
    for (const FusionPattern& act : activations()) {
        FusionPattern pattern
            = join({"a squeeze-and-excite block",
                       {outside(), excluded(kReduceMean | kGlobalAveragePool, {0}), node(kPlainConv, {1})}},
                act);
        pattern = join(pattern, single("", kPlainConv));
        pattern = join(pattern, single("", kSigmoid | kHardSigmoid));
        const int gate = static_cast<int>(pattern.nodes.size()) - 1;
        pattern.nodes.push_back(excluded(kMul, {gate, 0}));
        pattern.name = "a squeeze-and-excite block";
        all.push_back(std::move(pattern));
    }
    return all;
}

Alternatives attentionOutputs()
{
    return {
        {"an attention output", {node(kSoftmax), node(kAttentionBranch), node(kMatMul, {0, 1})}},
        {"an attention output", {node(kSoftmax), node(kReshape, {0}), node(kAttentionBranch), node(kMatMul, {1, 2})}},
    };
}

Alternatives positionalEmbeddings()
{
    return {
        {"a rotary embedding",
            {node(kPlainMatMul), node(kTranspose, {0}), node(kConcat, {1}), node(kCos, {2}), node(kSin, {2})}},
        {"a positional embedding",
            {node(kPlainMatMul), node(kMul, {0}), node(kCos, {1}), node(kSin, {1}), node(kConcat, {2, 3})}},
    };
}

} // namespace

int FusionPattern::size() const
{
    return static_cast<int>(std::count_if(
        nodes.begin(), nodes.end(), [](const PatternNode& entry) { return entry.kind != Kind::Outside; }));
}

std::vector<FusionPattern> fusedPatterns(const Target& target)
{
    Alternatives all = fusedFamilies(target.device != TargetDevice::Npu && target.device != TargetDevice::CpuSpr);
    sortLongestFirstInPlace(all);
    return all;
}

std::vector<FusionPattern> ignoredPatterns(const Target& target)
{
    Alternatives all = squeezeExcite();
    const auto add = [&all](const Alternatives& more) { all.insert(all.end(), more.begin(), more.end()); };
    if (target.isTransformer) {
        if (target.device != TargetDevice::CpuSpr)
            add(attentionOutputs());
        add(positionalEmbeddings());
    }
    sortLongestFirstInPlace(all);
    return all;
}

} // namespace duo
