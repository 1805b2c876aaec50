// SPDX-License-Identifier: Apache-2.0
#include "app/gui/graph_center.h"

#include "core/graph/alike.h"
#include "views/graph/box_sizes.h"
#include "views/graph/first_picture.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace duo::app {
namespace {

constexpr int kPatienceMs = 300;

/// Opens the pages around the first of the nodes, as far as the scopes around it are open: in another form of the graph
/// others hold it.
void openPagesInPlace(ui::Picture& picture, const std::vector<NodeId>& nodes)
{
    const auto& containers = picture.containment->containers;
    for (const std::string& key : picture.keysAround(nodes)) {
        if (std::ranges::find(containers, key, &Container::key)->isGroup)
            picture.open.insert(key);
        else if (!picture.open.contains(key))
            return;
    }
}

/// But for what whole pixels of scrolling lose.
bool isSamePlace(const ui::GraphSight& a, const ui::GraphSight& b)
{
    constexpr double kNear = 4; // px on the screen
    const QPointF way = (a.middle - b.middle) * a.zoom;
    return a.box == b.box && a.isWhole == b.isWhole && std::abs(a.zoom / b.zoom - 1) < 0.01
        && way.manhattanLength() < kNear;
}

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

void PictureMaker::request(Request request)
{
    m_wanted = std::move(request);
    m_job.run();
}

LatestJob<PictureMaker::Made>::Work PictureMaker::work()
{
    m_patience.start();
    const auto& scopes = m_wanted->run ? m_wanted->run->scopes : m_wanted->snapshot->scopes;
    const std::size_t most = m_wanted->open ? mostItems(*m_wanted->open) : Containment::kMostItems;
    const auto known = scopes == m_scopes && m_containment->most == most ? m_containment : nullptr;
    const std::set<std::string> folds = m_wanted->open ? foldMarks(*m_wanted->open) : std::set<std::string>();
    const bool isFoldedAlike = std::exchange(m_folds, folds) == folds;
    if (!m_insides || !isFoldedAlike || !m_insides->isOf(m_wanted->snapshot, m_wanted->form, m_wanted->run))
        m_insides = std::make_shared<ui::Insides>(m_wanted->snapshot, m_wanted->form, m_wanted->run);
    return [request = *m_wanted, known, folds, most, composer = m_composer, insides = m_insides](
               const JobContext& job) -> Result<Made> {
        auto picture = std::make_shared<ui::Picture>();
        picture->snapshot = request.snapshot;
        picture->form = request.form;
        picture->run = request.run;
        picture->pane = request.pane;
        picture->openFor = request.open ? request.openFor : request.form;
        const DrawnGraph drawn = picture->drawn();
        picture->containment
            = known ? known : std::make_shared<const Containment>(findContainment(drawn.model, drawn.scopes, most));
        if (!folds.empty())
            picture->containment
                = std::make_shared<const Containment>(withFolds(*picture->containment, drawn.scopes, folds));
        picture->hasQuantizerBoxes = request.hasQuantizerBoxes;
        const ui::PictureDrawer drawer{*composer, request.sizes, request.hasQuantizerBoxes};
        if (request.open) {
            picture->open = *request.open;
            openPagesInPlace(*picture, request.held);
            DUO_CHECK(drawer.drawInPlace(*picture, request.shape, job));
        } else {
            DUO_CHECK(drawer.drawFirstInPlace(*picture, request.shape, job));
        }
        DUO_CHECK(insides->addInPlace(*picture, request.inside, *composer, request.sizes, job));
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
        if (foldMarks((*result)->open).empty()) { // others are of one picture
            m_scopes = (*result)->run ? (*result)->run->scopes : (*result)->snapshot->scopes;
            m_containment = (*result)->containment;
        }
        Q_EMIT ready(*result);
    } else if (result.error().code != ErrorCode::Cancelled) {
        Q_EMIT failed(result.error());
    }
}

GraphCenter::GraphCenter(LayoutEngine tidy, ui::Board& board, bool hasQuantizerBoxes, QWidget* parent)
    : QObject(parent)
    , m_view(new ui::GraphView(parent))
    , m_pictures(std::move(tidy))
    , m_hasQuantizerBoxes(hasQuantizerBoxes)
{
    QTimer::singleShot(0, m_view, [view = m_view] { // fonts are looked for once, and not as the first model comes
        (void)ui::measureText(view->font());
    });
    connect(&m_pictures, &PictureMaker::ready, this, [this](const std::shared_ptr<const ui::Picture>& picture) {
        if (!m_view->picture() && m_isFirst && !m_isMadeAnew && m_view->isForOtherPane(*picture)) {
            m_isMadeAnew = true; // the pane became another one meanwhile: what would be seen to change is not shown
            requestPicture();
            return;
        }
        m_open = picture->open; // none but the last one asked for arrives
        m_openFor = picture->openFor;
        m_shape = picture->shape;
        m_held.clear();
        m_view->setPicture(picture);
        if (std::exchange(m_isOtherForm, false) && m_view->isBlank())
            arrangeAnew(); // what is open in one form may be too much of another
        const auto sight = std::exchange(m_back, std::nullopt);
        if (sight)
            ui::goToSight(*m_view, *sight);
        const auto again = [this, picture, sight] {
            if (m_view->picture() != picture.get())
                return;
            if (sight)
                ui::goToSight(*m_view, *sight);
            if (!m_arrived)
                m_arrived = ui::sightOf(*m_view);
        };
        if (sight || !m_arrived)
            QMetaObject::invokeMethod(this, again, Qt::QueuedConnection); // once scroll bars have taken their room
        Q_EMIT pictureShown();
    });
    connect(&m_pictures, &PictureMaker::busyChanged, m_view, &ui::GraphView::setBusy);
    connect(&m_pictures, &PictureMaker::failed, this, [this](const Error& error) {
        if (const ui::Picture* shown = m_view->picture(); shown && shown->snapshot->model == m_snapshot->model)
            m_open = shown->open; // what cannot be drawn is not asked for again
        Q_EMIT failed(error);
    });
    // Boxes of a model that has no picture yet cannot be meant.
    connect(m_view, &ui::GraphView::openRequested, this, [this](const std::set<std::string>& keys) {
        if (!m_open)
            return;
        m_isFirst = false;
        m_open->insert(keys.begin(), keys.end());
        requestPicture();
    });
    connect(m_view, &ui::GraphView::closeRequested, this, [this](const std::string& key) {
        if (!m_open || m_open->erase(key) == 0)
            return;
        m_isFirst = false;
        requestPicture();
    });
    connect(m_view, &ui::GraphView::insideRequested, this, [this](const std::set<std::string>& keys) {
        if (std::exchange(m_inside, keys) != keys)
            requestPicture();
    });
    connect(m_view, &ui::GraphView::shapeWanted, this, [this] {
        if (m_isFirst)
            arrangeAnew();
    });
    connect(m_view, &ui::GraphView::wholeWanted, this, &GraphCenter::arrangeAnew);
    connectBoard(board);
}

/// For the pane as it is; which boxes are open is chosen anew for a first picture, and for one that says nothing whole.
void GraphCenter::arrangeAnew()
{
    if (!m_view->picture()) {
        if (m_isFirst)
            requestPicture(); // what is being made is for another pane
        return;
    }
    if (m_open != m_view->picture()->open)
        return; // boxes were asked for
    m_shape.reset();
    PictureMaker::Request request = wanted();
    request.openFor = m_form;
    m_isFirst = m_isFirst || m_view->isBlank();
    if (m_isFirst)
        request.open.reset();
    m_pictures.request(std::move(request));
}

void GraphCenter::connectBoard(ui::Board& board)
{
    connect(&board, &ui::Board::snapshotShown, this, &GraphCenter::showSnapshot);
    connect(&board, &ui::Board::nodeRunsShown, m_view, &ui::GraphView::setRuns);
    connect(&board, &ui::Board::typesShown, m_view, &ui::GraphView::setTypes);
    connect(&board, &ui::Board::selectionShown, m_view, &ui::GraphView::setSelection);
    connect(&board, &ui::Board::selectionShown, this, [this] { m_left = {}; });
    connect(&board, &ui::Board::foundShown, m_view, &ui::GraphView::setFound);
    connect(&board, &ui::Board::previewed, m_view, &ui::GraphView::setPreview);
    connect(&board, &ui::Board::overlayShown, m_view, &ui::GraphView::setOverlay);
    connect(m_view, &ui::GraphView::overlayMeasureRequested, &board, &ui::Board::overlayMeasureRequested);
    connect(m_view, &ui::GraphView::rulesIntended, &board, &ui::Board::rulesIntended);
    connect(m_view, &ui::GraphView::selected, &board, [this, &board](const ui::Selection& selection) {
        // The picture may still be of other scopes: a new one is made in the background.
        const ui::Picture* shown = m_view->picture();
        Q_EMIT board.selected(
            shown ? ui::carryOver(selection, *shown->snapshot->scopes, *m_snapshot->scopes) : selection);
    });
}

void GraphCenter::setQuantizerBoxes(bool areShown)
{
    m_hasQuantizerBoxes = areShown;
    m_left = {};
    const ui::Picture* shown = m_view->picture();
    if (shown && isOurs() && m_open == shown->open)
        arrangeAnew(); // so many more boxes want others open
    else
        requestPicture();
}

void GraphCenter::setForm(GraphForm form, std::shared_ptr<const RunGraph> run)
{
    if (form == m_form && run == m_run)
        return;
    if ((form == GraphForm::AsRun) != (m_form == GraphForm::AsRun))
        std::swap(m_shape, m_otherShape);
    if (form != m_form)
        leaveForm();
    const auto& left = m_left[static_cast<std::size_t>(form)];
    const bool comesBack = form != m_form && left && left->run == run;
    if (comesBack) {
        m_open = left->open;
        m_shape = left->shape;
        m_isFirst = left->isFirst;
        m_openFor = left->openFor;
        m_back = left->sight;
    } else if (isOurs()) { // others can be read
        m_open.reset();
        m_shape.reset();
        m_otherShape.reset();
        m_openFor = form;
    }
    m_isOtherForm = !comesBack;
    m_form = form;
    m_run = std::move(run);
    m_held = comesBack ? std::vector<NodeId>() : m_view->nodesToHold();
    requestPicture();
}

void GraphCenter::leaveForm()
{
    const auto sight = ui::sightOf(*m_view);
    const bool isMoved = !sight || !m_arrived || !isSamePlace(*m_arrived, *sight);
    if (isMoved && !isOurs())
        m_left = {};
    m_arrived.reset();
    const ui::Picture* shown = m_view->picture();
    if (shown && sight && m_open == shown->open)
        m_left[static_cast<std::size_t>(m_form)]
            = Left{shown->open, shown->shape, shown->run, m_isFirst, m_openFor, *sight};
}

std::optional<std::set<std::string>> GraphCenter::open() const
{
    const ui::Picture* shown = m_view->picture();
    return shown && m_snapshot && !m_back && shown->snapshot->model == m_snapshot->model ? m_open : std::nullopt;
}

void GraphCenter::goBackTo(
    std::set<std::string> open, std::optional<PictureShape> shape, std::optional<ui::GraphSight> sight)
{
    m_isFirst = false;
    m_isOtherForm = false;
    m_open = std::move(open);
    m_shape = shape;
    m_back = std::move(sight);
    requestPicture();
}

void GraphCenter::showSnapshot(const std::shared_ptr<const Snapshot>& snapshot)
{
    if (snapshot == m_snapshot) // a calibration or an export is shown: the graph is the same
        return;
    if (!snapshot || !m_snapshot || snapshot->model != m_snapshot->model) {
        m_view->setPicture(nullptr); // what is selected and found from now on is not in it
        m_open.reset();
        m_shape.reset();
        m_otherShape.reset();
        m_left = {};
        m_isFirst = true;
        m_isMadeAnew = false;
        m_inside.clear();
    }
    if (!m_open)
        m_back.reset();
    if (m_isFirst && m_view->isUntouched() && m_snapshot && snapshot && snapshot->scopes != m_snapshot->scopes) {
        m_open.reset(); // a checkpoint tells other scopes: another first picture fits them
        m_shape.reset();
        m_otherShape.reset();
        m_left = {};
    }
    m_snapshot = snapshot;
    requestPicture();
}

void GraphCenter::requestPicture()
{
    if (m_snapshot)
        m_pictures.request(wanted());
}

PictureMaker::Request GraphCenter::wanted() const
{
    return {m_snapshot, m_open, m_shape, m_view->pane(), ui::boxSizes(ui::measureText(m_view->font())),
        m_hasQuantizerBoxes, m_inside, m_form, m_run, m_openFor, m_held};
}

} // namespace duo::app
