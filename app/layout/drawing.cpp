// SPDX-License-Identifier: Apache-2.0
#include "app/layout/drawing.h"

#include "app/layout/graphviz.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace duo {
namespace {

constexpr std::array<std::string_view, 4> kFormats{"svg", "png", "pdf", "dot"};

std::string engineOf(Agraph_t* graph)
{
    std::string name = "layout";
    const char* engine = agget(graph, name.data());
    return engine != nullptr && std::string_view(engine) == "nop2" ? "nop2" : "dot";
}

} // namespace

Result<std::string> drawGraph(const std::string& dot, const std::string& format)
{
    if (std::find(kFormats.begin(), kFormats.end(), format) == kFormats.end())
        return Error{ErrorCode::Usage, "cannot draw as '" + format + "'", {}, "use svg, png, pdf or dot"};
    const Context context = makeContext();
    const Graph graph(agmemread(dot.c_str()));
    if (graph == nullptr)
        return Error{ErrorCode::BadData, "the graph cannot be read", graphvizMessage(), {}};
    setDefault(graph.get(), AGRAPH, "nslimit", "1");
    const LaidOut layout(context.get(), graph.get(), engineOf(graph.get()).c_str());
    if (!layout.succeeded())
        return Error{ErrorCode::EngineFailed, graphvizMessage(), {}, {}};
    char* bytes = nullptr;
    unsigned int size = 0;
    if (gvRenderData(context.get(), graph.get(), format.c_str(), &bytes, &size) != 0 || bytes == nullptr)
        return Error{ErrorCode::EngineFailed, graphvizMessage(), {}, {}};
    std::string picture(bytes, size);
    gvFreeRenderData(bytes);
    return picture;
}

} // namespace duo
