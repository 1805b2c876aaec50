// SPDX-License-Identifier: Apache-2.0
// Graphviz handles that free themselves in the order libgvc needs. One thread of a process may use them.
#pragma once

#include <memory>
#include <string>

#include <graphviz/cgraph.h>
#include <graphviz/gvc.h>

namespace duo {

struct FreeContext {
    void operator()(GVC_t* context) const { gvFreeContext(context); }
};
struct CloseGraph {
    void operator()(Agraph_t* graph) const { agclose(graph); }
};
using Context = std::unique_ptr<GVC_t, FreeContext>;
using Graph = std::unique_ptr<Agraph_t, CloseGraph>;

/// Loads the layout and drawing plugins; messages of the library go to our own error texts only.
Context makeContext();

/// Keeps a layout while it lives.
class LaidOut
{
public:
    LaidOut(GVC_t* context, Agraph_t* graph, const char* engine);
    ~LaidOut();
    LaidOut(const LaidOut&) = delete;
    LaidOut& operator=(const LaidOut&) = delete;
    [[nodiscard]] bool succeeded() const { return m_succeeded; }

private:
    GVC_t* m_context;
    Agraph_t* m_graph;
    bool m_succeeded;
};

/// The library's last message in one line.
std::string graphvizMessage();

/// Declares an attribute of graphs, nodes or edges (AGRAPH, AGNODE, AGEDGE) with its default.
void setDefault(Agraph_t* graph, int kind, std::string name, std::string value);

} // namespace duo
