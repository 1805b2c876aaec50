// SPDX-License-Identifier: Apache-2.0
#include "tests/views/support/picture_builder.h"

#include "views/graph/box_sizes.h"
#include "views/graph/insides.h"

#include <QFont>

namespace duo::test {

std::shared_ptr<const ui::Picture> makePicture(
    const std::shared_ptr<const Snapshot>& snapshot, const std::set<std::string>& open)
{
    auto picture = std::make_shared<ui::Picture>();
    picture->snapshot = snapshot;
    picture->containment = std::make_shared<const Containment>(findContainment(*snapshot->model, *snapshot->scopes));
    picture->open = open;
    picture->graph = buildViewGraph(*snapshot->model, *snapshot->scopes, snapshot->placement.get(), open);
    LayoutComposer composer({});
    if (auto layout = composer.compose(picture->graph, ui::boxSizes(ui::measureText(QFont()))))
        picture->layout = *std::move(layout);
    return picture;
}

std::shared_ptr<const ui::Picture> withInsides(const ui::Picture& picture, const std::set<std::string>& keys)
{
    auto result = std::make_shared<ui::Picture>(picture);
    LayoutComposer composer({});
    const Status added
        = ui::Insides(picture.snapshot).addInPlace(*result, keys, composer, ui::boxSizes(ui::measureText(QFont())));
    return added ? result : nullptr;
}

} // namespace duo::test
