// SPDX-License-Identifier: Apache-2.0
// Drawing: .dot text in, the bytes of a picture out.
#pragma once

#include "core/support/result.h"

#include <string>

namespace duo {

/// @param dot the graph; its `layout` attribute names the engine (dot or nop2)
/// @param format "svg", "png", "pdf" or "dot"
/// @return Usage for another format; BadData for text that is no graph; EngineFailed with Graphviz' message
Result<std::string> drawGraph(const std::string& dot, const std::string& format);

} // namespace duo
