// SPDX-License-Identifier: Apache-2.0
#include "core/graph/view_dot.h"

#include "core/graph/box_text.h"
#include "core/graph/dot_text.h"
#include "core/graph/label_places.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace duo {
namespace {

constexpr double kTitleFont = 11; // px
constexpr double kSmallFont = 8;
constexpr double kLetter = 0.6; // mean width of a letter, of the font size
constexpr double kPadding = 9; // left and right of the text
constexpr std::size_t kMostTitle = 26; // letters
constexpr std::size_t kMostSmall = 36;
constexpr double kArrow = 6; // px
constexpr double kMargin = 8; // around the picture
constexpr double kOverlap = 120; // px that two pieces share, more than a box is high

struct Line {
    std::string text;
    bool isTitle = false;
    std::vector<std::string> shorter = {}; // what says the same, or less, where it has no room; else its middle goes
    bool mayGo = false; // where none of these has room
    [[nodiscard]] double width() const { return static_cast<double>(textLength(text)) * letter(); }
    [[nodiscard]] double height() const { return isTitle ? kTitleFont + 4 : kSmallFont + 3; }
    [[nodiscard]] double letter() const { return kLetter * (isTitle ? kTitleFont : kSmallFont); }
};

struct Look {
    std::string fill;
    std::string border;
    std::string style; // of the border
    std::string text = "#111111";
};

// As on a light window (views/style/theme.cpp).
constexpr const char* kPill = "#2A6DB0"; // quantizers, and edges that carry codes
constexpr const char* kEdge = "#7B8794";
constexpr const char* kFrame = "#FAFBFC"; // of open boxes
constexpr const char* kFrameBorder = "#AAB4BE";
constexpr const char* kMuted = "#56616B";
constexpr const char* kBarBase = "#ECEFF2"; // of the bar of a closed box: what is neither quantized nor ignored
constexpr const char* kBarQuantized = "#2A74B8";
constexpr const char* kBarIgnored = "#B35900";
constexpr double kBarHeight = 3; // px
constexpr double kPillPadding = 4; // px, left and right of the text
constexpr double kBesideTitle = 7; // px, to what follows it

constexpr double kLegendRow = 16; // px
constexpr double kLegendGap = 20; // to the picture
constexpr double kSwatch = 22; // px wide

std::string colourText(std::uint32_t colour)
{
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "#%06X", colour & 0xFFFFFFU);
    return text.data();
}

Look lookOf(NodeState state)
{
    switch (state) {
    case NodeState::Quantized:
        return {"#DCEBFA", "#1B5E9B", "filled,rounded"};
    case NodeState::Ignored:
        return {"#FDE7CE", "#A34F00", "filled,rounded,bold"};
    case NodeState::IgnoredInherited:
        return {"#FDF3E4", "#A34F00", "filled,rounded,dashed"};
    case NodeState::Preset:
        return {"#ECE3F6", "#64379F", "filled,rounded"};
    case NodeState::Blocked:
        return {"#FBE0E2", "#A01B2B", "filled,rounded,dashed"};
    case NodeState::Fused:
        return {"#DFF1E4", "#1E6B3A", "filled,rounded"};
    case NodeState::WeightOnly:
        return {"#DDF0F0", "#0F6468", "filled,rounded"};
    case NodeState::Unsupported:
        break;
    }
    return {"#F4F4F4", "#6B6B6B", "filled,rounded"};
}

Look lookOf(const ViewBox& box)
{
    switch (box.kind) {
    case ViewBox::Kind::Node:
        return lookOf(box.state);
    case ViewBox::Kind::Scope:
    case ViewBox::Kind::Group:
        return {"#F3F5F7", "#67727D", "filled,rounded,bold"};
    case ViewBox::Kind::Stub:
        return {"#E6F2D9", "#5C8A2F", "filled,rounded,dotted", "#2C4A10"};
    case ViewBox::Kind::Quantizer:
        return {kPill, kPill, "filled,rounded", "#FFFFFF"};
    case ViewBox::Kind::Input:
    case ViewBox::Kind::Output:
        break;
    }
    return {"#E6F2D9", "#5C8A2F", "filled,rounded", "#2C4A10"};
}

/// Of a step; nothing: without a value.
Look lookOf(const Overlay& overlay, std::optional<int> step)
{
    if (!step)
        return {"#FAFBFC", "#AAB4BE", "filled,rounded", "#3A444D"};
    if (const auto state = stateLike(overlay, *step))
        return lookOf(*state);
    const OverlayColour& colour = kOverlayColours[static_cast<std::size_t>(std::clamp(*step, 0, kOverlaySteps - 1))];
    return {colourText(colour.fill), colourText(colour.border), "filled,rounded", colourText(colour.text)};
}

/// Each as long as it is.
std::vector<Line> linesOf(const ViewBox& box)
{
    if (box.kind == ViewBox::Kind::Stub)
        return {{box.title, false}};
    std::vector<Line> lines{{box.title, true}};
    if (const std::string subtitle = shownSubtitle(box); !subtitle.empty())
        lines.push_back({subtitle, false});
    if (!box.badge.empty())
        lines.push_back(
            {"weight " + box.badge, false, {"W " + box.badge, "W " + box.badge.substr(0, box.badge.find(' '))}, true});
    if (!box.kernel.empty())
        lines.push_back({box.kernel, false});
    if (box.kind != ViewBox::Kind::Node && box.quantized + box.ignored > 0) {
        std::string counts = countText(box.quantized) + " quantized";
        if (box.ignored > 0)
            counts += ", " + countText(box.ignored) + " ignored";
        lines.push_back({std::move(counts), false, {}, true});
    }
    return lines;
}

/// Without what a width has no room for, px; without text where it may go as a whole.
Line fitted(Line line, double room)
{
    constexpr double kRounding = 0.01; // letters
    const auto letters = static_cast<std::size_t>(std::max(std::floor(room / line.letter() + kRounding), 1.0));
    for (const std::string& text : line.shorter) {
        if (textLength(line.text) > letters)
            line.text = text;
    }
    if (line.mayGo && textLength(line.text) > letters)
        line.text.clear();
    line.text = shortened(line.text, letters);
    return line;
}

/// What of its lines a box has room for.
std::string labelOf(const ViewBox& box, const Size& frame)
{
    const double padding = box.kind == ViewBox::Kind::Stub ? 0 : kPadding;
    std::string label = "<";
    double height = 0;
    for (const Line& whole : linesOf(box)) {
        const Line line = fitted(whole, frame.width - 2 * padding);
        if (line.text.empty())
            continue;
        height += line.height();
        if (label.size() > 1 && height > frame.height)
            break;
        label += label.size() > 1 ? "<BR/>" : "";
        label += "<FONT POINT-SIZE=\"" + dotNumber(line.isTitle ? kTitleFont : kSmallFont) + "\">";
        label += line.isTitle ? "<B>" + dotMarkup(line.text) + "</B>" : dotMarkup(line.text);
        label += "</FONT>";
    }
    return label + ">";
}

Line legendLine(const LegendRow& row)
{
    return {row.text + ", " + nodesText(static_cast<std::size_t>(row.nodes)), false};
}

class Writer
{
public:
    Writer(const ViewGraph& view, const PictureLayout& picture, const DrawingPart* part, const DrawnColours* colours,
        const DrawnNotes& notes)
        : m_view(view)
        , m_picture(picture)
        , m_part(part)
        , m_colours(colours)
        , m_notes(notes)
        , m_labels(view, picture, kMargin)
        , m_titleRooms(titleRooms(view, picture))
        , m_isEnd(view.boxes.size(), false)
        , m_children(view.boxes.size() + 1)
    {
        m_hasBars = std::ranges::any_of(view.boxes, [](const ViewBox& box) { return box.quantized + box.ignored > 0; });
        for (std::size_t b = 0; b < view.boxes.size(); ++b)
            m_children[static_cast<std::size_t>(view.boxes[b].parent + 1)].push_back(b);
    }

    std::string write()
    {
        const Size size = drawnSize(m_picture, m_colours);
        m_height = size.height;
        m_text = "digraph {\n";
        m_text += "graph [layout=nop2, outputorder=edgesfirst, fontname=Helvetica, fontsize=11, bb=\"0,0,"
            + dotNumber(size.width) + "," + dotNumber(size.height) + "\"" + viewport(size) + "];\n";
        m_text += "node [shape=box, fixedsize=true, fontname=Helvetica, fontsize=11, fontcolor=\"#111111\"];\n";
        m_text += std::string("edge [color=\"") + kEdge + "\", fontname=Helvetica, fontsize=8, arrowsize=0.6];\n";
        for (const ViewEdge& edge : m_view.edges)
            m_isEnd[edge.from] = m_isEnd[edge.to] = true;
        writeBoxes();
        for (std::size_t b = 0; b < m_notes.pills.size(); ++b)
            writePill(b);
        if (m_colours)
            writeLegend();
        for (std::size_t e = 0; e < m_view.edges.size(); ++e)
            writeEdge(e);
        for (std::size_t e = 0; e < m_notes.texts.size(); ++e)
            writeEdgeText(e);
        return std::move(m_text.append("}\n"));
    }

private:
    /// Its middle is counted from the bottom.
    [[nodiscard]] std::string viewport(const Size& size) const
    {
        if (!m_part)
            return {};
        const double x = m_part->topLeft.x + m_part->size.width / 2;
        const double y = size.height - m_part->topLeft.y - m_part->size.height / 2;
        return ", viewport=\"" + dotNumber(m_part->size.width) + "," + dotNumber(m_part->size.height) + ",1,"
            + dotNumber(x) + "," + dotNumber(y) + "\"";
    }

    /// Boxes inside their clusters; a stack instead of recursion, since files decide how deep scopes go.
    void writeBoxes()
    {
        std::vector<std::pair<std::size_t, std::size_t>> stack{{0, 0}}; // list of children, next in it
        while (!stack.empty()) {
            auto& [list, next] = stack.back();
            if (next == m_children[list].size()) {
                m_text += list == 0 ? "" : "}\n";
                stack.pop_back();
                continue;
            }
            const std::size_t box = m_children[list][next++];
            if (m_view.boxes[box].open) {
                writeCluster(box);
                stack.emplace_back(box + 1, 0);
            } else {
                writeNode(box);
            }
        }
    }

    void writeCluster(std::size_t box)
    {
        const auto& frame = m_picture.frames[box];
        const ViewBox& scope = m_view.boxes[box];
        const double room = m_titleRooms[box] - 2 * kPadding;
        const Line title = fitted({scope.title, true}, room);
        Line count{scope.subtitle, false}; // a part of it says little
        if (title.width() + kBesideTitle + count.width() > room)
            count.text.clear();
        const double width = title.width() + (count.text.empty() ? 0 : kBesideTitle + count.width());
        const double bottom = frame.topLeft.y + frame.size.height;
        const double textX = frame.topLeft.x + frame.titleLeft + kPadding + width / 2;
        m_text += "subgraph cluster_" + std::to_string(box) + " {\n";
        m_text += std::string("graph [style=\"filled,rounded\", fillcolor=\"") + kFrame + "\", color=\"" + kFrameBorder
            + "\", bb=\"" + point({frame.topLeft.x, bottom}) + ","
            + point({frame.topLeft.x + frame.size.width, frame.topLeft.y}) + "\"];\n";
        if (m_isEnd[box])
            writeFrame(box);
        // A node instead of the cluster's label: it stands beside the lines that pass the title bar.
        m_text += "t" + std::to_string(box) + " [pos=\"" + point({textX, frame.topLeft.y + kTitleBarHeight / 2})
            + "\", width=\"" + inches(width) + "\", height=\"" + inches(kTitleFont + 2)
            + "\", style=filled, fillcolor=\"" + kFrame + "\", color=\"" + kFrame + "\", label=<<B>"
            + dotMarkup(title.text) + "</B>" + beside(count) + ">];\n";
    }

    /// After a title.
    static std::string beside(const Line& line)
    {
        return line.text.empty() ? std::string()
                                 : "  <FONT POINT-SIZE=\"" + dotNumber(kSmallFont) + "\" COLOR=\"" + kMuted + "\">"
                + dotMarkup(line.text) + "</FONT>";
    }

    /// What lines may end at where a bundle is open; nothing is seen of it.
    void writeFrame(std::size_t index)
    {
        const auto& frame = m_picture.frames[index];
        m_text += "n" + std::to_string(index) + " [pos=\""
            + point({frame.topLeft.x + frame.size.width / 2, frame.topLeft.y + frame.size.height / 2}) + "\", width=\""
            + inches(frame.size.width) + "\", height=\"" + inches(frame.size.height)
            + "\", style=invis, label=\"\"];\n";
    }

    void writeNode(std::size_t index)
    {
        const auto& frame = m_picture.frames[index];
        const ViewBox& box = m_view.boxes[index];
        const Look look = shownLook(index);
        m_text += "n" + std::to_string(index) + " [pos=\""
            + point({frame.topLeft.x + frame.size.width / 2, frame.topLeft.y + frame.size.height / 2}) + "\", width=\""
            + inches(frame.size.width) + "\", height=\"" + inches(frame.size.height) + "\", style=\"" + look.style
            + "\", fillcolor=\"" + look.fill + "\", color=\"" + look.border + "\", fontcolor=\"" + look.text
            + "\", tooltip=" + dotTip(box.subtitle.empty() ? box.title : box.subtitle)
            + ", label=" + labelOf(box, frame.size) + "];\n";
        if (m_hasBars && (box.kind == ViewBox::Kind::Scope || box.kind == ViewBox::Kind::Group) && box.total > 0)
            writeBar(index);
    }

    /// At the lower border of a closed box: how many of its nodes are quantized, and ignored.
    void writeBar(std::size_t index)
    {
        const auto& frame = m_picture.frames[index];
        const ViewBox& box = m_view.boxes[index];
        const double whole = frame.size.width - 2 * kPadding;
        const double y = frame.topLeft.y + frame.size.height - kBarHeight;
        double x = frame.topLeft.x + kPadding;
        int number = 0;
        const auto write = [&](double width, const char* colour) {
            if (width <= 0)
                return;
            m_text += "s" + std::to_string(index) + "_" + std::to_string(number++) + " [pos=\""
                + point({x + width / 2, y}) + "\", width=\"" + inches(width) + "\", height=\"" + inches(kBarHeight)
                + "\", style=filled, fillcolor=\"" + colour + "\", color=\"" + colour
                + "\", penwidth=0, label=\"\"];\n";
        };
        const double unit = whole / static_cast<double>(box.total);
        write(whole, kBarBase);
        write(unit * static_cast<double>(box.quantized), kBarQuantized);
        x += unit * static_cast<double>(box.quantized);
        write(unit * static_cast<double>(box.ignored), kBarIgnored);
    }

    [[nodiscard]] Look shownLook(std::size_t index) const
    {
        const ViewBox& box = m_view.boxes[index];
        const bool hasValue
            = box.kind == ViewBox::Kind::Node || box.kind == ViewBox::Kind::Scope || box.kind == ViewBox::Kind::Group;
        if (!m_colours || !hasValue || m_colours->overlay.kind == OverlayKind::Decision)
            return lookOf(box); // of a decision its state
        const auto& value = m_colours->values[index];
        return lookOf(m_colours->overlay, value ? std::optional(m_colours->overlay.stepOf(*value)) : std::nullopt);
    }

    /// Below the picture, from the left: what it is coloured by, then a line for each colour.
    void writeLegend()
    {
        const Overlay& overlay = m_colours->overlay;
        double y = m_picture.size.height + kLegendGap + kLegendRow / 2;
        writeText("legend", {0, y}, {overlayTitle(overlay.kind), true});
        int number = 0;
        for (const LegendRow& row : legendOf(overlay)) {
            y += kLegendRow;
            const Look look = lookOf(overlay, row.step);
            const std::string name = "legend" + std::to_string(number++);
            m_text += name + "c [pos=\"" + point({kSwatch / 2, y}) + "\", width=\"" + inches(kSwatch) + "\", height=\""
                + inches(kLegendRow - 4) + "\", style=\"" + look.style + "\", fillcolor=\"" + look.fill + "\", color=\""
                + look.border + "\", label=\"\"];\n";
            writeText(name, {kSwatch + 6, y}, legendLine(row));
        }
    }

    /// @param left middle of its left side
    void writeText(const std::string& name, Point left, const Line& line)
    {
        const std::string text = dotMarkup(line.text);
        m_text += name + " [pos=\"" + point({left.x + line.width() / 2, left.y}) + "\", width=\"" + inches(line.width())
            + "\", height=\"" + inches(kLegendRow) + "\", shape=plaintext, label=<"
            + (line.isTitle ? "<B>" + text + "</B>"
                            : "<FONT POINT-SIZE=\"" + dotNumber(kSmallFont) + "\">" + text + "</FONT>")
            + ">];\n";
    }

    void writeEdge(std::size_t index)
    {
        const ViewEdge& edge = m_view.edges[index];
        std::vector<Point> line = m_picture.lines[index];
        const Point tip = line.back();
        const Point before = line[line.size() - 2];
        const double length = std::hypot(tip.x - before.x, tip.y - before.y);
        if (length > kArrow)
            line.back() = {tip.x - (tip.x - before.x) * kArrow / length, tip.y - (tip.y - before.y) * kArrow / length};
        m_text += "n" + std::to_string(edge.from) + " -> n" + std::to_string(edge.to) + " [pos=\"e," + point(tip) + " "
            + point(line.front());
        for (std::size_t p = 1; p < line.size(); ++p)
            m_text += " " + point(line[p - 1]) + " " + point(line[p]) + " " + point(line[p]);
        m_text += "\"";
        if (m_view.boxes[edge.from].kind == ViewBox::Kind::Stub)
            m_text += ", style=dotted";
        if (!edge.badge.empty() || m_view.boxes[edge.from].kind == ViewBox::Kind::Quantizer)
            m_text += std::string(", color=\"") + kPill + "\"";
        if (edge.values > 1)
            m_text += ", penwidth=2";
        if (!edge.badge.empty()) {
            const double width = Line{edge.badge, false}.width() + 2 * kPillPadding;
            m_text += ", label=" + pill(edge.badge, width) + ", lp=\""
                + point(m_labels.take(index, {width, kSmallFont + 4})) + "\"";
        }
        m_text += "];\n";
    }

    /// @param width px
    static std::string pill(const std::string& text, double width)
    {
        return std::string(
                   "<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"1\" STYLE=\"ROUNDED\" "
                   "BGCOLOR=\"")
            + kPill + "\"><TR><TD WIDTH=\"" + std::to_string(std::lround(width)) + "\"><FONT COLOR=\"#FFFFFF\">"
            + dotMarkup(text) + "</FONT></TD></TR></TABLE>>";
    }

    /// How a box runs, over its corner.
    void writePill(std::size_t box)
    {
        const DrawnNotes::Pill& pill = m_notes.pills[box];
        if (pill.text.empty())
            return;
        const Line line{pill.text, false};
        const Size size{line.width() + 2 * kPillPadding, kSmallFont + 4};
        const auto& frame = m_picture.frames[box];
        const Point middle = m_labels.onSheet({frame.topLeft.x + frame.size.width, frame.topLeft.y}, size);
        m_labels.keepFree(middle, size);
        const Look look
            = pill.isGood ? Look{"#DFF3E3", "#2E7D43", {}, "#174D26"} : Look{"#FFF1CC", "#B58500", {}, "#533D00"};
        m_text += "p" + std::to_string(box) + " [pos=\"" + point(middle) + "\", width=\"" + inches(size.width)
            + "\", height=\"" + inches(size.height) + "\", style=\"filled,rounded\", fillcolor=\"" + look.fill
            + "\", color=\"" + look.border + "\", fontcolor=\"" + look.text + "\", fontsize=" + dotNumber(kSmallFont)
            + ", label=<" + dotMarkup(pill.text) + ">];\n";
    }

    /// What flows along an edge, where there is room.
    void writeEdgeText(std::size_t edge)
    {
        const Line line{m_notes.texts[edge], false};
        const auto middle = line.text.empty() ? std::nullopt : m_labels.takeFree(edge, {line.width(), line.height()});
        if (middle)
            m_text += "e" + std::to_string(edge) + " [pos=\"" + point(*middle) + "\", width=\"" + inches(line.width())
                + "\", height=\"" + inches(line.height()) + "\", shape=plaintext, fontcolor=\"" + kMuted
                + "\", fontsize=" + dotNumber(kSmallFont) + ", label=<" + dotMarkup(line.text) + ">];\n";
    }

    /// Graphviz counts y upwards.
    [[nodiscard]] std::string point(Point p) const
    {
        return dotNumber(p.x + kMargin) + "," + dotNumber(m_height - kMargin - p.y);
    }

    static std::string inches(double px) { return dotNumber(px / 72, 4); }

    const ViewGraph& m_view;
    const PictureLayout& m_picture;
    const DrawingPart* m_part;
    const DrawnColours* m_colours; // null: by their states
    const DrawnNotes& m_notes;
    LabelPlaces m_labels;
    std::vector<double> m_titleRooms; // [boxes] px
    double m_height = 0; // of the drawing
    bool m_hasBars = false; // something of it is quantized or ignored
    std::vector<bool> m_isEnd; // [boxes] of an edge
    std::vector<std::vector<std::size_t>> m_children; // [box + 1]
    std::string m_text;
};

} // namespace

Size drawingSize(const ViewBox& box)
{
    const std::vector<Line> lines = linesOf(box);
    Size size{0, box.kind == ViewBox::Kind::Stub ? 4.0 : 10.0};
    for (const Line& line : lines) {
        const auto most = static_cast<double>(line.isTitle ? kMostTitle : kMostSmall);
        size.width = std::max(size.width, std::min(line.width(), most * line.letter()));
        size.height += line.height();
    }
    size.width = std::max(size.width + 2 * kPadding, box.kind == ViewBox::Kind::Stub ? 20.0 : 54.0);
    return size;
}

Size drawnSize(const PictureLayout& picture, const DrawnColours* colours)
{
    Size size = picture.size;
    if (colours) {
        const std::vector<LegendRow> rows = legendOf(colours->overlay);
        size.height += kLegendGap + kLegendRow * static_cast<double>(rows.size() + 1);
        size.width = std::max(size.width, Line{overlayTitle(colours->overlay.kind), true}.width());
        for (const LegendRow& row : rows)
            size.width = std::max(size.width, kSwatch + 6 + legendLine(row).width());
    }
    return {size.width + 2 * kMargin, size.height + 2 * kMargin};
}

std::vector<DrawingPart> drawingParts(const Size& drawing, const Size& most)
{
    const auto cuts = [](double length, double limit) { // where pieces begin, and how long they are
        std::vector<std::pair<double, double>> pieces{{0, std::min(length, limit)}};
        while (pieces.back().first + pieces.back().second < length) {
            const double from = pieces.back().first + limit - kOverlap;
            pieces.emplace_back(from, std::min(limit, length - from));
        }
        return pieces;
    };
    std::vector<DrawingPart> parts;
    for (const auto& [y, height] : cuts(drawing.height, most.height)) {
        for (const auto& [x, width] : cuts(drawing.width, most.width))
            parts.push_back({{x, y}, {width, height}});
    }
    return parts;
}

std::string viewDot(const ViewGraph& view, const PictureLayout& picture, const DrawingPart* part,
    const DrawnColours* colours, const DrawnNotes& notes)
{
    return Writer(view, picture, part, colours, notes).write();
}

} // namespace duo
