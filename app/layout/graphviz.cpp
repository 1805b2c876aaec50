// SPDX-License-Identifier: Apache-2.0
#include "app/layout/graphviz.h"

#include <algorithm>

namespace duo {
namespace {

int ignoreMessage(char* /*text*/)
{
    return 0;
}

} // namespace

Context makeContext()
{
    agseterr(AGERR);
    agseterrf(ignoreMessage);
    return Context(gvContext());
}

LaidOut::LaidOut(GVC_t* context, Agraph_t* graph, const char* engine)
    : m_context(context)
    , m_graph(graph)
    , m_succeeded(gvLayout(context, graph, engine) == 0)
{
}

LaidOut::~LaidOut()
{
    if (m_succeeded) // freeing a layout that never was crashes
        gvFreeLayout(m_context, m_graph);
}

std::string graphvizMessage()
{
    const char* message = aglasterr();
    std::string text = message == nullptr ? "Graphviz failed" : message;
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

void setDefault(Agraph_t* graph, int kind, std::string name, std::string value)
{
    agattr(graph, kind, name.data(), value.data());
}

} // namespace duo
