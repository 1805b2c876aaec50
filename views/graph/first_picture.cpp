// SPDX-License-Identifier: Apache-2.0
#include "views/graph/first_picture.h"

#include "core/graph/alike.h"
#include "core/graph/quantizer_boxes.h"
#include "views/graph/detail.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace duo::ui {
namespace {

constexpr double kReadable = 0.4; // of the natural size: a first picture that must be smaller to fit shows fewer boxes
constexpr double kUnreadable = 0.2;
constexpr double kComfortable = 0.45; // of the natural size: rows of smaller pictures stand closer together
constexpr double kGood = 0.75; // a first picture that is worth less is tried with fewer items in each box
constexpr double kClearlyLarger = 1.03;
constexpr double kWellFilled = 0.6; // of the pane
constexpr double kFull = 0.7; // of the pane
constexpr double kFullWorth = 0.01; // of a picture that fills the pane, beside others that are worth as much
constexpr std::ptrdiff_t kEnoughBoxes = 16; // of a first picture
constexpr double kUnnamedWorth = 0.5; // of a picture in which a box has no room for its title
constexpr int kMostTried = 24; // pictures, each with fewer open boxes
constexpr int kMostGrown = 8; // pictures, each with one box more open
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

struct Shown {
    std::ptrdiff_t boxes = 0;
    bool areNamed = true; // each of them has room for its title
};

/// What the eye sees where the whole picture is seen: no boxes in what is too small and drawn closed.
Shown shownIn(const Picture& picture, const BoxSizes& sizes)
{
    std::vector<double> widths;
    for (const ViewBox& box : picture.graph.boxes) {
        ViewBox title;
        title.title = box.title;
        widths.push_back(sizes(title).width * kLeastShare);
    }
    const double zoom = fitZoom(picture);
    const Detail detail(picture, zoom, widths);
    Shown shown;
    for (std::size_t b = 0; b < picture.graph.boxes.size(); ++b) {
        const int box = static_cast<int>(b);
        if (picture.graph.boxes[b].kind == ViewBox::Kind::Stub || detail.look(box) != Detail::Look::Closed)
            continue;
        ++shown.boxes;
        shown.areNamed = shown.areNamed && picture.frame(box).width() * zoom >= widths[b];
    }
    return shown;
}

/// How good a first picture is: 1 if it can be read, fills its pane and shows something.
double worth(const Picture& picture, const BoxSizes& sizes)
{
    const double readable = std::clamp((fitZoom(picture) - kUnreadable) / (kReadable - kUnreadable), 0.0, 1.0);
    const double full = std::min(filled(picture) / kWellFilled, 1.0);
    const Shown shown = shownIn(picture, sizes);
    const double enough = std::min(static_cast<double>(shown.boxes) / kEnoughBoxes, 1.0);
    return readable * full * enough * (shown.areNamed ? 1 : kUnnamedWorth);
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

/// The largest box that is closed and can be opened, but for some.
const ViewBox* largestClosed(const Picture& picture, const std::set<std::string>& refused)
{
    const ViewBox* largest = nullptr;
    for (const ViewBox& box : picture.graph.boxes) {
        const bool canOpen = !box.key.empty() && !box.open && box.total > 1 && !isRestOfFold(box.key);
        if (canOpen && !refused.contains(box.key) && (!largest || box.total > largest->total))
            largest = &box;
    }
    return largest;
}

/// Opens large boxes one by one, where the picture still can be read then and shows more, or fills more of the pane.
Status growInPlace(
    const PictureDrawer& drawer, Picture& picture, const std::optional<PictureShape>& shape, const JobContext& job)
{
    const auto worthOf = [&](const Picture& grown) {
        return worth(grown, drawer.sizes) + kFullWorth * std::min(filled(grown) / kFull, 1.0);
    };
    std::set<std::string> refused;
    double best = worthOf(picture);
    for (int tried = 0; best < 1 + kFullWorth && tried < kMostGrown; ++tried) {
        const ViewBox* closed = largestClosed(picture, refused);
        if (!closed)
            return success();
        Picture more = picture;
        more.open = withOpened(*picture.containment, picture.open, closed->key);
        refused.insert(closed->key);
        more.graph = drawnView(more.drawn(), *more.containment, more.open);
        if (countedBoxes(more) > PictureDrawer::kFirstBoxes)
            continue;
        DUO_CHECK(drawer.drawInPlace(more, shape, job));
        const double of = worthOf(more);
        if (of <= best)
            continue;
        picture = std::move(more);
        best = of;
    }
    return success();
}

/// As many boxes as can be read, the largest ones open.
Status drawReadableInPlace(
    const PictureDrawer& drawer, Picture& picture, const std::optional<PictureShape>& shape, const JobContext& job)
{
    picture.open = openWithin(*picture.containment, PictureDrawer::kFirstBoxes);
    DUO_CHECK(drawer.drawInPlace(picture, shape, job));
    double best = worth(picture, drawer.sizes);
    std::size_t most = std::min(PictureDrawer::kFirstBoxes, countedBoxes(picture));
    Picture smaller = picture;
    for (int tried = 1; best < 1 && most > 1 && !smaller.open.empty() && tried < kMostTried; ++tried) {
        smaller.open = openWithin(*picture.containment, --most);
        DUO_CHECK(drawer.drawInPlace(smaller, shape, job));
        most = std::min(most, countedBoxes(smaller));
        const double of = worth(smaller, drawer.sizes);
        if (of <= best)
            continue;
        picture = smaller;
        best = of;
    }
    return growInPlace(drawer, picture, shape, job);
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
    return shape || fitZoom(picture) >= kComfortable ? success() : drawCloserInPlace(*this, picture, job);
}

Status PictureDrawer::drawFirstInPlace(
    Picture& picture, const std::optional<PictureShape>& shape, const JobContext& job) const
{
    DUO_CHECK(drawReadableInPlace(*this, picture, shape, job));
    const double best = worth(picture, sizes);
    const bool isCrowded = std::ranges::any_of(picture.containment->containers,
        [](const Container& container) { return container.items.size() > Containment::kFewItems; });
    if (best >= kGood || !isCrowded)
        return success();
    Picture few = picture;
    const DrawnGraph drawn = few.drawn();
    few.containment
        = std::make_shared<const Containment>(findContainment(drawn.model, drawn.scopes, Containment::kFewItems));
    DUO_CHECK(drawReadableInPlace(*this, few, shape, job));
    few.open.insert(kFewItemsMark);
    if (worth(few, sizes) > best)
        picture = std::move(few);
    return success();
}

} // namespace duo::ui
