// SPDX-License-Identifier: Apache-2.0
#include "app/session/made_ahead.h"

#include <gtest/gtest.h>

namespace duo::app {
namespace {

TEST(MadeAhead, IsOfTheSnapshotThatWillBeToldOf)
{
    std::vector<std::shared_ptr<const Snapshot>> seen;
    const MadeAhead::Made note = [&](const auto& snapshot) { seen.push_back(snapshot); };
    const auto read = MadeAhead({note, note})(Snapshot());
    ASSERT_TRUE(read);
    EXPECT_EQ(seen, (std::vector{*read, *read}));
}

TEST(MadeAhead, NothingIsMadeOfWhatCouldNotBeRead)
{
    const MadeAhead ahead({[](const auto&) { FAIL(); }});
    const auto read = ahead(Error{ErrorCode::FileNotReadable, "there is no such file", "m.onnx", ""});
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::FileNotReadable);
}

} // namespace
} // namespace duo::app
