// SPDX-License-Identifier: Apache-2.0
#include "views/graph/first_picture.h"

#include "core/graph/quantizer_boxes.h"
#include "views/graph/detail.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace duo::ui {
namespace {

constexpr double kReadable = 0.45; // of the natural size: a first picture that must be smaller to fit shows fewer boxes
constexpr double kUnreadable = 0.2;
constexpr double kClearlyLarger = 1.03;
constexpr double kWellFilled = 0.6; // of the pane
constexpr std::ptrdiff_t kEnoughBoxes = 12; // of a first picture
constexpr int kMostTried = 24; // pictures, each with fewer open boxes
constexpr double kLeastShare
    = 0.37; // of the natural width of a box with a title alone: what shows the title at its smallest

double fitZoom(const Picture& picture)
{
    const Size size = picture.layout.size;
    return std::min(
        picture.pane.width() / std::max(size.width, 1.0), picture.pane.height() / std::max(size.height, 1.0));
}

double filled(const Picture& picture)
{
    const double zoom = fitZoom(picture);
    return picture.layout.size.width * picture.layout.size.height * zoom * zoom
        / std::max(picture.pane.width() * picture.pane.height(), 1.0);
}

/// Boxes that the eye sees where the whole picture is seen: not those in what is too small and drawn closed.
std::ptrdiff_t shownBoxes(const Picture& picture, const BoxSizes& sizes)
{
    std::vector<double> widths;
    for (const ViewBox& box : picture.graph.boxes) {
        ViewBox title;
        title.title = box.title;
        widths.push_back(sizes(title).width * kLeastShare);
    }
    const Detail detail(picture, fitZoom(picture), widths);
    std::ptrdiff_t shown = 0;
    for (std::size_t b = 0; b < picture.graph.boxes.size(); ++b) {
        const bool isStub = picture.graph.boxes[b].kind == ViewBox::Kind::Stub;
        shown += !isStub && detail.look(static_cast<int>(b)) == Detail::Look::Closed ? 1 : 0;
    }
    return shown;
}

/// How good a first picture is: 1 if it can be read, fills its pane and shows something.
double worth(const Picture& picture, const BoxSizes& sizes)
{
    const double readable = std::clamp((fitZoom(picture) - kUnreadable) / (kReadable - kUnreadable), 0.0, 1.0);
    const double full = std::min(filled(picture) / kWellFilled, 1.0);
    const double shown = std::min(static_cast<double>(shownBoxes(picture, sizes)) / kEnoughBoxes, 1.0);
    return readable * full * shown;
}

/// Boxes that count for a budget: the next smaller one opens less.
std::size_t countedBoxes(const Picture& picture)
{
    return static_cast<std::size_t>(std::ranges::count_if(picture.graph.boxes,
        [](const ViewBox& box) { return box.kind != ViewBox::Kind::Stub && box.kind != ViewBox::Kind::Quantizer; }));
}

double aspectOf(const QSizeF& pane)
{
    return std::clamp(pane.width() / std::max(pane.height(), 1.0), 0.2, 5.0);
}

/// Rows closer together, where that makes the picture clearly larger in its pane.
Status drawCloserInPlace(const PictureDrawer& drawer, Picture& picture, const JobContext& job)
{
    const double aspect = aspectOf(picture.pane);
    for (const double inside : {0.0, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0}) {
        for (const double other : {0.6, 1.0, 1.6}) {
            Picture closer = picture;
            closer.shape = {aspect * other, inside, kLeastSpread};
            DUO_TRY(layout, drawer.composer.compose(picture.graph, drawer.sizes, job, closer.shape));
            closer.layout = std::move(layout);
            if (fitZoom(closer) > fitZoom(picture) * kClearlyLarger
                && filled(closer) >= std::min(filled(picture), kWellFilled))
                picture = std::move(closer);
        }
    }
    return success();
}

} // namespace

Status PictureDrawer::drawInPlace(
    Picture& picture, const std::optional<PictureShape>& shape, const JobContext& job) const
{
    picture.graph = drawnView(picture.drawn(), *picture.containment, picture.open);
    if (hasQuantizerBoxes)
        picture.graph = withQuantizerBoxes(std::move(picture.graph));
    if (shape) {
        picture.shape = *shape;
    } else {
        DUO_TRY(chosen, composer.shapeFor(picture.graph, sizes, aspectOf(picture.pane), job));
        picture.shape = chosen;
    }
    DUO_TRY(layout, composer.compose(picture.graph, sizes, job, picture.shape));
    picture.layout = std::move(layout);
    return shape || fitZoom(picture) >= kReadable ? success() : drawCloserInPlace(*this, picture, job);
}

Status PictureDrawer::drawFirstInPlace(
    Picture& picture, const std::optional<PictureShape>& shape, const JobContext& job) const
{
    picture.open = openWithin(*picture.containment, kFirstBoxes);
    DUO_CHECK(drawInPlace(picture, shape, job));
    double best = worth(picture, sizes);
    std::size_t most = std::min(kFirstBoxes, countedBoxes(picture));
    Picture smaller = picture;
    for (int tried = 1; best < 1 && most > 1 && !smaller.open.empty() && tried < kMostTried; ++tried) {
        smaller.open = openWithin(*picture.containment, --most);
        DUO_CHECK(drawInPlace(smaller, shape, job));
        most = std::min(most, countedBoxes(smaller));
        const double of = worth(smaller, sizes);
        if (of <= best)
            continue;
        picture = smaller;
        best = of;
    }
    return success();
}

} // namespace duo::ui
