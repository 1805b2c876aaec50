// SPDX-License-Identifier: Apache-2.0
#include "app/session/recipe_files.h"

#include "tests/support/failing_disk.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace duo::app {
namespace {

TEST(SaveRecipe, LeavesTheOldFileWholeWhateverFails)
{
    const test::TemporaryFolder folder;
    const auto file = folder / "m.recipe.json";
    const auto prepare = [&] { (void)folder.write("m.recipe.json", "old"); };
    EXPECT_GT(test::expectWholeWhateverFails({prepare, [&] { return saveRecipe({}, file); }, folder.path()}), 20);
}

} // namespace
} // namespace duo::app
