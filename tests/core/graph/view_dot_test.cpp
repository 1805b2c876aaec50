// SPDX-License-Identifier: Apache-2.0
#include "core/graph/view_dot.h"

#include "core/graph/dot_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace duo {
namespace {

using testing::HasSubstr;
using testing::Not;

ViewGraph oneScope()
{
    ViewGraph view;
    view.boxes.resize(3);
    view.boxes[0].kind = ViewBox::Kind::Scope;
    view.boxes[0].title = "attn <1>";
    view.boxes[0].open = true;
    view.boxes[1].title = "MatMul";
    view.boxes[1].subtitle = "/attn/\"q\"";
    view.boxes[1].state = NodeState::Quantized;
    view.boxes[1].parent = 0;
    view.boxes[2].title = "Softmax";
    view.boxes[2].state = NodeState::IgnoredInherited;
    view.edges = {{1, 2, "u8", 1, {}}};
    return view;
}

std::string dotOf(const ViewGraph& view)
{
    const auto picture = LayoutComposer({}).compose(view, drawingSize);
    return picture ? viewDot(view, *picture) : picture.error().line();
}

TEST(ViewDot, ScopesAreClustersAndBadgesAreLabels)
{
    const std::string dot = dotOf(oneScope());
    EXPECT_THAT(dot, HasSubstr("subgraph cluster_0 {"));
    EXPECT_THAT(dot, HasSubstr("<B>attn &lt;1&gt;</B>"));
    EXPECT_THAT(dot, HasSubstr("n1 -> n2 [pos=\"e,"));
    EXPECT_THAT(dot, HasSubstr("BGCOLOR=\"#2A6DB0\"><TR><TD WIDTH=\"18\"><FONT COLOR=\"#FFFFFF\">u8</FONT>"));
    EXPECT_THAT(dot, HasSubstr("tooltip=\"/attn/\\\"q\\\"\""));
}

TEST(ViewDot, BadgesStandBesideSlantedLines)
{
    ViewGraph view = oneScope();
    view.boxes.erase(view.boxes.begin());
    view.boxes[0].parent = -1;
    PictureLayout picture;
    picture.size = {400, 200};
    picture.frames = {{{0, 0}, {60, 20}}, {{340, 180}, {60, 20}}};
    view.edges = {{0, 1, "u8", 1, {}}};
    picture.lines = {{{30, 20}, {370, 180}}};
    const std::string dot = viewDot(view, picture);
    const std::size_t at = dot.find("lp=\"") + 4;
    const double x = std::stod(dot.substr(at)) - 8; // without the margin
    const double y = 216 - 8 - std::stod(dot.substr(dot.find(',', at) + 1)); // from above
    const double line = 20 + (x - 30) * 160 / 340;
    EXPECT_GT(
        std::abs(y - line), 4.5 + 4.8 * 160 / 340); // half a text's height, and what the line sinks in half its width
}

TEST(ViewDot, PillsStandOnTheCornersOfBoxesAndTextsBesideEdges)
{
    ViewGraph view = oneScope();
    const auto picture = LayoutComposer({}).compose(view, drawingSize);
    ASSERT_TRUE(picture);
    DrawnNotes notes;
    notes.pills = {{}, {"int8", true}, {"! 3/4 int8", false}};
    notes.texts.assign(view.edges.size(), "[4, <N>]");
    const std::string dot = viewDot(view, *picture, nullptr, nullptr, notes);
    EXPECT_THAT(dot, Not(HasSubstr("p0 [")));
    EXPECT_THAT(dot, HasSubstr("fontsize=8, label=<int8>];"));
    EXPECT_THAT(dot, HasSubstr("label=<[4, &lt;N&gt;]>];"));
    const std::string pill = dot.substr(dot.find("p2 ["));
    const double middle = std::stod(pill.substr(pill.find("pos=\"") + 5));
    const double width = std::stod(pill.substr(pill.find("width=\"") + 7)) * 72;
    EXPECT_LE(middle + width / 2, drawnSize(*picture).width + 0.01) << "whole on the sheet";
}

TEST(ViewDot, EdgesThatCarryCodesAreBlueAndThoseOfSeveralValuesThick)
{
    ViewGraph view = oneScope();
    EXPECT_THAT(dotOf(view), HasSubstr(", color=\"#2A6DB0\", label="));
    view.edges = {{1, 2, "", 2, {}}};
    EXPECT_THAT(dotOf(view), HasSubstr("\", penwidth=2];"));
    EXPECT_THAT(dotOf(view), Not(HasSubstr("#2A6DB0")));
}

TEST(ViewDot, ClosedBoxesHaveABarOfWhatIsQuantizedAndIgnoredInThem)
{
    ViewGraph view;
    view.boxes.resize(1);
    view.boxes[0].kind = ViewBox::Kind::Scope;
    view.boxes[0].title = "attn";
    view.boxes[0].total = 4;
    EXPECT_THAT(dotOf(view), Not(HasSubstr("s0_0"))) << "nothing is said of any";
    view.boxes[0].quantized = 2;
    view.boxes[0].ignored = 1;
    const std::string dot = dotOf(view);
    const auto widthOf = [&](const std::string& name) {
        return std::stod(dot.substr(dot.find("width=\"", dot.find(name + " [")) + 7)); // inches
    };
    EXPECT_NEAR(widthOf("s0_1"), widthOf("s0_0") / 2, 0.001);
    EXPECT_NEAR(widthOf("s0_2"), widthOf("s0_0") / 4, 0.001);
}

TEST(ViewDot, OpenBoxesSayHowManyNodesTheyHoldWhereThereIsRoom)
{
    ViewGraph view = oneScope();
    view.boxes[0].subtitle = "2 nodes";
    const auto dotFor = [&](double width) {
        const auto picture = LayoutComposer({}).compose(view, [&](const ViewBox& box) {
            return box.open ? Size{width, 20} : Size{40, 20};
        });
        return picture ? viewDot(view, *picture) : picture.error().line();
    };
    EXPECT_THAT(dotFor(300), HasSubstr("<B>attn &lt;1&gt;</B>  <FONT POINT-SIZE=\"8\" COLOR=\"#56616B\">2 nodes<"));
    EXPECT_THAT(dotFor(80), Not(HasSubstr("2 nodes<")));
}

TEST(ViewDot, StatesDifferInColourAndInBorder)
{
    const std::string dot = dotOf(oneScope());
    EXPECT_THAT(dot, HasSubstr("style=\"filled,rounded\", fillcolor=\"#DCEBFA\""));
    EXPECT_THAT(dot, HasSubstr("style=\"filled,rounded,dashed\", fillcolor=\"#FDF3E4\""));
}

TEST(ViewDot, SizesGrowWithTextUpToALimit)
{
    ViewBox box;
    box.title = "Relu";
    const Size small = drawingSize(box);
    box.subtitle = std::string(1000, 'n');
    const Size large = drawingSize(box);
    EXPECT_GT(large.width, small.width);
    EXPECT_LT(large.width, 250);
    EXPECT_GT(large.height, small.height);
}

TEST(ViewDot, NamesAreShortenedToTheRoomThatThereIs)
{
    ViewGraph view = oneScope();
    view.boxes[0].title = "a scope of which the name has more letters than most";
    view.boxes[1].subtitle = "/attn/query_of_all_the_heads_together_and_then_some/MatMul";
    const auto dotFor = [&](double width, double height) {
        const BoxSizes sizes = [&](const ViewBox& box) { return box.open ? Size{60, 26} : Size{width, height}; };
        const auto picture = LayoutComposer({}).compose(view, sizes);
        return picture ? viewDot(view, *picture) : picture.error().line();
    };
    const std::string wide = dotFor(500, 40);
    EXPECT_THAT(wide, HasSubstr("<B>a scope of which the name has more letters than most</B>"));
    EXPECT_THAT(wide, HasSubstr(">query_of_all_the_heads_together_and_then_some<")) << "without what is said already";
    const std::string narrow = dotFor(100, 40);
    EXPECT_THAT(narrow, HasSubstr(">query_of…hen_some<"));
    EXPECT_THAT(dotFor(100, 20), Not(HasSubstr(">query"))) << "no room below the title";
}

TEST(ViewDot, OfWhatSaysANumberTheMiddleIsNotLeftOut)
{
    ViewGraph view = oneScope();
    view.boxes[1].badge = "s8 per channel";
    const auto dotFor = [&](double width) {
        const BoxSizes sizes = [&](const ViewBox& box) { return box.open ? Size{60, 26} : Size{width, 60}; };
        const auto picture = LayoutComposer({}).compose(view, sizes);
        return picture ? viewDot(view, *picture) : picture.error().line();
    };
    EXPECT_THAT(dotFor(200), HasSubstr(">weight s8 per channel<"));
    EXPECT_THAT(dotFor(110), HasSubstr(">W s8 per channel<"));
    EXPECT_THAT(dotFor(50), HasSubstr(">W s8<"));
    EXPECT_THAT(dotFor(24), Not(HasSubstr("s8")));
}

TEST(ViewDot, DeepNestingNeedsNoStack)
{
    ViewGraph view;
    view.boxes.resize(20001);
    for (std::int32_t b = 0; b < 20001; ++b) {
        view.boxes[static_cast<std::size_t>(b)].parent = b - 1;
        view.boxes[static_cast<std::size_t>(b)].open = b < 20000;
    }
    EXPECT_THAT(dotOf(view), HasSubstr("subgraph cluster_19999"));
}

TEST(DotText, NumbersAreShortAndLocaleFree)
{
    EXPECT_EQ(dotNumber(1.5), "1.5");
    EXPECT_EQ(dotNumber(1234567.125), "1234567.13");
    EXPECT_EQ(dotNumber(-0.001), "0");
    EXPECT_EQ(dotNumber(100), "100");
    EXPECT_EQ(dotNumber(0.123456, 4), "0.1235");
    EXPECT_EQ(dotNumber(100, 0), "100");
}

TEST(DotText, MiddlesAreLeftOutByCodePoints)
{
    EXPECT_EQ(shortened("/encoder/layer.0/attention/MatMul", 11), "/enco…atMul");
    EXPECT_EQ(shortened("short", 11), "short");
    EXPECT_EQ(shortened("äöüßäöüß", 5), "äö…üß");
    EXPECT_EQ(textLength("äöü"), 3U);
}

TEST(DotText, MarkupAndBrokenBytesAreHarmless)
{
    EXPECT_EQ(dotMarkup("a<b>&\"c\"\n"), "a&lt;b&gt;&amp;&quot;c&quot; ");
    EXPECT_EQ(dotMarkup("\xff\xc3 ä"), "?? ä");
    EXPECT_EQ(dotMarkup("\xe2\x80"), "??");
    EXPECT_EQ(dotQuoted("a\"b\\c\n"), "\"a\\\"b\\\\c \"");
    EXPECT_EQ(dotTip("\\N &lt; \""), "\"\\\\\\\\N &amp;lt; \\\"\"");
}

TEST(DrawingParts, OverlapAndCoverTheDrawing)
{
    EXPECT_EQ(drawingParts({300, 400}, {6000, 6000}).size(), 1U);
    const auto parts = drawingParts({300, 13000}, {6000, 6000});
    ASSERT_EQ(parts.size(), 3U);
    for (std::size_t i = 0; i + 1 < parts.size(); ++i)
        EXPECT_GT(parts[i].topLeft.y + parts[i].size.height, parts[i + 1].topLeft.y + 100);
    EXPECT_EQ(parts[2].topLeft.y + parts[2].size.height, 13000);
    EXPECT_EQ(drawingParts({7000, 7000}, {6000, 6000}).size(), 4U) << "by rows";
}

} // namespace
} // namespace duo
