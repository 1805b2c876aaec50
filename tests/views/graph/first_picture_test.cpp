// SPDX-License-Identifier: Apache-2.0
// The first picture of a model, in panes of every usual shape: the pane is filled, all text can be read, no name is a
// stump. The pictures and a table of the numbers are left in the folder `pictures` of the build.
#include "views/graph/first_picture.h"

#include "core/graph/alike.h"
#include "tests/support/hub_model.h"
#include "tests/support/model_builder.h"
#include "tests/views/support/drawn_texts.h"
#include "tests/views/support/snapshot_builder.h"
#include "views/graph/box_sizes.h"
#include "views/graph/fold_offer.h"
#include "views/graph/graph_view.h"
#include "views/style/theme.h"

#include <QApplication>
#include <QDir>
#include <QPainter>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

namespace duo::ui {
namespace {

constexpr double kLeastFilled = 0.6;

struct Pane {
    const char* name;
    QSize size; // px
};
constexpr int kPanes = 6;
const Pane kPaneShapes[kPanes] = {{"1.4:1", {1120, 800}}, {"1:1", {800, 800}}, {"2.2:1", {1320, 600}},
    {"2.2:1 low", {1100, 500}}, {"tall", {560, 900}}, {"720p", {436, 540}}};

struct Numbers {
    double zoom = 0;
    double filled = 0; // of the pane
    std::ptrdiff_t boxes = 0; // that are drawn closed
    double leastText = 1e9; // px
    std::size_t stumps = 0; // boxes without their title
    std::size_t crossed = 0; // texts in bars of open boxes that a line leads through
};

std::shared_ptr<const Snapshot> opened(const std::string& file)
{
    auto snapshot = openSnapshot(file);
    if (!snapshot)
        snapshot = openScopes(file);
    EXPECT_TRUE(snapshot) << file;
    return snapshot ? std::make_shared<const Snapshot>(*std::move(snapshot)) : nullptr;
}

/// Encoder and decoder of `depth` steps with connections across.
std::shared_ptr<const Snapshot> unet(int depth)
{
    test::ModelBuilder builder;
    builder.input("x0");
    std::string last = "x0";
    const auto step = [&](const std::string& scope, const std::string& op, std::vector<std::string> reads) {
        const std::string made = scope + "/" + op;
        builder.node(op, made, reads, {made});
        last = made;
    };
    std::vector<std::string> across;
    for (int i = 0; i < depth; ++i) {
        const std::string scope = "down." + std::to_string(i);
        step(scope, "Conv", {last});
        step(scope, "Relu", {last});
        across.push_back(last);
        step("pool." + std::to_string(i), "MaxPool", {last});
    }
    for (int i = 0; i < depth; ++i) {
        const std::string scope = "up." + std::to_string(i);
        step(scope, "Resize", {last});
        step(scope, "Concat", {last, across[across.size() - 1 - static_cast<std::size_t>(i)]});
        step(scope, "Conv", {last});
        step(scope, "Relu", {last});
    }
    Snapshot snapshot;
    snapshot.model = builder.output(last).build();
    snapshot.scopes = std::make_shared<const Scopes>(findScopes(*snapshot.model));
    return std::make_shared<const Snapshot>(std::move(snapshot));
}

/// `branches` of one operator between the input and a sum.
std::shared_ptr<const Snapshot> hub(std::size_t branches)
{
    Snapshot snapshot;
    snapshot.model = test::hubOf(branches);
    snapshot.scopes = std::make_shared<const Scopes>(findScopes(*snapshot.model));
    return std::make_shared<const Snapshot>(std::move(snapshot));
}

std::shared_ptr<const Snapshot> chain(std::size_t nodes)
{
    std::vector<test::NodeLine> lines;
    for (std::size_t i = 0; i < nodes; ++i) {
        const char* op = i % 2 == 0 ? "Conv" : "Relu";
        lines.push_back({op + ("_" + std::to_string(i)), op, "", {}, {}});
    }
    return test::makeSnapshot(lines);
}

/// net/layers.N/blockM of four nodes each.
std::shared_ptr<const Snapshot> scoped(std::size_t nodes)
{
    std::vector<test::NodeLine> lines;
    for (std::size_t i = 0; i < nodes; ++i) {
        const std::string scope = "net/layers." + std::to_string(i / 40) + "/block" + std::to_string(i / 4 % 10);
        lines.push_back({"/" + scope + "/" + std::to_string(i), i % 4 == 0 ? "Conv" : "Relu", scope, {}, {}});
    }
    return test::makeSnapshot(lines);
}

std::shared_ptr<const Picture> firstPicture(const std::shared_ptr<const Snapshot>& snapshot, const GraphView& view)
{
    auto picture = std::make_shared<Picture>();
    picture->snapshot = snapshot;
    picture->pane = view.pane();
    const DrawnGraph drawn = picture->drawn();
    picture->containment = std::make_shared<const Containment>(findContainment(drawn.model, drawn.scopes));
    LayoutComposer composer({});
    const BoxSizes sizes = boxSizes(measureText(view.font()));
    EXPECT_TRUE((PictureDrawer{composer, sizes}.drawFirstInPlace(*picture, std::nullopt)));
    return picture;
}

bool isMet(const QRectF& rect, const QLineF& line)
{
    const QPolygonF around = rect; // closed
    for (qsizetype i = 1; i < around.size(); ++i) {
        if (line.intersects(QLineF(around[i - 1], around[i])) == QLineF::BoundedIntersection)
            return true;
    }
    return rect.contains(line.p1());
}

std::size_t crossedBars(const GraphView& view, const Detail& detail, const std::vector<test::DrawnText>& texts)
{
    const Picture& picture = *view.picture();
    const QTransform shown = view.viewportTransform();
    std::vector<QRectF> bars;
    std::set<QString> quantizers; // their badges lie on lines
    for (const ViewEdge& edge : picture.graph.edges) {
        const QString badge = QString::fromStdString(edge.badge);
        quantizers.insert({badge, badge.section(QLatin1Char(' '), 0, 0)});
    }
    for (std::size_t b = 0; b < picture.graph.boxes.size(); ++b) {
        QRectF bar = shown.mapRect(picture.frame(static_cast<int>(b)));
        bar.setHeight(std::max(kTitleBarHeight * view.zoom(), kLeastText));
        if (detail.look(static_cast<int>(b)) == Detail::Look::Frame)
            bars.push_back(bar);
    }
    std::size_t crossed = 0;
    for (const test::DrawnText& text : texts) {
        const QRectF rect = text.rect.adjusted(1, 1, -1, -1);
        const bool isInBar = std::ranges::any_of(bars, [&](const QRectF& bar) { return bar.contains(rect.center()); });
        if (!isInBar || quantizers.contains(text.text))
            continue;
        crossed += std::ranges::any_of(picture.layout.lines, [&](const std::vector<Point>& line) {
            for (std::size_t p = 1; p < line.size(); ++p) {
                if (isMet(rect, shown.map(QLineF(line[p - 1].x, line[p - 1].y, line[p].x, line[p].y))))
                    return true;
            }
            return false;
        });
    }
    return crossed;
}

Numbers numbersOf(GraphView& view)
{
    Numbers numbers;
    const Picture& picture = *view.picture();
    numbers.zoom = view.zoom();
    numbers.filled = picture.layout.size.width * picture.layout.size.height * view.zoom() * view.zoom()
        / (view.pane().width() * view.pane().height());
    test::TextRecorder recorder(view.viewport()->size());
    {
        QPainter painter(&recorder);
        view.render(&painter);
    }
    for (const test::DrawnText& text : recorder.texts())
        numbers.leastText = std::min(numbers.leastText, text.pixels);
    const LabelPainter labels(view.font());
    const Detail detail(picture, view.zoom());
    for (std::size_t b = 0; b < picture.graph.boxes.size(); ++b) {
        const ViewBox& box = picture.graph.boxes[b];
        if (detail.look(static_cast<int>(b)) != Detail::Look::Closed || box.kind == ViewBox::Kind::Stub)
            continue;
        ++numbers.boxes;
        const double width = picture.frame(static_cast<int>(b)).width() * view.zoom();
        numbers.stumps += width < labels.leastWidth(QString::fromStdString(box.title)) ? 1 : 0;
    }
    numbers.crossed = crossedBars(view, detail, recorder.texts());
    return numbers;
}

QString pictureFolder()
{
    const QString folder = QStringLiteral(QT_TESTCASE_BUILDDIR "/pictures");
    QDir().mkpath(folder);
    return folder;
}

/// At fit, and into the middle.
void keepPictures(GraphView& view, const std::string& name)
{
    const QString start = pictureFolder() + QLatin1Char('/') + QString::fromStdString(name);
    for (const bool isDark : {false, true}) {
        view.setPalette(isDark ? darkPalette() : lightPalette());
        QApplication::processEvents();
        const QString theme = isDark ? QStringLiteral(".dark") : QString();
        view.fit();
        view.grab().save(start + theme + QStringLiteral(".png"));
        view.zoomBy(2);
        view.grab().save(start + theme + QStringLiteral(".near.png"));
    }
    view.setPalette(lightPalette());
    view.fit();
}

struct Case {
    const char* name;
    std::function<std::shared_ptr<const Snapshot>()> make;
};

std::ostream& operator<<(std::ostream& out, const Case& testCase)
{
    return out << testCase.name;
}

Case file(const char* name, const char* path)
{
    return {name, [path] { return opened(path); }};
}

class FirstPicture : public testing::TestWithParam<Case>
{
};

TEST_P(FirstPicture, FillsItsPaneAndCanBeRead)
{
    const auto snapshot = GetParam().make();
    ASSERT_TRUE(snapshot);
    std::ofstream table(pictureFolder().toStdString() + "/" + GetParam().name + ".md");
    table << "| " << GetParam().name << " | zoom | filled | boxes | least text, px |\n|---|--:|--:|--:|--:|\n";
    for (const Pane& pane : kPaneShapes) {
        GraphView view;
        view.setPalette(lightPalette());
        view.resize(pane.size);
        view.show();
        QApplication::processEvents();
        view.setPicture(firstPicture(snapshot, view));
        QApplication::processEvents();
        view.fit();
        const Numbers numbers = numbersOf(view);
        table << "| " << pane.name << " | " << numbers.zoom << " | " << numbers.filled << " | " << numbers.boxes
              << " | " << numbers.leastText << " |\n";
        EXPECT_GE(numbers.filled, kLeastFilled) << pane.name;
        EXPECT_LE(numbers.boxes, static_cast<std::ptrdiff_t>(PictureDrawer::kFirstBoxes)) << pane.name;
        EXPECT_GE(numbers.leastText, kLeastText - 0.01) << pane.name; // what turning into px loses
        EXPECT_EQ(numbers.stumps, 0U) << pane.name;
        EXPECT_EQ(numbers.crossed, 0U) << pane.name;
        if (&pane == kPaneShapes)
            keepPictures(view, GetParam().name);
    }
}

INSTANTIATE_TEST_SUITE_P(Models, FirstPicture,
    testing::Values(file("digits_conv", DUO_SAMPLES "/digits_conv.onnx"),
        file("digits_transformer", DUO_SAMPLES "/digits_transformer.onnx"),
        file("resnet18", DUO_FILLED_MODELS "/resnet18.onnx"),
        file("resnet18_dynamo", DUO_FILLED_MODELS "/resnet18.dynamo.onnx"),
        file("mobilenet_v2", DUO_FILLED_MODELS "/mobilenet_v2.onnx"),
        file("detector", DUO_TEST_DATA "/optimized/detector.script.onnxslim.structure.onnx"),
        file("bert", DUO_FILLED_MODELS "/bert_encoder.onnx"),
        file("bert_dynamo", DUO_FILLED_MODELS "/bert_encoder.dynamo.onnx"),
        file("gpt2", DUO_TEST_DATA "/exports/gpt2.script.onnx"),
        file("gpt2_dynamo", DUO_TEST_DATA "/exports/gpt2.dynamo.onnx"),
        file("text_recogniser", DUO_TEST_DATA "/producers/paddle_rec.structure.onnx"),
        file("voice_with_if", DUO_TEST_DATA "/shipped/silero_vad.structure.onnx"),
        file("cell_in_loop", DUO_TEST_DATA "/optimized/cell_loop.script.ort_basic.structure.onnx"),
        Case{"unet", [] { return unet(5); }}, Case{"nodes_10k", [] { return scoped(10000); }},
        Case{"nodes_50k", [] { return scoped(50000); }}, Case{"chain_5k", [] { return chain(5000); }},
        Case{"hub_2k", [] { return hub(2000); }}));

TEST(FoldOffer, FoldsWhatIsAlikeAndBackAgain)
{
    const auto snapshot = scoped(400); // ten layers
    GraphView view;
    auto picture = std::make_shared<Picture>(*firstPicture(snapshot, view));
    const auto show = [&] {
        LayoutComposer composer({});
        const DrawnGraph drawn = picture->drawn();
        picture->containment = std::make_shared<const Containment>(
            withFolds(findContainment(drawn.model, drawn.scopes), drawn.scopes, picture->open));
        const BoxSizes sizes = boxSizes(measureText(view.font()));
        ASSERT_TRUE((PictureDrawer{composer, sizes}.drawInPlace(*picture, std::nullopt)));
    };
    picture->open = {"net"};
    show();
    const auto fold = foldOffer(*picture, picture->boxOfKey("net/layers.3"));
    ASSERT_TRUE(fold);
    EXPECT_FALSE(fold->isFolded);
    EXPECT_EQ(fold->count, 10U);
    picture->open.insert(fold->mark);
    show();
    const int folded = picture->boxOfKey(fold->stands);
    ASSERT_NE(folded, Picture::kNoBox);
    EXPECT_EQ(picture->graph.boxes[static_cast<std::size_t>(folded)].title, "layers.0–9 ×10");
    EXPECT_EQ(picture->graph.boxes[static_cast<std::size_t>(folded)].total, 400);
    EXPECT_EQ(picture->boxesOf(selectNode(NodeId(390))), std::vector<int>{folded}); // of layers.9
    picture->open.insert(fold->stands);
    show();
    const auto unfold = foldOffer(*picture, picture->boxOfKey(fold->stands + "/rest"));
    ASSERT_TRUE(unfold);
    EXPECT_TRUE(unfold->isFolded);
    EXPECT_EQ(unfold->mark, fold->mark);
    EXPECT_EQ(unfold->count, 10U);
    EXPECT_EQ(unfold->stands, "net/layers.0");
    EXPECT_FALSE(foldOffer(*picture, Picture::kNoBox));
}

} // namespace
} // namespace duo::ui
