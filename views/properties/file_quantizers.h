// SPDX-License-Identifier: Apache-2.0
// FileQuantizers: the quantizers that a model which somebody quantized holds, by the nodes that have to do with them.
#pragma once

#include "core/interchange/found_quantizers.h"
#include "views/properties/page.h"

#include <unordered_map>
#include <vector>

namespace duo::ui {

class FileQuantizers
{
public:
    explicit FileQuantizers(const Model& model); // O(nodes + scales)

    /// Those that a node holds, and those of what it reads, a line each: codes, scales, zero points, channels or
    /// blocks. Nothing for most nodes.
    void add(Page& page, const Model& model, NodeId node) const;

private:
    void addLines(Page& page, const QString& of, NodeId node) const;

    FoundQuantizers m_found;
    std::unordered_map<std::uint32_t, std::vector<std::size_t>> m_byNode; // that holds the scales
};

} // namespace duo::ui
