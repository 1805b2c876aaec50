// SPDX-License-Identifier: Apache-2.0
// What tests of the session share: one with a folder of its own, and waiting for what it does in the background.
#pragma once

#include "app/session/session.h"
#include "core/quantize/recipe/starting_recipe.h"

#include "tests/support/temporary_folder.h"

#include <QSignalSpy>
#include <QTest>

#include <functional>

#include <gtest/gtest.h>

namespace duo::app {

inline std::filesystem::path sample(const std::string& name)
{
    return std::filesystem::path(DUO_SAMPLES) / name;
}

inline bool waitUntil(const std::function<bool()>& condition)
{
    return QTest::qWaitFor(condition, 60000); // milliseconds; far beyond what anything here takes
}

inline bool wait(const QSignalSpy& spy, int count = 1)
{
    return waitUntil([&] { return spy.count() >= count; });
}

class SessionFixture : public testing::Test
{
protected:
    void open(const std::filesystem::path& model = sample("digits_conv.onnx"), const Companions& companions = {})
    {
        QSignalSpy opened(&m_session, &Session::opened);
        m_session.open(model, companions);
        ASSERT_TRUE(wait(opened));
    }

    /// The snapshot is made with the recipe wanted.
    bool settled()
    {
        return waitUntil([this] { return m_session.snapshot()->recipe == m_session.recipe(); });
    }

    test::TemporaryFolder m_folder;
    Session m_session;
};

} // namespace duo::app
