// SPDX-License-Identifier: Apache-2.0
#include "app/gui/picture_maker.h"

#include "core/graph/quantizer_boxes.h"

#include <utility>

namespace duo::app {
namespace {

constexpr int kPatienceMs = 300;

} // namespace

PictureMaker::PictureMaker(LayoutEngine tidy, QObject* parent)
    : QObject(parent)
    , m_composer(std::make_shared<LayoutComposer>(std::move(tidy)))
    , m_job(
          m_pool, *this, [this] { return work(); },
          [this](Result<Made>&& result, bool isStale) { finish(result, isStale); })
{
    m_pool.setMaxThreadCount(1);
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatienceMs);
    connect(&m_patience, &QTimer::timeout, this, [this] { Q_EMIT busyChanged(true); });
}

PictureMaker::~PictureMaker()
{
    m_job.stop();
    m_pool.waitForDone();
}

void PictureMaker::request(std::shared_ptr<const Snapshot> snapshot, std::optional<std::set<std::string>> open,
    BoxSizes sizes, bool quantizerBoxes)
{
    m_wanted = Request{std::move(snapshot), std::move(open), std::move(sizes), quantizerBoxes};
    m_job.run();
}

LatestJob<PictureMaker::Made>::Work PictureMaker::work()
{
    m_patience.start();
    const auto known = m_wanted->snapshot->scopes == m_scopes ? m_containment : nullptr;
    return [request = *m_wanted, known, composer = m_composer](const JobContext& job) -> Result<Made> {
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
        return Made(std::move(picture));
    };
}

void PictureMaker::finish(const Result<Made>& result, bool isStale)
{
    if (isStale) // the next one follows
        return;
    m_patience.stop();
    Q_EMIT busyChanged(false);
    if (result) {
        m_scopes = (*result)->snapshot->scopes;
        m_containment = (*result)->containment;
        Q_EMIT ready(*result);
    } else if (result.error().code != ErrorCode::Cancelled) {
        Q_EMIT failed(result.error());
    }
}

} // namespace duo::app
