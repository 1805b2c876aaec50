// SPDX-License-Identifier: Apache-2.0
#include "core/transform/rewrites.h"

#include <algorithm>

namespace duo {
namespace {

/// The inputs of Upsample and of the first Resize are (X, scales), now they are (X, roi, scales).
void moveScales(NodeRewrite& rewrite)
{
    const std::string scales = rewrite.inputName(1);
    if (scales.empty())
        return rewrite.refuse("it names no scales");
    rewrite.giveInput(1, "");
    rewrite.giveInput(2, scales);
}

bool isNearest(NodeRewrite& rewrite)
{
    const std::string mode = rewrite.read<std::string>("mode").value_or("nearest");
    if (mode != "nearest" && mode != "linear")
        rewrite.refuse("its mode '" + mode + "' is not known");
    return mode == "nearest";
}

/// Position i of the output is position i / scale of the input; between two of them, the one before it is the nearest.
void sayCoordinates(NodeRewrite& rewrite, const char* nearest)
{
    rewrite.set("coordinate_transformation_mode", std::string("asymmetric"));
    if (isNearest(rewrite))
        rewrite.set("nearest_mode", std::string(nearest));
}

/// Resize of opset 10, where a dimension shrinks, takes the position behind.
void firstResize(NodeRewrite& rewrite)
{
    const char* nearest = "floor";
    if (isNearest(rewrite)) {
        const Tensor* constant = rewrite.hasInput(1) ? rewrite.model().constant(rewrite.node().inputs[1]) : nullptr;
        if (constant == nullptr)
            return rewrite.refuse("its scales are no constants, so that it is not known whether it grows or shrinks");
        const std::vector<float> scales = toFloats(*constant);
        const bool grows = std::ranges::any_of(scales, [](float scale) { return scale > 1; });
        const bool shrinks = std::ranges::any_of(scales, [](float scale) { return scale < 1; });
        if (grows && shrinks)
            return rewrite.refuse("it grows in one dimension and shrinks in another");
        nearest = shrinks ? "ceil" : "floor";
    }
    moveScales(rewrite);
    sayCoordinates(rewrite, nearest);
}

} // namespace

void upsampleBecomesResize(NodeRewrite& rewrite)
{
    if (rewrite.opset() < 9) {
        const auto scales = rewrite.take<std::vector<float>>("scales");
        if (!scales || rewrite.node().inputs.size() != 1)
            return rewrite.refuse("it names no scales, or has them as an input already");
        rewrite.giveFloats(2, "scales", *scales);
    } else {
        moveScales(rewrite);
    }
    sayCoordinates(rewrite, "floor");
    rewrite.become("Resize");
}

/// A mode that opset 13 left out is the half-pixel one with halves rounded up.
void coordinatesAreSaid(NodeRewrite& rewrite)
{
    if (rewrite.opset() < 11)
        return firstResize(rewrite);
    if (rewrite.read<std::string>("coordinate_transformation_mode") != "tf_half_pixel_for_nn")
        return;
    if (rewrite.read<std::string>("nearest_mode") != "floor" || !isNearest(rewrite))
        return rewrite.refuse("tf_half_pixel_for_nn without nearest_mode floor is not known");
    rewrite.set("coordinate_transformation_mode", std::string("half_pixel"));
    rewrite.set("nearest_mode", std::string("round_prefer_ceil"));
}

} // namespace duo
