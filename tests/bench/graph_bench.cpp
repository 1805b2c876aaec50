// SPDX-License-Identifier: Apache-2.0
// The graph of the models that are named, else of generated ones of 1,000, 10,000 and 50,000 nodes: first picture,
// opening a box, frames while panning and zooming, and what it all keeps in memory. Times are of the processor, all
// threads together, so that a loaded machine counts for little: as ratios to reading the model file, frames to one of
// the first model, memory to the size of the file. The layout asks no other engine for advice. Needs a display (or
// QT_QPA_PLATFORM=offscreen).
#include "app/gui/graph_center.h"
#include "core/onnx/reader.h"
#include "tests/bench/generated_model.h"
#include "tests/bench/rounds.h"
#include "views/graph/box_sizes.h"

#include <QApplication>
#include <QEventLoop>
#include <QImage>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

using duo::bench::median;
using Made = std::shared_ptr<const duo::ui::Picture>;

constexpr int kRounds = 7;
constexpr int kFrames = 60; // of a pan, and of a zoom
constexpr QSize kPane(1600, 1000); // px

double processMs() // of all threads
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

double milliseconds(const std::function<void()>& work)
{
    const double start = processMs();
    work();
    return processMs() - start;
}

std::int64_t resident()
{
    std::ifstream file("/proc/self/statm");
    std::int64_t all = 0;
    std::int64_t mine = 0;
    file >> all >> mine;
    return mine * sysconf(_SC_PAGESIZE);
}

/// A picture as the window has it made, and how long that takes.
class Maker
{
public:
    explicit Maker(std::shared_ptr<const duo::Snapshot> snapshot)
        : m_snapshot(std::move(snapshot))
        , m_sizes(duo::ui::boxSizes(duo::ui::measureText(QApplication::font())))
    {
    }

    /// @param open keys; nothing: as at first
    Made make(std::optional<std::set<std::string>> open, std::optional<duo::PictureShape> shape)
    {
        duo::app::PictureMaker maker({});
        Made made;
        bool isDone = false; // perhaps before it is waited for
        QObject::connect(&maker, &duo::app::PictureMaker::ready, &maker, [&](const Made& picture) {
            made = picture;
            isDone = true;
        });
        QObject::connect(&maker, &duo::app::PictureMaker::failed, &maker, [&] { isDone = true; });
        maker.request({m_snapshot, std::move(open), shape, kPane, m_sizes});
        while (!isDone)
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        return made;
    }

    /// The first picture with its largest closed box opened too.
    Made open(const Made& first)
    {
        const auto& boxes = first->graph.boxes;
        const auto largest = std::ranges::max_element(boxes, {},
            [](const duo::ViewBox& box) { return box.open || box.key.empty() ? std::int64_t{0} : box.total; });
        return make(withOpened(*first->containment, first->open, largest->key), first->shape);
    }

private:
    std::shared_ptr<const duo::Snapshot> m_snapshot;
    duo::BoxSizes m_sizes;
};

double frame(duo::ui::GraphView& view, QImage& image)
{
    return milliseconds([&] {
        QPainter painter(&image);
        view.viewport()->render(&painter);
    });
}

/// Frames of a pan at natural size from one end to the other, and of a zoom from the whole picture to natural size.
std::vector<double> frames(const Made& picture)
{
    duo::ui::GraphView view;
    view.resize(kPane);
    view.show();
    view.setPicture(picture);
    QApplication::processEvents();
    QImage image(view.viewport()->size(), QImage::Format_ARGB32_Premultiplied);
    std::vector<double> times;
    view.fit();
    const double whole = view.zoom();
    for (int i = 0; i <= kFrames; ++i) {
        view.zoomTo(whole + (1 - whole) * i / kFrames);
        times.push_back(frame(view, image));
    }
    for (int i = 0; i <= kFrames; ++i) {
        for (QScrollBar* bar : {view.horizontalScrollBar(), view.verticalScrollBar()})
            bar->setValue(bar->minimum() + (bar->maximum() - bar->minimum()) * i / kFrames);
        times.push_back(frame(view, image));
    }
    return times;
}

/// @param floor ms of a frame of the first model; 0 before it
void measure(const std::filesystem::path& path, double& floor)
{
    const std::int64_t before = resident();
    auto opened = duo::openSnapshot(path);
    if (!opened) {
        std::printf("%s\n", opened.error().line().c_str());
        return;
    }
    const std::size_t nodes = opened->model->nodes.size();
    Maker maker(std::make_shared<const duo::Snapshot>(*std::move(opened)));
    Made first;
    Made more;
    std::vector<duo::bench::Stage> stages{
        {"read the file (floor)", [&] { (void)duo::readModel(path); }, {}},
        {"first picture", [&] { first = maker.make({}, {}); }, {}},
        {"open a box", [&] { more = maker.open(first); }, {}},
    };
    for (int round = 0; round < kRounds; ++round) {
        for (auto& stage : stages)
            stage.times.push_back(milliseconds(stage.work));
    }
    std::printf("%zu nodes: %zu boxes at first, %zu with one opened\n", nodes, first->graph.boxes.size(),
        more->graph.boxes.size());
    const double reading = median(stages.front().times);
    for (const auto& stage : stages)
        std::printf("  %-24s %8.1f ms  %6.2f x\n", stage.name, median(stage.times), median(stage.times) / reading);
    const std::vector<double> times = frames(more);
    if (floor == 0)
        floor = median(times);
    std::printf("  %-24s %8.1f ms  %6.2f x of the first model's, the longest %.1f ms\n", "frame", median(times),
        median(times) / floor, std::ranges::max(times));
    const auto bytes = static_cast<double>(std::filesystem::file_size(path));
    const std::int64_t once = resident();
    for (int i = 0; i < kRounds; ++i)
        (void)maker.open(maker.make({}, {}));
    std::printf("  %-24s %8.1f MB  %6.2f x of the file, %+.1f MB after %d more pictures\n", "memory",
        static_cast<double>(once - before) / 1e6, static_cast<double>(once - before) / bytes,
        static_cast<double>(resident() - once) / 1e6, 2 * kRounds);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    std::printf("median of %d interleaved rounds, pane of %d x %d px\n", kRounds, kPane.width(), kPane.height());
    double floor = 0;
    for (int i = 1; i < argc; ++i)
        measure(argv[i], floor);
    if (argc > 1)
        return 0;
    const auto path = std::filesystem::temp_directory_path() / "duoscope-bench-graph.onnx";
    for (const int nodes : {1'000, 10'000, 50'000}) {
        std::ofstream(path, std::ios::binary) << duo::bench::residualChain(nodes);
        measure(path, floor);
    }
    std::filesystem::remove(path);
    return 0;
}
