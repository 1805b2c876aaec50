// SPDX-License-Identifier: Apache-2.0
// SmallNetwork: a model file of a few element-wise nodes on rows of two numbers, and data for it.
#pragma once

#include "core/calibrate/samples/dataset.h"
#include "core/model/model.h"
#include "tests/support/temporary_folder.h"

#include <memory>
#include <string>
#include <vector>

namespace onnx {
class ModelProto;
}

namespace duo::test {

/// Float32 values of shape [N, 2] throughout; `weight`s are float32 [2].
class SmallNetwork
{
public:
    SmallNetwork();
    ~SmallNetwork();
    SmallNetwork& input(const std::string& name);
    SmallNetwork& output(const std::string& name);
    SmallNetwork& weight(const std::string& name, float first, float second);
    SmallNetwork& node(const std::string& opType, const std::vector<std::string>& inputs, const std::string& output);
    /// Written to a file of this name and read again; ends the test run on failure.
    [[nodiscard]] std::shared_ptr<const Model> write(const TemporaryFolder& folder, const std::string& name) const;

private:
    std::unique_ptr<onnx::ModelProto> m_proto;
};

} // namespace duo::test
