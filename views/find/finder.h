// SPDX-License-Identifier: Apache-2.0
// Finder: searches a snapshot in short steps between events, so that typing never waits for it.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "core/search/find_things.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace duo::ui {

class Finder : public QObject
{
    Q_OBJECT

public:
    explicit Finder(QObject* parent = nullptr);
    ~Finder() override;

    /// What is searched; ends a search that runs. Without scopes nothing is found.
    void setSnapshot(std::shared_ptr<const Snapshot> snapshot);
    /// Of the values of the snapshot's model, for shapes; ends a search that runs. Null: as the file says.
    void setTypes(std::shared_ptr<const ValueTypes> types);
    /// Begins anew; finished() follows, also for an empty query.
    void start(SearchQuery query);
    void stop();

Q_SIGNALS:
    void finished(const std::shared_ptr<const duo::Found>& found);

private:
    void step();

    std::shared_ptr<const Snapshot> m_snapshot;
    std::shared_ptr<const ValueTypes> m_types;
    std::shared_ptr<const Scopes> m_ordered; // that m_order is of
    SearchOrder m_order;
    std::unique_ptr<Search> m_search; // null: none runs
    QTimer m_next;
};

} // namespace duo::ui
