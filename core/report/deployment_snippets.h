// SPDX-License-Identifier: Apache-2.0
// Programs that load a model and run it on one sample, to begin from.
#pragma once

#include "core/model/element_type.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// An input and the file that holds it for one sample, as it lies in memory.
struct SampleFile {
    std::string input;
    ElementType type = ElementType::Undefined;
    std::vector<std::int64_t> dims;
    std::string file; // below the folder of the program: "sample/0.bin"
};

/// Whether both programs can be written for an input of this type.
bool canBeFed(ElementType type);

/// @param model name of the file beside the program; @param hasLibrary it needs operators of a library of the user's
/// @param inputs of types that can be fed
std::string pythonSnippet(std::string_view model, const std::vector<SampleFile>& inputs, bool hasLibrary);
/// C++17, for onnxruntime_cxx_api.h.
std::string cppSnippet(std::string_view model, const std::vector<SampleFile>& inputs, bool hasLibrary);

} // namespace duo
