// SPDX-License-Identifier: Apache-2.0
#include "core/engine/one_core.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

/// Cores that the calling thread may run on.
int coreCount()
{
    cpu_set_t cores;
    EXPECT_EQ(sched_getaffinity(0, sizeof cores, &cores), 0);
    return CPU_COUNT(&cores);
}

TEST(OnCore, KeepsTheThreadThereAndLetsItGoAgain)
{
    const int before = coreCount();
    const int core = freeCore({});
    ASSERT_NE(core, kAnyCore);
    {
        const OnCore here(core);
        EXPECT_EQ(coreCount(), 1);
        EXPECT_EQ(freeCore({}), core);
    }
    EXPECT_EQ(coreCount(), before);
}

TEST(FreeCore, IsOneThatNobodyHasAlready)
{
    std::set<int> taken;
    for (int core = freeCore(taken); core != kAnyCore; core = freeCore(taken))
        ASSERT_TRUE(taken.insert(core).second);
    EXPECT_EQ(taken.size(), static_cast<std::size_t>(coreCount()));
}

TEST(OnCore, DoesNothingForACoreThatIsNotThere)
{
    const int before = coreCount();
    for (const int core : {kAnyCore, CPU_SETSIZE - 1, CPU_SETSIZE}) {
        const OnCore here(core);
        EXPECT_EQ(coreCount(), before) << core;
    }
}

} // namespace
} // namespace duo
