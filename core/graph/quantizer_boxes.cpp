// SPDX-License-Identifier: Apache-2.0
#include "core/graph/quantizer_boxes.h"

#include <map>
#include <tuple>
#include <utility>

namespace duo {
namespace {

class QuantizerBoxes
{
public:
    explicit QuantizerBoxes(ViewGraph view)
        : m_view(std::move(view))
    {
    }

    ViewGraph build()
    {
        const auto edges = std::exchange(m_view.edges, {});
        for (const ViewEdge& edge : edges) {
            if (edge.badge.empty())
                m_view.edges.push_back(edge);
            else
                splitEdge(edge);
        }
        const std::size_t boxes = m_view.boxes.size();
        for (std::size_t b = 0; b < boxes; ++b) {
            if (!m_view.boxes[b].badge.empty())
                addWeight(static_cast<std::uint32_t>(b));
        }
        return std::move(m_view);
    }

private:
    /// Source, value, reading box of a bundle (else none), where it stands, what it says.
    using Key = std::tuple<std::uint32_t, ValueId, std::int64_t, std::int32_t, std::string>;

    void splitEdge(const ViewEdge& edge)
    {
        const std::int32_t parent = m_view.boxes[edge.to].parent;
        const std::int64_t bundle = edge.values > 1 ? std::int64_t{edge.to} : -1;
        const auto [entry, isNew]
            = m_known.try_emplace(Key{edge.from, edge.value, bundle, parent, edge.badge}, m_view.boxes.size());
        const auto quantizer = static_cast<std::uint32_t>(entry->second);
        if (isNew) {
            ViewBox box = quantizerBox(edge.badge, parent);
            box.value = edge.value;
            m_view.boxes.push_back(std::move(box));
            m_view.edges.push_back({edge.from, quantizer, {}, edge.values, edge.value});
        }
        m_view.edges.push_back({quantizer, edge.to, {}, edge.values, edge.value});
    }

    void addWeight(std::uint32_t reader)
    {
        const std::string badge = std::exchange(m_view.boxes[reader].badge, {});
        ViewBox box = quantizerBox("W " + badge, m_view.boxes[reader].parent);
        box.node = m_view.boxes[reader].node;
        const auto quantizer = static_cast<std::uint32_t>(m_view.boxes.size());
        m_view.boxes.push_back(std::move(box));
        m_view.edges.push_back({quantizer, reader, {}, 1, ValueId()});
    }

    static ViewBox quantizerBox(const std::string& badge, std::int32_t parent)
    {
        ViewBox box;
        box.kind = ViewBox::Kind::Quantizer;
        box.title = badge;
        box.parent = parent;
        box.total = 0;
        return box;
    }

    ViewGraph m_view;
    std::map<Key, std::size_t> m_known;
};

} // namespace

ViewGraph withQuantizerBoxes(ViewGraph view)
{
    return QuantizerBoxes(std::move(view)).build();
}

} // namespace duo
