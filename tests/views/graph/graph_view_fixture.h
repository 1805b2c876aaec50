// SPDX-License-Identifier: Apache-2.0
// A graph on the screen, of the example model.
#pragma once

#include "tests/views/support/picture_builder.h"
#include "tests/views/support/snapshot_builder.h"
#include "views/graph/graph_view.h"

#include <gtest/gtest.h>

#include <memory>

namespace duo::test {

class GraphViewFixture : public testing::Test
{
protected:
    void SetUp() override
    {
        m_view.resize(900, 700);
        m_view.show();
        m_view.setPicture(makePicture(m_snapshot, {}));
    }

    [[nodiscard]] QPoint centerOf(int box) const { return m_view.mapFromScene(m_view.picture()->frame(box).center()); }

    std::shared_ptr<const Snapshot> m_snapshot = exampleSnapshot();
    ui::GraphView m_view;
};

} // namespace duo::test
