// SPDX-License-Identifier: Apache-2.0
// Which operands of a higher-order operator the inputs of its body stand for.
#pragma once

#include "core/formats/pt2/exported_program.h"

#include <string>
#include <utility>
#include <vector>

namespace duo {

/// Pairs of an input of the body and the operand it is in every run. Bodies see only their inputs: `cond` and wrappers
/// pass all operands on; loops (`while_loop`, `scan`, `map_impl`, `associative_scan`) pass those of the last list on,
/// the others change from run to run. Nothing for other operators, and where the numbers do not fit.
std::vector<std::pair<std::string, std::string>> constantOperands(const ExportNode& node, const ExportGraph& body);

} // namespace duo
