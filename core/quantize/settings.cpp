// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/settings.h"

#include <array>

namespace duo {
namespace {

constexpr std::array<std::string_view, 4> kProfiles{"ort-cpu", "tensorrt", "openvino", "qnn"};

} // namespace

std::string_view profileText(Profile profile)
{
    return kProfiles[static_cast<std::size_t>(profile)];
}

std::optional<Profile> profileFromText(std::string_view text)
{
    for (std::size_t i = 0; i < kProfiles.size(); ++i) {
        if (kProfiles[i] == text)
            return static_cast<Profile>(i);
    }
    return std::nullopt;
}

} // namespace duo
