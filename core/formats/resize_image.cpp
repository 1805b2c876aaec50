// SPDX-License-Identifier: Apache-2.0
#include "core/formats/image.h"

#include <algorithm>
#include <cmath>

namespace duo {
namespace {

constexpr std::size_t kChannels = 3;

/// Source pixels and weights (sum 1) of one target pixel.
struct Window {
    std::size_t first = 0;
    std::vector<float> weights;
};

std::vector<Window> windows(int source, int target)
{
    const double scale = static_cast<double>(source) / target;
    const double reach = std::max(1.0, scale); // half the width of the triangle, source pixels
    std::vector<Window> all(static_cast<std::size_t>(target));
    for (int t = 0; t < target; ++t) {
        const double centre = (t + 0.5) * scale;
        const int begin = std::max(0, static_cast<int>(std::floor(centre - reach + 0.5)));
        const int end = std::min(source, static_cast<int>(std::floor(centre + reach + 0.5)));
        std::vector<double> weights;
        double sum = 0;
        for (int s = begin; s < end; ++s) {
            weights.push_back(std::max(0.0, 1.0 - std::abs((s + 0.5 - centre) / reach)));
            sum += weights.back();
        }
        Window& window = all[static_cast<std::size_t>(t)];
        window.first = static_cast<std::size_t>(begin);
        for (const double weight : weights)
            window.weights.push_back(static_cast<float>(weight / sum));
    }
    return all;
}

/// One row of the target from a row of the source.
void resizeRow(const std::uint8_t* source, const std::vector<Window>& columns, float* target)
{
    for (const Window& window : columns) {
        for (std::size_t channel = 0; channel < kChannels; ++channel) {
            float sum = 0;
            for (std::size_t i = 0; i < window.weights.size(); ++i)
                sum += window.weights[i] * static_cast<float>(source[(window.first + i) * kChannels + channel]);
            *target++ = sum;
        }
    }
}

} // namespace

std::vector<float> resizeBilinear(const Image& image, int height, int width)
{
    const auto columns = windows(image.width, width);
    const auto rows = windows(image.height, height);
    const std::size_t rowSize = columns.size() * kChannels;
    const auto sourceHeight = static_cast<std::size_t>(image.height);
    const std::size_t sourceRowSize = static_cast<std::size_t>(image.width) * kChannels;
    std::vector<float> narrowed(sourceHeight * rowSize);
    for (std::size_t y = 0; y < sourceHeight; ++y)
        resizeRow(image.rgb.data() + y * sourceRowSize, columns, narrowed.data() + y * rowSize);
    std::vector<float> out(rows.size() * rowSize, 0.0F);
    for (std::size_t y = 0; y < rows.size(); ++y) {
        for (std::size_t i = 0; i < rows[y].weights.size(); ++i) {
            const float weight = rows[y].weights[i];
            const float* from = narrowed.data() + (rows[y].first + i) * rowSize;
            float* to = out.data() + y * rowSize;
            std::transform(from, from + rowSize, to, to, [weight](float a, float b) { return b + weight * a; });
        }
    }
    return out;
}

} // namespace duo
