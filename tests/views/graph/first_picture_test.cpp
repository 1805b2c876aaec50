// SPDX-License-Identifier: Apache-2.0
// The first picture of a model, in panes of every usual shape: the pane is filled, all text can be read, no name is a
// stump. The pictures and a table of the numbers are left in the folder `pictures` of the build.
#include "views/graph/first_picture.h"

#include "core/graph/alike.h"
#include "core/report/overlay_values.h"
#include "tests/support/picture_judge.h"
#include "tests/support/pictured_models.h"
#include "tests/views/support/drawn_texts.h"
#include "tests/views/support/snapshot_builder.h"
#include "views/graph/box_sizes.h"
#include "views/graph/covered.h"
#include "views/graph/fold_offer.h"
#include "views/graph/graph_view.h"
#include "views/style/theme.h"

#include <QApplication>
#include <QDir>
#include <QPainter>

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

namespace duo::ui {
namespace {

constexpr double kLeastFilled = 0.6;
constexpr std::size_t kLeastBoxes = 14; // or as many as the model has nodes

struct Pane {
    const char* name;
    QSize size; // px
};
const Pane kPaneShapes[]
    = {{"1.4:1", {1120, 800}}, {"1:1", {800, 800}}, {"2.2:1", {1320, 600}}, {"2.2:1 low", {1100, 500}},
        {"tall", {560, 900}}, {"window", {478, 706}}, {"720p", {436, 540}}, {"720p beside results", {372, 475}}};

struct Numbers {
    double zoom = 0;
    double filled = 0; // of the pane
    std::ptrdiff_t boxes = 0; // that are drawn closed
    double leastText = 1e9; // px
    std::size_t stumps = 0; // boxes without their title
    std::size_t crossed = 0; // texts in bars of open boxes that a line leads through
    std::size_t through = 0; // lines through boxes that are not theirs
    std::size_t overlaps = 0; // of boxes
    std::size_t slants = 0; // pieces of the main path that are not straight
};

/// With decisions, where the model has weights to decide about.
std::shared_ptr<const Snapshot> opened(const test::PicturedModel& model)
{
    auto snapshot = model.file.empty() ? test::openPictured(model) : openSnapshot(model.file);
    if (!snapshot)
        snapshot = test::openPictured(model);
    EXPECT_TRUE(snapshot) << model;
    return snapshot ? std::make_shared<const Snapshot>(*std::move(snapshot)) : nullptr;
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
    const BoxSizes sizes = boxSizes(measureText(view.font()));
    const test::PictureJudge judge(picture.graph, picture.layout, sizes);
    numbers.through = judge.linesThroughBoxes();
    numbers.overlaps = judge.overlaps();
    numbers.slants = judge.slantsOfMainPath();
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

/// px² of the picture's boxes that are under a legend where the whole is shown.
double coveredByLegend(GraphView& view)
{
    const auto& snapshot = *view.picture()->snapshot;
    ShownOverlay overlay;
    overlay.scopes = snapshot.scopes;
    overlay.values
        = makeOverlay(overlay.kind, {*snapshot.model, *snapshot.scopes, snapshot.placement.get()}).value_or(Overlay());
    view.setOverlay(std::make_shared<const ShownOverlay>(overlay));
    QApplication::processEvents();
    const auto* legend = view.findChild<OverlayLegend*>(QStringLiteral("overlayLegend"));
    const QRect rect = legend->geometry().translated(-view.viewport()->pos());
    EXPECT_TRUE(legend->isVisible() && view.isWhole());
    const double covered = boxesCoveredIn(*view.picture(), Detail(*view.picture(), view.zoom()),
        view.viewportTransform().inverted().mapRect(QRectF(rect)));
    view.setOverlay(nullptr);
    return covered;
}

class FirstPicture : public testing::TestWithParam<test::PicturedModel>
{
};

TEST_P(FirstPicture, FillsItsPaneAndCanBeRead)
{
    const auto snapshot = opened(GetParam());
    ASSERT_TRUE(snapshot);
    std::ofstream table(pictureFolder().toStdString() + "/" + GetParam().name + ".md");
    table << "| " << GetParam().name
          << " | zoom | filled | boxes | least text, px | without title | through titles | through boxes | overlaps |"
             " slants | covered |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";
    const auto leastBoxes = static_cast<std::ptrdiff_t>(std::min(kLeastBoxes, snapshot->model->nodes.size()));
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
        const double covered = coveredByLegend(view);
        table << "| " << pane.name << " | " << numbers.zoom << " | " << numbers.filled << " | " << numbers.boxes
              << " | " << numbers.leastText << " | " << numbers.stumps << " | " << numbers.crossed << " | "
              << numbers.through << " | " << numbers.overlaps << " | " << numbers.slants << " | " << covered << " |\n";
        EXPECT_GE(numbers.filled, kLeastFilled) << pane.name;
        EXPECT_GE(numbers.boxes, leastBoxes) << pane.name;
        EXPECT_LE(numbers.boxes, static_cast<std::ptrdiff_t>(PictureDrawer::kFirstBoxes)) << pane.name;
        EXPECT_GE(numbers.leastText, kLeastText - 0.01) << pane.name; // what turning into px loses
        EXPECT_EQ(numbers.stumps, 0U) << pane.name;
        EXPECT_EQ(numbers.crossed, 0U) << pane.name;
        EXPECT_EQ(numbers.through, 0U) << pane.name;
        EXPECT_EQ(numbers.overlaps, 0U) << pane.name;
        EXPECT_EQ(numbers.slants, 0U) << pane.name;
        EXPECT_EQ(covered, 0) << pane.name;
        if (&pane == kPaneShapes)
            keepPictures(view, GetParam().name);
    }
}

INSTANTIATE_TEST_SUITE_P(Models, FirstPicture, testing::ValuesIn(test::picturedModels()));
INSTANTIATE_TEST_SUITE_P(Others, FirstPicture, testing::ValuesIn(test::otherPicturedModels()));

TEST(FirstBoxes, AreMoreWhereThePaneWouldStayEmpty)
{
    const auto& models = test::picturedModels();
    const auto chain = std::ranges::find(models, "chain_5k", &test::PicturedModel::name);
    ASSERT_NE(chain, models.end());
    GraphView view;
    view.resize(800, 800);
    view.show();
    QApplication::processEvents();
    view.setPicture(firstPicture(opened(*chain), view));
    QApplication::processEvents();
    view.fit();
    const Numbers numbers = numbersOf(view);
    EXPECT_GT(numbers.boxes, 30) << "20 would leave a third of it empty";
    EXPECT_GT(numbers.filled, 0.7);
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

TEST(FoldOffer, APageOffersToFoldAllPagesThatAreAlike)
{
    auto picture = std::make_shared<Picture>(*firstPicture(scoped(40 * 100), GraphView())); // a hundred layers
    picture->open = {"net"};
    picture->graph = drawnView(picture->drawn(), *picture->containment, picture->open);
    const auto page = std::ranges::find(picture->graph.boxes, ViewBox::Kind::Group, &ViewBox::kind);
    ASSERT_NE(page, picture->graph.boxes.end());
    const auto offer = foldOffer(*picture, static_cast<int>(page - picture->graph.boxes.begin()));
    ASSERT_TRUE(offer);
    EXPECT_EQ(offer->count, 100U);
}

} // namespace
} // namespace duo::ui
