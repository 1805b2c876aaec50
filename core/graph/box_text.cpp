// SPDX-License-Identifier: Apache-2.0
#include "core/graph/box_text.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace duo {
namespace {

constexpr double kOnBorder = 0.5; // px

/// The last part of a node's name that is not the operator's type.
std::string_view tellingPart(const ViewBox& box)
{
    const auto lastOf = [](std::string_view path) { return path.substr(path.find_last_of('/') + 1); };
    const std::size_t body = box.subtitle.rfind("::"); // "Loop::body::refine/MatMul": the box around says which body
    const std::string_view name = std::string_view(box.subtitle).substr(body == std::string::npos ? 0 : body + 2);
    std::string_view last = lastOf(name);
    const std::string_view type = last.substr(0, last.find_last_not_of("_0123456789") + 1);
    if (!box.kernel.empty() && !type.empty() && name.size() > last.size() && box.title.ends_with(type))
        return lastOf(name.substr(0, name.size() - last.size() - 1)); // "QLinearConv" of "/stem/conv/Conv"
    if (last.starts_with(box.title)) { // "/stem/conv/Conv", "/stem/conv/Conv_1": the type stands above already
        const bool isNumbered = last.find_first_not_of("_0123456789", box.title.size()) == std::string_view::npos;
        if (isNumbered && name.size() > last.size())
            last = lastOf(name.substr(0, name.size() - last.size() - 1));
        else if (last == box.title)
            last = {};
    }
    return last;
}

} // namespace

std::string shownSubtitle(const ViewBox& box)
{
    if (box.kind != ViewBox::Kind::Node)
        return box.subtitle;
    const std::string_view part = tellingPart(box);
    return part == box.around ? std::string() : std::string(part);
}

std::vector<double> titleRooms(const ViewGraph& view, const PictureLayout& picture)
{
    std::vector<double> rooms;
    for (const PictureLayout::Frame& frame : picture.frames)
        rooms.push_back(std::max(frame.size.width - frame.titleLeft, 0.0));
    // Lines enter and leave open boxes at points on their borders.
    const auto note = [&](std::size_t box, const std::vector<Point>& line) {
        const PictureLayout::Frame& frame = picture.frames[box];
        const double left = frame.topLeft.x + frame.titleLeft;
        for (const Point& point : line) {
            const bool isOnTop = std::abs(point.y - frame.topLeft.y) < kOnBorder;
            if (isOnTop && point.x > left && point.x < frame.topLeft.x + frame.size.width)
                rooms[box] = std::min(rooms[box], point.x - left);
        }
    };
    for (std::size_t e = 0; e < view.edges.size(); ++e) {
        for (const std::uint32_t end : {view.edges[e].from, view.edges[e].to}) {
            for (std::int32_t box = view.boxes[end].parent; box >= 0;
                 box = view.boxes[static_cast<std::size_t>(box)].parent)
                note(static_cast<std::size_t>(box), picture.lines[e]);
        }
    }
    return rooms;
}

} // namespace duo
