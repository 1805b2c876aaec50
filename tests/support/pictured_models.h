// SPDX-License-Identifier: Apache-2.0
// The models whose pictures are judged: networks of every kind that people open, and generated ones of any size.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace duo::test {

struct PicturedModel {
    std::string name; // as a file may be called
    std::string file; // "": it is generated
    std::function<std::shared_ptr<const Model>()> make;
};

std::ostream& operator<<(std::ostream& out, const PicturedModel& model);

/// Both samples, ResNet-18 and MobileNetV2, detectors (two simplified), BERT, GPT-2, an OCR recogniser and what finds
/// the angle of its lines, If and Loop bodies, functions, networks of Keras, a U-Net with and without scopes, 10,000
/// and 50,000 nodes in scopes, a flat chain of 5,000 and a hub of 2,000.
const std::vector<PicturedModel>& picturedModels();

/// Of files that a text file names line by line, whose path the environment variable DUO_PICTURED_FILES has; else none.
std::vector<PicturedModel> otherPicturedModels();

/// With model and scopes.
Result<Snapshot> openPictured(const PicturedModel& model);

} // namespace duo::test
