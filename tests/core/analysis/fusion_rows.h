// SPDX-License-Identifier: Apache-2.0
// FusionRow: what ONNX Runtime 1.32 runs in int8, or why not (resources/docs/runtime.md, "Fusion table"): a tiny
// network, loaded for real.
#pragma once

#include "core/analysis/fallback.h"
#include "tests/core/analysis/quantized_graph.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace duo::test {

using Graph = QuantizedGraph;
using BuildRow = std::function<std::string(Graph&)>; // @return the result of the network
using Attributes = std::vector<std::pair<std::string, std::int64_t>>;

struct FusionRow {
    const char* name;
    BuildRow build;
    const char* kernels; // all that runs besides quantizers, on the version the table was measured on
    std::optional<Fallback> fallback{}; // of the node "op", told for any version; nothing: it runs in int8
    int opset = 17;
};

std::vector<FusionRow> convolutionRows();
std::vector<FusionRow> productRows();
std::vector<FusionRow> operatorRows();
std::vector<FusionRow> movementRows();
std::vector<FusionRow> weightOnlyRows();

std::string image(Graph& g, Codes codes = kU8); // 1 x 4 x 8 x 8 behind quantizers
std::string conv(Graph& g, const std::string& x, const std::string& name = "op");
/// One operator between quantizers of equal parameters.
BuildRow between(const char* opType, Attributes attributes = {});
/// The same with other parameters behind it.
BuildRow betweenOther(const char* opType, Attributes attributes = {});
BuildRow twoInputs(const char* opType, Attributes attributes = {});

} // namespace duo::test
