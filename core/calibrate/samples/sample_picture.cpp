// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/sample_picture.h"

#include "core/calibrate/samples/dataset_preview.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace duo {
namespace {

constexpr std::int64_t kLeastSide = 4;
constexpr std::int64_t kMostSide = 2048;

/// How the numbers of a picture lie in memory.
struct PictureLayout {
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::int64_t channels = 0;
    bool channelsFirst = true;

    [[nodiscard]] std::size_t at(std::int64_t y, std::int64_t x, std::int64_t channel) const
    {
        return static_cast<std::size_t>(
            channelsFirst ? (channel * height + y) * width + x : (y * width + x) * channels + channel);
    }
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(height * width * channels); }
};

bool isSide(std::int64_t size)
{
    return size >= kLeastSide && size <= kMostSide;
}

bool isChannels(std::int64_t size)
{
    return size == 1 || size == 3;
}

std::optional<PictureLayout> layoutOf(std::span<const std::int64_t> dims)
{
    if (dims.size() == 4)
        dims = dims.subspan(1);
    if (dims.size() != 3)
        return std::nullopt;
    if (isChannels(dims[0]) && isSide(dims[1]) && isSide(dims[2]))
        return PictureLayout{dims[1], dims[2], dims[0], true};
    if (isChannels(dims[2]) && isSide(dims[0]) && isSide(dims[1]))
        return PictureLayout{dims[0], dims[1], dims[2], false};
    return std::nullopt;
}

struct Shades {
    float least = 0;
    float greatest = 255;

    [[nodiscard]] std::uint8_t of(float value) const
    {
        if (!std::isfinite(value))
            return 0;
        if (least == greatest)
            return 128;
        const double share = (double{value} - least) / (double{greatest} - least);
        return static_cast<std::uint8_t>(std::lround(255 * std::clamp(share, 0.0, 1.0)));
    }
};

Shades shadesOf(ElementType type, std::span<const float> values)
{
    if (type == ElementType::UInt8)
        return {};
    Shades shades{HUGE_VALF, -HUGE_VALF};
    for (const float value : values) {
        if (!std::isfinite(value))
            continue;
        shades.least = std::min(shades.least, value);
        shades.greatest = std::max(shades.greatest, value);
    }
    return shades;
}

} // namespace

std::optional<Image> pictureOf(const HostTensor& sample)
{
    const auto layout = layoutOf(sample.dims);
    if (!layout)
        return std::nullopt;
    const std::vector<float> all = numbersIn(sample);
    if (all.size() < layout->size())
        return std::nullopt;
    const std::span values = std::span(all).first(layout->size());
    const Shades shades = shadesOf(sample.type, values);
    Image image{static_cast<int>(layout->height), static_cast<int>(layout->width), {}};
    image.rgb.reserve(static_cast<std::size_t>(layout->height * layout->width) * 3);
    for (std::int64_t y = 0; y < layout->height; ++y) {
        for (std::int64_t x = 0; x < layout->width; ++x) {
            for (std::int64_t channel = 0; channel < 3; ++channel)
                image.rgb.push_back(shades.of(values[layout->at(y, x, std::min(channel, layout->channels - 1))]));
        }
    }
    return image;
}

} // namespace duo
