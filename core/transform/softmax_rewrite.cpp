// SPDX-License-Identifier: Apache-2.0
#include "core/transform/rewrites.h"

namespace duo {

/// Up to opset 12 these work along all dimensions from `axis` on as one; from 13 on along `axis` alone. The same for
/// the last dimension; otherwise these dimensions are made one around the node.
void axisBecomesOne(NodeRewrite& rewrite)
{
    const std::int64_t axis = rewrite.read<std::int64_t>("axis").value_or(1);
    if (!rewrite.hasInput(0) || rewrite.node().outputs.empty() || !rewrite.node().outputs.front().valid())
        return rewrite.refuse("it has no input or no output");
    const auto rank = rewrite.rankOfInput(0);
    if (rank && (axis >= *rank || axis < -*rank))
        return rewrite.refuse("its axis does not fit its input");
    const bool isLast = axis == -1 || (rank && axis == *rank - 1);
    if (isLast && rewrite.node().attribute("axis") != nullptr)
        return;
    rewrite.set("axis", isLast ? axis : std::int64_t{-1});
    if (isLast)
        return;
    const std::string input = rewrite.inputName(0);
    rewrite.giveInput(0, rewrite.addHelper(NodeRewrite::Side::Before, "Flatten", {input}, {{"axis", axis}}));
    const std::string shape = rewrite.addHelper(NodeRewrite::Side::After, "Shape", {input});
    rewrite.takeOverOutput("Reshape", shape);
}

} // namespace duo
