// SPDX-License-Identifier: Apache-2.0
#include "app/session/nearby_checkpoint.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

namespace duo::app {
namespace {

/// Likeliest first: what says most about itself.
constexpr std::array<std::string_view, 7> kEndings
    = {".safetensors", ".safetensors.index.json", ".pth", ".pt", ".bin", ".ckpt", ".pt2"};

std::string lowerName(const std::filesystem::path& path)
{
    std::string text = path.filename().string();
    std::transform(text.begin(), text.end(), text.begin(),
        [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return text;
}

} // namespace

bool isCheckpointName(const std::filesystem::path& path)
{
    const std::string name = lowerName(path);
    return name.ends_with(".index.json") || std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) {
        return name.ends_with(ending);
    });
}

bool isModelName(const std::filesystem::path& path)
{
    const std::string name = lowerName(path);
    return name.ends_with(".onnx") || name.ends_with(".pt2");
}

std::filesystem::path checkpointBeside(const std::filesystem::path& model)
{
    if (lowerName(model).ends_with(".pt2"))
        return {};
    for (const std::string_view ending : kEndings) {
        const auto candidate = model.parent_path() / (model.stem().string() + std::string(ending));
        std::error_code error;
        if (candidate != model && std::filesystem::is_regular_file(candidate, error))
            return candidate;
    }
    return {};
}

} // namespace duo::app
