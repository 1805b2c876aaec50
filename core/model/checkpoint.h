// SPDX-License-Identifier: Apache-2.0
// Checkpoint: the parameters a training framework saved, beside or inside a model; bytes stay where they are.
#pragma once

#include "core/model/call_signature.h"
#include "core/model/forward_order.h"
#include "core/model/model.h"
#include "core/model/recorded_module.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace duo {

/// One state_dict key. Keys of one tensor (ties) have the same index.
struct CheckpointKey {
    std::string name;
    std::uint32_t tensor = 0; // index into Checkpoint::tensors
};

struct Checkpoint {
    std::filesystem::path path;
    std::string format; // "safetensors", "torch-save", "torchscript", "pt2"
    std::vector<CheckpointKey> keys; // definition order as far as the format keeps it; names are unique
    std::vector<Tensor> tensors; // dense, row-major; Tensor::name is that of its first key
    std::vector<RecordedModule> modules; // definition order; empty where the format records none
    std::vector<CallSignature> signatures; // of calls in the program; empty where the format records none
    ProgramNames program; // of the program with these calls; empty where there are none
    ForwardOrders forwards; // as far as the format tells; mostly none
    bool recordsTies = false; // two tensors are never one in the program that saved them
    std::vector<Note> notes;
};

} // namespace duo
