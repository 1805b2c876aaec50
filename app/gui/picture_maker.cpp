// SPDX-License-Identifier: Apache-2.0
#include "app/gui/picture_maker.h"

#include "app/session/job.h"
#include "core/graph/view/quantizer_boxes.h"

#include <utility>

namespace duo::app {
namespace {

constexpr int kPatienceMs = 300;

using MadePicture = Result<std::shared_ptr<const ui::Picture>>;

} // namespace

PictureMaker::PictureMaker(LayoutEngine tidy, QObject* parent)
    : QObject(parent)
    , m_composer(std::make_shared<LayoutComposer>(std::move(tidy)))
{
    m_pool.setMaxThreadCount(1);
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatienceMs);
    connect(&m_patience, &QTimer::timeout, this, [this] { Q_EMIT busyChanged(true); });
}

PictureMaker::~PictureMaker()
{
    m_stop.request_stop();
    m_pool.waitForDone();
}

void PictureMaker::request(std::shared_ptr<const Snapshot> snapshot, std::optional<std::set<std::string>> open,
    BoxSizes sizes, bool quantizerBoxes)
{
    Request request{std::move(snapshot), std::move(open), std::move(sizes), quantizerBoxes};
    if (!m_isRunning) {
        start(std::move(request));
        return;
    }
    m_stop.request_stop();
    m_next = std::move(request);
}

void PictureMaker::cancel()
{
    m_next.reset();
    m_isDropped = m_isRunning;
    m_stop.request_stop();
}

void PictureMaker::start(Request request)
{
    m_isRunning = true;
    m_isDropped = false;
    m_patience.start();
    const auto known = request.snapshot->scopes == m_scopes ? m_containment : nullptr;
    const auto work
        = [request = std::move(request), known, composer = m_composer](const JobContext& job) -> MadePicture {
        auto picture = std::make_shared<ui::Picture>();
        const Model& model = *request.snapshot->model;
        const Scopes& scopes = *request.snapshot->scopes;
        picture->snapshot = request.snapshot;
        picture->containment = known ? known : std::make_shared<const Containment>(findContainment(model, scopes));
        picture->open = request.open ? *request.open : openScopesWithin(model, scopes, kFirstBoxes);
        picture->graph = buildViewGraph(model, scopes, request.snapshot->placement.get(), picture->open);
        picture->hasQuantizerBoxes = request.quantizerBoxes;
        if (request.quantizerBoxes)
            picture->graph = withQuantizerBoxes(std::move(picture->graph));
        DUO_TRY(layout, composer->compose(picture->graph, request.sizes, job));
        picture->layout = std::move(layout);
        return std::shared_ptr<const ui::Picture>(std::move(picture));
    };
    auto job = startJob<std::shared_ptr<const ui::Picture>>(m_pool, work, {});
    m_stop = job.stop;
    job.future.then(this, [this](const std::shared_ptr<MadePicture>& result) { finish(*result); });
}

void PictureMaker::finish(const MadePicture& result)
{
    m_isRunning = false;
    if (m_next) {
        start(*std::exchange(m_next, std::nullopt));
        return;
    }
    m_patience.stop();
    Q_EMIT busyChanged(false);
    if (std::exchange(m_isDropped, false))
        return;
    if (result) {
        m_scopes = (*result)->snapshot->scopes;
        m_containment = (*result)->containment;
        Q_EMIT ready(*result);
    } else if (result.error().code != ErrorCode::Cancelled) {
        Q_EMIT failed(result.error());
    }
}

} // namespace duo::app
