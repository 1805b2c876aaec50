// SPDX-License-Identifier: Apache-2.0
#include "tests/views/support/picture_builder.h"

#include "tests/support/model_builder.h"
#include "views/graph/box_sizes.h"
#include "views/graph/insides.h"

#include <QFont>

namespace duo::test {

namespace {

std::shared_ptr<const ui::Picture> drawn(ui::Picture wanted)
{
    auto picture = std::make_shared<ui::Picture>(std::move(wanted));
    const DrawnGraph graph = picture->drawn();
    picture->containment = std::make_shared<const Containment>(findContainment(graph.model, graph.scopes));
    picture->graph = drawnView(graph, *picture->containment, picture->open);
    LayoutComposer composer({});
    if (auto layout = composer.compose(picture->graph, ui::boxSizes(ui::measureText(QFont()))))
        picture->layout = *std::move(layout);
    return picture;
}

} // namespace

std::shared_ptr<const ui::Picture> makePicture(
    const std::shared_ptr<const Snapshot>& snapshot, const std::set<std::string>& open)
{
    ui::Picture picture;
    picture.snapshot = snapshot;
    picture.open = open;
    return drawn(std::move(picture));
}

std::shared_ptr<const RunGraph> exampleRun(const Snapshot& snapshot)
{
    ModelBuilder kernels;
    kernels.input("x", {1, 2}).node("Conv", "/conv1/Conv", {"x"}, {"v0"});
    kernels.node("FusedGemm", "one", {"v0"}, {"v2"}).node("FusedGemm", "other", {"v2"}, {"v4"});
    kernels.node("Gemm", "/dec/proj/Gemm", {"v4"}, {"v5"}).node("Softmax", "/Softmax", {"v5"}, {"y"}).output("y");
    return std::make_shared<const RunGraph>(runGraph(*snapshot.model, *snapshot.scopes, nullptr, kernels.build()));
}

std::shared_ptr<const ui::Picture> makeRunPicture(const std::shared_ptr<const Snapshot>& snapshot,
    const std::shared_ptr<const RunGraph>& run, const std::set<std::string>& open)
{
    ui::Picture picture;
    picture.snapshot = snapshot;
    picture.form = GraphForm::AsRun;
    picture.run = run;
    picture.open = open;
    return drawn(std::move(picture));
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
