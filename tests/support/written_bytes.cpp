// SPDX-License-Identifier: Apache-2.0
#include "tests/support/written_bytes.h"

#include "core/onnx/writer.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

namespace duo::test {

Result<std::string> writtenBytes(const Model& model, const EditList& edits)
{
    const TemporaryFolder folder;
    DUO_CHECK(writeModel(model, edits, folder / "written.onnx"));
    return bytesOf(folder / "written.onnx");
}

} // namespace duo::test
