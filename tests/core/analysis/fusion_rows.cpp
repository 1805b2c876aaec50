// SPDX-License-Identifier: Apache-2.0
#include "tests/core/analysis/fusion_rows.h"

namespace duo::test {

std::string image(Graph& g, Codes codes)
{
    return g.input8("x", {1, 4, 8, 8}, codes);
}

std::string conv(Graph& g, const std::string& x, const std::string& name)
{
    return g.node("Conv", {x, g.weight({4, 4, 1, 1}, 0), g.bias(4)}, name);
}

BuildRow between(const char* opType, Attributes attributes)
{
    return [=](Graph& g) { return g.dq(g.node(opType, {image(g)}, "op", attributes)); };
}

BuildRow betweenOther(const char* opType, Attributes attributes)
{
    const Codes other{onnx::TensorProto::UINT8, 6.0F / 255.0F, 0};
    return [=](Graph& g) { return g.dq(g.node(opType, {image(g)}, "op", attributes), other); };
}

BuildRow twoInputs(const char* opType, Attributes attributes)
{
    return [=](Graph& g) {
        const std::string x = image(g);
        return g.dq(g.node(opType, {x, g.input8("z", {1, 4, 8, 8})}, "op", attributes));
    };
}

} // namespace duo::test
