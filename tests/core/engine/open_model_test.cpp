// SPDX-License-Identifier: Apache-2.0
#include "core/engine/open_model.h"

#include "core/onnx/reader.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

const std::filesystem::path kExternal = std::filesystem::path(DUO_TEST_DATA) / "models" / "external";

TEST(OpenModel, TakesAModelThatIsALinkAsModelCachesKeepThem)
{
    const test::TemporaryFolder folder;
    std::filesystem::create_directories(folder / "blobs");
    std::filesystem::create_directories(folder / "snapshot");
    for (const std::string name : {"external.onnx", "first.bin", "second.bin"}) {
        std::filesystem::copy_file(kExternal / name, folder / ("blobs/of-" + name));
        std::filesystem::create_symlink("../blobs/of-" + name, folder / ("snapshot/" + name));
    }
    const auto model = readModel(folder / "snapshot/external.onnx");
    ASSERT_TRUE(model) << model.error().line();
    const auto session = openModel(**model);
    EXPECT_TRUE(session) << session.error().line();
}

} // namespace
} // namespace duo
