// SPDX-License-Identifier: Apache-2.0
// Insides: what is inside closed boxes, laid out to fit into them. Nothing else in the picture moves.
#pragma once

#include "core/graph/layout_composer.h"
#include "core/support/job.h"
#include "views/graph/inside_layout.h"
#include "views/graph/picture.h"

#include <map>
#include <memory>
#include <set>
#include <string>

namespace duo::ui {

/// The title of a box that shows what is inside it has this share of the box's height, at the top.
inline constexpr double kInsideTitleShare = 0.28;

/// Insides of one form of one snapshot that were laid out already. For one thread at a time.
class Insides
{
public:
    explicit Insides(std::shared_ptr<const Snapshot> snapshot, GraphForm form = GraphForm::Compressed,
        std::shared_ptr<const RunGraph> run = nullptr)
        : m_snapshot(std::move(snapshot))
        , m_form(form)
        , m_run(std::move(run))
    {
    }

    /// Appends boxes and edges to a picture of the snapshot for each closed box of these keys, also for those inside
    /// others of them. Edges from a closed box to one inside it, and back, lead on what comes to it and leaves it.
    /// Time: per key not seen before O(nodes + uses) and a layout.
    /// @return Cancelled
    Status addInPlace(Picture& picture, const std::set<std::string>& keys, LayoutComposer& composer,
        const BoxSizes& sizes, const JobContext& job = {});

    [[nodiscard]] bool isOf(const std::shared_ptr<const Snapshot>& snapshot, GraphForm form,
        const std::shared_ptr<const RunGraph>& run) const
    {
        return snapshot == m_snapshot && form == m_form && run == m_run;
    }

private:
    Result<const Inside*> inside(const Picture& picture, const std::string& key, double aspect,
        LayoutComposer& composer, const BoxSizes& sizes, const JobContext& job);

    std::shared_ptr<const Snapshot> m_snapshot;
    GraphForm m_form;
    std::shared_ptr<const RunGraph> m_run;
    std::size_t m_most = 0; // items of a container, of those known; 0: none is
    std::map<std::string, std::uint32_t> m_containers; // by key
    std::map<std::string, Inside> m_known;
};

} // namespace duo::ui
