// SPDX-License-Identifier: Apache-2.0
#include "views/graph/first_picture.h"

#include "core/graph/quantizer_boxes.h"

#include <algorithm>
#include <utility>

namespace duo::ui {
namespace {

constexpr double kReadable = 0.45; // of the natural size: a first picture that must be smaller to fit shows fewer boxes
constexpr double kClearlyLarger = 1.1;
constexpr double kWellFilled = 0.6; // of the pane
constexpr std::ptrdiff_t kFewestBoxes = 12; // of a first picture, whatever its size

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

/// Whether a picture of fewer boxes is worth it.
bool isBetter(const Picture& smaller, const Picture& picture)
{
    return fitZoom(smaller) >= kClearlyLarger * fitZoom(picture)
        && filled(smaller) >= std::min(filled(picture), kWellFilled);
}

std::ptrdiff_t closedBoxes(const Picture& picture)
{
    return std::ranges::count(picture.graph.boxes, false, &ViewBox::open);
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
        const double aspect = std::clamp(picture.pane.width() / std::max(picture.pane.height(), 1.0), 0.2, 5.0);
        DUO_TRY(chosen, composer.shapeFor(picture.graph, sizes, aspect, job));
        picture.shape = chosen;
    }
    DUO_TRY(layout, composer.compose(picture.graph, sizes, job, picture.shape));
    picture.layout = std::move(layout);
    return success();
}

Status PictureDrawer::drawFirstInPlace(
    Picture& picture, const std::optional<PictureShape>& shape, const JobContext& job) const
{
    picture.open = openWithin(*picture.containment, kFirstBoxes);
    DUO_CHECK(drawInPlace(picture, shape, job));
    for (std::size_t most = kFirstBoxes * 2 / 3; most > 0 && fitZoom(picture) < kReadable; most = most * 2 / 3) {
        Picture smaller = picture;
        smaller.open = openWithin(*picture.containment, most);
        DUO_CHECK(drawInPlace(smaller, shape, job));
        if (closedBoxes(smaller) < kFewestBoxes)
            break;
        if (isBetter(smaller, picture))
            picture = std::move(smaller);
    }
    return success();
}

} // namespace duo::ui
