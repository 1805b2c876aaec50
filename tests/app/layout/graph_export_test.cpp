// SPDX-License-Identifier: Apache-2.0
#include "app/layout/graph_export.h"

#include "tests/core/graph/drawn_view.h"
#include "tests/support/failing_disk.h"
#include "tests/support/file_bytes.h"
#include "tests/support/model_builder.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using testing::HasSubstr;

/// Six layers of a transformer-like model: attention with a residual edge, then two linear nodes.
struct Sample {
    std::shared_ptr<const Model> model;
    Scopes scopes;
    Placement placement;
};

Sample sample()
{
    test::ModelBuilder builder;
    builder.input("x0", {1, 8}).input("mask", {1, 8}).weight("w", {8, 8});
    std::vector<std::string> paths;
    for (int layer = 0; layer < 6; ++layer) {
        const std::string scope = "encoder/layer." + std::to_string(layer);
        const std::string at = std::to_string(layer);
        const std::string in = "x" + at;
        builder.node("MatMul", "q" + at, {in, "w"}, {"q" + at + "o"});
        builder.node("MatMul", "k" + at, {in, "w"}, {"k" + at + "o"});
        builder.node("Add", "scores" + at, {"q" + at + "o", "k" + at + "o"}, {"s" + at});
        builder.node("Add", "masked" + at, {"s" + at, "mask"}, {"m" + at});
        builder.node("Softmax", "softmax" + at, {"m" + at}, {"p" + at});
        builder.node("Add", "residual" + at, {"p" + at, in}, {"r" + at});
        builder.node("MatMul", "up" + at, {"r" + at, "w"}, {"u" + at});
        builder.node("Gelu", "act" + at, {"u" + at}, {"g" + at});
        builder.node("MatMul", "down" + at, {"g" + at, "w"}, {"x" + std::to_string(layer + 1)});
        for (const char* part : {"attn", "attn", "attn", "attn", "attn", "", "mlp", "mlp", "mlp"})
            paths.push_back(*part == '\0' ? scope : scope + "/" + part);
    }
    Sample result{builder.output("x6").build(), test::scopesOf(paths), {}};
    result.placement.decisions.resize(result.model->nodes.size());
    PointId next = 0;
    for (std::uint32_t n = 0; n < result.model->nodes.size(); ++n) {
        const std::string& type = result.model->nodes[n].opType;
        if (type != "MatMul")
            continue;
        const bool ignored = result.model->nodes[n].name == "down5";
        result.placement.decisions[n].state = ignored ? NodeState::Ignored : NodeState::Quantized;
        if (ignored)
            continue;
        QuantizationPoint input{NodeId(n), {}, 0, false, {}, {}};
        input.config.mode = QuantizationMode::Asymmetric;
        QuantizationPoint weight{NodeId(n), {}, 1, true, {}, {}};
        weight.config.perChannel = true;
        result.placement.setup.points[next++] = input;
        result.placement.setup.points[next++] = weight;
    }
    return result;
}

std::filesystem::path target(const std::string& name)
{
    return std::filesystem::path(testing::TempDir()) / name;
}

class GraphExportTest : public testing::Test
{
protected:
    Sample m_sample = sample();
    LayoutClient m_client{DUO_LAYOUT_HELPER, std::chrono::minutes(2)};
    GraphExport m_export{m_sample.model.get(), &m_sample.scopes, &m_sample.placement, std::nullopt};
};

TEST_F(GraphExportTest, DotIsTheWholeGraphWithQuantizers)
{
    const auto written = exportGraph(m_export, m_client, target("whole.dot"));
    ASSERT_TRUE(written) << written.error().line();
    const std::string text = test::bytesOf(written->file);
    EXPECT_EQ(written->bytes, static_cast<std::int64_t>(text.size()));
    EXPECT_EQ(written->nodes, 54 + 3 + 2 * 2 * 23);
    EXPECT_THAT(text, HasSubstr("strict digraph {"));
    EXPECT_THAT(text, HasSubstr("type=QuantizeLinear"));
}

TEST_F(GraphExportTest, LeavesTheOldFileWholeWhateverFails)
{
    const test::TemporaryFolder folder;
    for (const char* name : {"graph.dot", "graph.svg"}) {
        const auto prepare = [&] { (void)folder.write(name, "old"); };
        const auto write = [&]() -> Status {
            DUO_TRY(written, exportGraph(m_export, m_client, folder / name));
            return success();
        };
        EXPECT_GT(test::expectWholeWhateverFails({prepare, write, folder.path()}), 20) << name;
    }
}

TEST_F(GraphExportTest, PicturesShowScopesAndStatesWithinTheBudget)
{
    const auto written = exportGraph(m_export, m_client, target("picture.svg"));
    ASSERT_TRUE(written) << written.error().line();
    EXPECT_LE(written->nodes, static_cast<std::int64_t>(kMostDrawnBoxes));
    EXPECT_EQ(written->engine, "layered"); // no edges cross
    const std::string svg = test::bytesOf(written->file);
    EXPECT_THAT(svg, HasSubstr("layer.5"));
    EXPECT_THAT(svg, HasSubstr("weight s8 per channel"));
    EXPECT_THAT(svg, HasSubstr(">u8<"));
}

TEST_F(GraphExportTest, NamesInAPictureAreTextWhateverTheyHold)
{
    const std::string name = "<script>alert(1)</script> \"'><a href=\"http://x\"> ]]>&amp; {|} \\N";
    Sample odd{test::ModelBuilder().input("x", {1}).node("Relu", name, {"x"}, {"y"}).output("y").build(), {}, {}};
    odd.scopes = test::scopesOf({name});
    odd.placement.decisions.resize(1);
    const GraphExport graph{odd.model.get(), &odd.scopes, &odd.placement, allOpen(*odd.model, odd.scopes)};
    const auto written = exportGraph(graph, m_client, target("odd.svg"));
    ASSERT_TRUE(written) << written.error().line();
    const std::string svg = test::bytesOf(written->file);
    for (const char* markup : {"<script", "<a href", "href=\"http"})
        EXPECT_THAT(svg, testing::Not(HasSubstr(markup)));
    EXPECT_THAT(svg, HasSubstr("xlink:title=\"&lt;script&gt;alert(1)&lt;/script&gt;")); // the tool tip
    EXPECT_THAT(svg, HasSubstr("&amp;amp; {|} \\N\""));
    for (std::size_t at = svg.find('&'); at != std::string::npos; at = svg.find('&', at + 1))
        EXPECT_LE(svg.find(';', at), at + 7) << "an ampersand that begins no entity";
}

TEST_F(GraphExportTest, AnOverlayColoursBoxesAndHasALegend)
{
    Overlay overlay;
    overlay.kind = OverlayKind::Parameters;
    overlay.unit = OverlayUnit::Count;
    overlay.ofNode.resize(m_sample.model->nodes.size());
    overlay.ofNode[0] = 30;
    overlay.ofNode[1] = 0;
    overlay.whole = 100;
    rollUpInPlace(overlay, m_sample.scopes);
    m_export.overlay = &overlay;
    const auto written = exportGraph(m_export, m_client, target("coloured.svg"));
    ASSERT_TRUE(written) << written.error().line();
    const std::string svg = test::bytesOf(written->file);
    EXPECT_THAT(svg, HasSubstr(">Parameters<"));
    EXPECT_THAT(svg, HasSubstr(">over 20 %, 1 node<"));
    EXPECT_THAT(svg, HasSubstr("fill=\"#b3261e\""));
    EXPECT_THAT(svg, HasSubstr(">no value, 52 nodes<"));
    EXPECT_THAT(svg, testing::Not(HasSubstr("fill=\"#dcebfa\""))) << "no state";
}

TEST_F(GraphExportTest, APictureTakesTheShapeThatIsAskedFor)
{
    const auto aspectOf = [&](double aspect) {
        m_export.aspect = aspect;
        const auto written = exportGraph(m_export, m_client, target("shape.svg"));
        const std::string svg = written ? test::bytesOf(written->file) : std::string();
        double width = 0;
        double height = 1;
        if (const auto at = svg.find("width=\""); at != std::string::npos)
            std::sscanf(svg.c_str() + at, "width=\"%lfpt\" height=\"%lfpt\"", &width, &height);
        return width / height;
    };
    EXPECT_GT(aspectOf(3), 1.5 * aspectOf(0.5));
}

TEST_F(GraphExportTest, APictureIsDrawnAsItIsShownWhereThatIsGiven)
{
    m_export.shape = PictureShape{};
    m_export.sizes = [](const ViewBox& box) { return box.open ? Size{60, kTitleBarHeight} : Size{200, 60}; };
    const auto written = exportGraph(m_export, m_client, target("shown.svg"));
    ASSERT_TRUE(written) << written.error().line();
    const std::string svg = test::bytesOf(written->file);
    double width = 0;
    double height = 0;
    std::sscanf(svg.c_str() + svg.find("width=\""), "width=\"%lfpt\" height=\"%lfpt\"", &width, &height);
    EXPECT_GT(height, 54 * 60) << "nothing is wrapped";
    EXPECT_LT(width, 800) << "and no box is wider than that";
}

TEST_F(GraphExportTest, WhatIsOpenInTheWindowIsOpenInThePicture)
{
    m_export.open = std::set<std::string>{};
    const auto written = exportGraph(m_export, m_client, target("closed.svg"));
    ASSERT_TRUE(written);
    EXPECT_EQ(written->nodes, 4); // x0, mask, encoder, x6
}

TEST_F(GraphExportTest, EveryFormatHasItsBytesAndTwoRunsAreEqual)
{
    ASSERT_TRUE(exportGraph(m_export, m_client, target("picture.png")));
    ASSERT_TRUE(exportGraph(m_export, m_client, target("picture.pdf")));
    EXPECT_THAT(test::bytesOf(target("picture.png")), testing::StartsWith("\x89PNG"));
    EXPECT_THAT(test::bytesOf(target("picture.pdf")), testing::StartsWith("%PDF"));
    LayoutClient other(DUO_LAYOUT_HELPER, std::chrono::minutes(2));
    ASSERT_TRUE(exportGraph(m_export, m_client, target("one.svg")));
    ASSERT_TRUE(exportGraph(m_export, other, target("two.svg")));
    EXPECT_EQ(test::bytesOf(target("one.svg")), test::bytesOf(target("two.svg")));
}

/// Nodes side by side, which no layout puts below each other.
Sample fan(int nodes)
{
    test::ModelBuilder builder;
    builder.input("x", {1, 8});
    for (int i = 0; i < nodes; ++i)
        builder.node("Relu", "relu" + std::to_string(i), {"x"}, {"y" + std::to_string(i)});
    Sample result{builder.output("y0").build(), {}, {}};
    result.scopes = test::scopesOf(std::vector<std::string>(static_cast<std::size_t>(nodes)));
    result.placement.decisions.resize(result.model->nodes.size());
    return result;
}

TEST_F(GraphExportTest, WhatIsTooWideIsWrittenInPages)
{
    const Sample wide = fan(9000);
    GraphExport all{wide.model.get(), &wide.scopes, &wide.placement, allOpen(*wide.model, wide.scopes)};
    const auto written = exportGraph(all, m_client, target("wide.png"));
    ASSERT_TRUE(written) << written.error().line();
    ASSERT_GE(written->pages.size(), 2U);
    EXPECT_EQ(written->file, target("wide-1.png"));
    EXPECT_EQ(written->pages[1], target("wide-2.png"));
    EXPECT_FALSE(std::filesystem::exists(target("wide.png")));
    const auto side = [](const std::string& png, std::size_t at) { // big-endian, in the header
        unsigned value = 0;
        for (std::size_t i = at; i < at + 4; ++i)
            value = value * 256 + static_cast<unsigned char>(png[i]);
        return value;
    };
    std::int64_t bytes = 0;
    for (const auto& page : written->pages) {
        const std::string png = test::bytesOf(page);
        EXPECT_LE(side(png, 16), 8000U);
        EXPECT_LE(side(png, 20), 8000U);
        bytes += static_cast<std::int64_t>(png.size());
    }
    EXPECT_EQ(written->bytes, bytes);
    const auto whole = exportGraph(all, m_client, target("wide.svg"));
    ASSERT_TRUE(whole);
    EXPECT_TRUE(whole->pages.empty());
    EXPECT_THAT(test::bytesOf(target("wide.svg")), HasSubstr("relu299"));
}

TEST_F(GraphExportTest, OtherExtensionsAndFoldersThatAreNotThereAreErrors)
{
    EXPECT_EQ(exportGraph(m_export, m_client, "graph.bmp").error().line(),
        "a graph cannot be written as '.bmp': graph.bmp: end the name in .dot, .svg, .png or .pdf");
    const auto nowhere = exportGraph(m_export, m_client, "/nowhere/graph.dot");
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().code, ErrorCode::NotWritable);
}

} // namespace
} // namespace duo
