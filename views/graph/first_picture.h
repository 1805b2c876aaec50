// SPDX-License-Identifier: Apache-2.0
// First picture: how much of a model is open when it is first seen, and drawing what is open.
#pragma once

#include "core/graph/layout_composer.h"
#include "core/support/job.h"
#include "views/graph/picture.h"

#include <optional>

namespace duo::ui {

/// Draws the graph and its layout from what is open in a picture, in the picture's pane.
struct PictureDrawer {
    static constexpr std::size_t kFirstBoxes = 60; // most boxes of a first picture: what the eye takes in

    LayoutComposer& composer;
    const BoxSizes& sizes;
    bool hasQuantizerBoxes = false; // quantizers as boxes, not badges

    /// @param shape nothing: chosen to fill the pane
    /// @return Cancelled
    Status drawInPlace(Picture& picture, const std::optional<PictureShape>& shape, const JobContext& job = {}) const;

    /// Opens as many boxes as can be read where the whole picture is seen, and draws it.
    /// @return Cancelled
    Status drawFirstInPlace(
        Picture& picture, const std::optional<PictureShape>& shape, const JobContext& job = {}) const;
};

} // namespace duo::ui
