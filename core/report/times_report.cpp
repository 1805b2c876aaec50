// SPDX-License-Identifier: Apache-2.0
#include "core/report/times_report.h"

#include "core/graph/overlay.h"
#include "core/report/overlay_values.h"
#include "core/report/report_parts.h"
#include "core/support/phrases.h"

#include <algorithm>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t kShown = 15; // kernels, and scopes, in the text

Overlay overlayOf(const Model& model, const Scopes& scopes, const NodeTimes& times)
{
    OverlaySources sources{model, scopes};
    sources.times = &times;
    return *makeOverlay(OverlayKind::Time, sources);
}

/// Execution scopes with a time, longest first.
std::vector<ScopeId> slowScopes(const Overlay& overlay)
{
    std::vector<ScopeId> scopes;
    for (std::size_t i = 0; i < overlay.ofExecution.size(); ++i) {
        if (overlay.ofExecution[i])
            scopes.emplace_back(i);
    }
    std::ranges::stable_sort(
        scopes, [&](ScopeId a, ScopeId b) { return *overlay.ofExecution[a.index] > *overlay.ofExecution[b.index]; });
    return scopes;
}

std::string kernelText(const Model& model, const Overlay& overlay, const KernelTime& kernel)
{
    std::string text = "  " + overlayText(overlay, kernel.microseconds) + "  " + kernel.opType + "  " + kernel.name;
    if (kernel.nodes.size() > 1)
        text += ", made of " + nodesText(kernel.nodes.size());
    else if (kernel.nodes.empty())
        text += ", the engine's own";
    else if (model.node(kernel.nodes.front()).name != kernel.name)
        text += ", does " + model.node(kernel.nodes.front()).name;
    return text + "\n";
}

} // namespace

Json timesJson(const Model& model, const Scopes& scopes, const NodeTimes& times)
{
    const Overlay overlay = overlayOf(model, scopes, times);
    const auto share = [&](double time) { return times.kernelMicroseconds > 0 ? time / times.kernelMicroseconds : 0; };
    Json kernels = Json::array();
    for (const KernelTime& kernel : times.kernels)
        kernels.push_back({{"name", kernel.name}, {"op_type", kernel.opType}, {"microseconds", kernel.microseconds},
            {"share", share(kernel.microseconds)}, {"nodes", namesJson(model, kernel.nodes)}});
    Json slow = Json::array();
    for (const ScopeId scope : slowScopes(overlay)) {
        const double time = *overlay.ofExecution[scope.index];
        slow.push_back({{"scope", scopes.execution.scope(scope).path}, {"microseconds", time}, {"share", share(time)}});
    }
    return {{"runs", times.runs}, {"threads", times.threads}, {"run_microseconds", times.runMicroseconds},
        {"kernel_microseconds", times.kernelMicroseconds}, {"kernels", std::move(kernels)},
        {"scopes", std::move(slow)}};
}

std::string timesText(const Model& model, const Scopes& scopes, const NodeTimes& times)
{
    const Overlay overlay = overlayOf(model, scopes, times);
    Overlay plain = overlay; // without shares
    plain.whole = 0;
    std::string text = "one run: " + overlayText(plain, times.runMicroseconds) + ", in "
        + countText(times.kernels.size()) + " kernels " + overlayText(plain, times.kernelMicroseconds) + "; median of "
        + std::to_string(times.runs) + " runs\nkernels:\n";
    for (std::size_t i = 0; i < std::min(times.kernels.size(), kShown); ++i)
        text += kernelText(model, overlay, times.kernels[i]);
    text += "scopes:\n";
    const auto slow = slowScopes(overlay);
    for (std::size_t i = 0; i < std::min(slow.size(), kShown); ++i) {
        const std::string& path = scopes.execution.scope(slow[i]).path;
        text += "  " + overlayText(overlay, *overlay.ofExecution[slow[i].index]) + "  "
            + (path.empty() ? "(model)" : path) + "\n";
    }
    return text;
}

} // namespace duo
