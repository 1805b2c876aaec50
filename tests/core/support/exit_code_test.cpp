// SPDX-License-Identifier: Apache-2.0
#include "core/support/exit_code.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

TEST(ExitCode, SaysWhoseFaultAnErrorIs)
{
    EXPECT_EQ(exitCodeOf(ErrorCode::Usage), 2);
    for (const ErrorCode input : {ErrorCode::FileNotReadable, ErrorCode::MalformedModel, ErrorCode::Unsupported,
             ErrorCode::InvalidRule, ErrorCode::BadData, ErrorCode::BadState})
        EXPECT_EQ(exitCodeOf(input), 3);
    for (const ErrorCode engine : {ErrorCode::EngineFailed, ErrorCode::EngineEnded, ErrorCode::EngineOverTime}) {
        EXPECT_EQ(exitCodeOf(engine), 4);
        EXPECT_TRUE(isOfEngine(engine));
    }
    EXPECT_EQ(exitCodeOf(ErrorCode::Internal), 4);
    EXPECT_FALSE(isOfEngine(ErrorCode::Internal));
    EXPECT_EQ(exitCodeOf(ErrorCode::NotWritable), 5);
    EXPECT_EQ(exitCodeOf(ErrorCode::Cancelled), 130);
}

} // namespace
} // namespace duo
