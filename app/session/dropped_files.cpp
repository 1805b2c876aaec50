// SPDX-License-Identifier: Apache-2.0
#include "app/session/dropped_files.h"

#include "app/session/recipe_files.h"
#include "core/formats/file_formats.h"

#include <algorithm>

namespace duo::app {

DroppedFiles droppedFiles(std::span<const std::filesystem::path> files, bool isOnnxOpen)
{
    const bool hasOnnx = isOnnxOpen || std::ranges::any_of(files, [](const std::filesystem::path& file) {
        return isModelName(file) && !isCheckpointName(file);
    });
    DroppedFiles dropped;
    for (const std::filesystem::path& file : files) {
        const bool isCheckpoint = isCheckpointName(file);
        if (isModelName(file) && !(hasOnnx && isCheckpoint) && dropped.model.empty())
            dropped.model = file;
        else if (isCheckpoint && dropped.checkpoint.empty())
            dropped.checkpoint = file;
        else if (isRecipeName(file) && dropped.recipe.empty())
            dropped.recipe = file;
        else if (dropped.model.empty() && !isCheckpoint && !isRecipeName(file))
            dropped.model = file;
    }
    return dropped;
}

} // namespace duo::app
