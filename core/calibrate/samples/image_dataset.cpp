// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/image_dataset.h"

#include "core/calibrate/samples/model_input.h"
#include "core/calibrate/samples/random_dataset.h"
#include "core/formats/image.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace duo {
namespace {

struct ImageFormat {
    ModelInput input;
    std::int64_t batch = 1; // images per feed
    std::size_t channels = 3;
    bool channelsFirst = true;
    bool isFound = false; // channels last, told by the input
    bool reversed = false; // BGR
    std::optional<std::pair<int, int>> size; // height, width
    std::vector<float> mean; // per channel
    std::vector<float> std;
};

Error badOption(const std::string& what, const std::string& whatToDo)
{
    return {ErrorCode::Usage, what, "image options", whatToDo};
}

Result<std::vector<float>> perChannel(
    const std::vector<float>& given, std::size_t channels, float fallback, const std::string& option)
{
    if (given.empty())
        return std::vector<float>(channels, fallback);
    if (given.size() == 1)
        return std::vector<float>(channels, given[0]);
    if (given.size() != channels)
        return badOption(
            option + " has " + std::to_string(given.size()) + " numbers for " + std::to_string(channels) + " channels",
            "give one number, or one per channel");
    return given;
}

/// Whether a transpose to channels first is the first thing done with the input.
bool isTransposedFirst(const Model& model, ValueId input)
{
    const auto& uses = model.value(input).uses;
    return std::ranges::any_of(uses, [&](const Use& use) {
        const Attribute* perm = model.node(use.node).attribute("perm");
        const auto* axes = perm != nullptr ? std::get_if<std::vector<std::int64_t>>(&perm->value) : nullptr;
        return model.node(use.node).opType == "Transpose" && axes != nullptr
            && *axes == std::vector<std::int64_t>{0, 3, 1, 2};
    });
}

/// The axis that has as many elements as the pictures have channels tells; else what is done with the input.
bool takesChannelsLast(const Model& model, const ImageFormat& format)
{
    const auto& shape = *format.input.shape;
    const auto areChannels = [&](const Dim& dim) { return dim.size == static_cast<std::int64_t>(format.channels); };
    if (areChannels(shape[1]) != areChannels(shape[3]))
        return areChannels(shape[3]);
    return isTransposedFirst(model, format.input.value);
}

Status readLayout(const Model& model, const DatasetOptions& options, ImageFormat& format)
{
    if (options.layout != "auto" && options.layout != "nchw" && options.layout != "nhwc")
        return badOption("unknown layout '" + options.layout + "'", "use auto, nchw or nhwc");
    if (options.channels != "rgb" && options.channels != "bgr" && options.channels != "gray")
        return badOption("unknown channels '" + options.channels + "'", "use rgb, bgr or gray");
    format.reversed = options.channels == "bgr";
    format.channels = options.channels == "gray" ? 1 : 3;
    const bool isAuto = options.layout == "auto";
    format.channelsFirst = isAuto ? !takesChannelsLast(model, format) : options.layout == "nchw";
    format.isFound = isAuto && !format.channelsFirst;
    return success();
}

Status readNumbers(const DatasetOptions& options, ImageFormat& format)
{
    const bool raw = format.input.type == ElementType::UInt8;
    if (raw && (!options.mean.empty() || !options.std.empty()))
        return badOption("the input takes bytes", "leave mean and std out");
    DUO_TRY(mean, perChannel(options.mean, format.channels, 0, "mean"));
    DUO_TRY(deviation, perChannel(options.std, format.channels, 1, "std"));
    if (std::ranges::any_of(deviation, [](float s) { return !(s > 0) || !std::isfinite(s); })
        || std::ranges::any_of(mean, [](float m) { return !std::isfinite(m); }))
        return badOption("mean and std must be finite, std above 0", "correct them");
    format.mean = std::move(mean);
    format.std = std::move(deviation);
    return success();
}

/// The size asked for, which the input must allow, or the one it fixes.
Status readSize(const DatasetOptions& options, ImageFormat& format)
{
    const auto& shape = *format.input.shape;
    const std::size_t first = format.channelsFirst ? 2 : 1;
    const auto& height = shape[first].size;
    const auto& width = shape[first + 1].size;
    format.size = options.size;
    if (!format.size && height && width && *height > 0 && *width > 0 && *height < 1 << 20 && *width < 1 << 20)
        format.size = {static_cast<int>(*height), static_cast<int>(*width)};
    const auto& channels = shape[format.channelsFirst ? 1 : 3].size;
    const bool fitting
        = (!format.size || ((!height || *height == format.size->first) && (!width || *width == format.size->second)))
        && (!channels || *channels == static_cast<std::int64_t>(format.channels));
    if (!fitting)
        return badOption("size, layout or channels do not fit the input",
            "input '" + format.input.name + "' takes " + shapeText(format.input.shape) + ", the images are "
                + std::to_string(format.channels) + " channels in " + (format.channelsFirst ? "nchw" : "nhwc"));
    if (format.size
        && (format.size->first < 1 || format.size->second < 1 || format.size->first > 16384
            || format.size->second > 16384))
        return badOption("size is not between 1 and 16384", "give height and width in pixels");
    return success();
}

Result<ImageFormat> formatOf(const Model& model, const DatasetOptions& options)
{
    auto inputs = modelInputs(model);
    const auto plain = inputs.size() > 1 ? plainInputs(model) : std::vector<std::string>();
    std::erase_if(inputs, [&](const ModelInput& input) { return std::ranges::find(plain, input.name) != plain.end(); });
    const bool takesImages = inputs.size() == 1 && inputs[0].shape && inputs[0].shape->size() == 4
        && (inputs[0].type == ElementType::Float32 || inputs[0].type == ElementType::UInt8);
    if (!takesImages)
        return Error{ErrorCode::BadData, "the model takes no images", inputs.empty() ? "" : inputs[0].name,
            "images serve a model with one input of 4 axes, float32 or uint8; give data as .npz"};
    ImageFormat format;
    format.input = inputs[0];
    format.batch = inputs[0].shape->at(0).size.value_or(1);
    DUO_CHECK(readLayout(model, options, format));
    DUO_CHECK(readSize(options, format));
    DUO_CHECK(readNumbers(options, format));
    if (format.batch < 1)
        return Error{ErrorCode::BadData, "the model takes no images", format.input.name, "its batch is empty"};
    return format;
}

/// One pixel in the channels wanted, still in 0..255.
std::array<float, 3> channelsOf(const float* rgb, const ImageFormat& format)
{
    if (format.channels == 1)
        return {0.299F * rgb[0] + 0.587F * rgb[1] + 0.114F * rgb[2], 0, 0}; // ITU-R BT.601
    if (format.reversed)
        return {rgb[2], rgb[1], rgb[0]};
    return {rgb[0], rgb[1], rgb[2]};
}

/// Appends the image to `bytes` in the input's layout and type.
template <typename T, typename Convert>
void append(
    std::vector<std::byte>& bytes, const std::vector<float>& rgb, const ImageFormat& format, const Convert& convert)
{
    const std::size_t pixels = rgb.size() / 3;
    const std::size_t start = bytes.size();
    bytes.resize(start + pixels * format.channels * sizeof(T));
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        const auto channels = channelsOf(rgb.data() + pixel * 3, format);
        for (std::size_t c = 0; c < format.channels; ++c) {
            const std::size_t at = format.channelsFirst ? c * pixels + pixel : pixel * format.channels + c;
            const T value = convert(channels[c], c);
            std::memcpy(bytes.data() + start + at * sizeof(T), &value, sizeof(T));
        }
    }
}

class ImageDataset final : public Dataset
{
public:
    ImageDataset(std::vector<std::filesystem::path> images, ImageFormat format)
        : m_images(std::move(images))
        , m_format(std::move(format))
    {
        if (m_format.isFound)
            m_notes.push_back({"channels-last",
                "pictures are fed with channels last (nhwc), as the input's shape " + shapeText(m_format.input.shape)
                    + " tells; --layout nchw says otherwise",
                m_format.input.name, Severity::Remark});
        const std::int64_t dropped = static_cast<std::int64_t>(m_images.size()) % m_format.batch;
        if (dropped > 0)
            m_notes.push_back({"dropped-entries",
                std::to_string(dropped) + " images fill no whole sample and are left out", m_format.input.name});
    }

    [[nodiscard]] std::int64_t size() const override
    {
        return static_cast<std::int64_t>(m_images.size()) / m_format.batch;
    }
    [[nodiscard]] const std::vector<Note>& notes() const override { return m_notes; }

    [[nodiscard]] Result<std::vector<HostTensor>> sample(std::int64_t index) const override
    {
        HostTensor feed{m_format.input.name, m_format.input.type, {}, {}};
        std::pair<int, int> size;
        for (std::int64_t i = 0; i < m_format.batch; ++i) {
            DUO_TRY(image, readImage(m_images.at(static_cast<std::size_t>(index * m_format.batch + i))));
            const auto wanted = m_format.size.value_or(std::pair(image.height, image.width));
            if (i > 0 && wanted != size)
                return Error{ErrorCode::BadData, "images of one batch differ in size",
                    m_images[static_cast<std::size_t>(index * m_format.batch + i)].string(), "give a size"};
            size = wanted;
            appendImage(feed.bytes, resizeBilinear(image, size.first, size.second));
        }
        const auto channels = static_cast<std::int64_t>(m_format.channels);
        feed.dims = m_format.channelsFirst
            ? std::vector<std::int64_t>{m_format.batch, channels, size.first, size.second}
            : std::vector<std::int64_t>{m_format.batch, size.first, size.second, channels};
        if (!fits(*m_format.input.shape, feed.dims))
            return Error{ErrorCode::BadData, "image does not fit the input",
                m_images[static_cast<std::size_t>(index * m_format.batch)].string(),
                "as a feed it is " + shapeText(feed.dims) + ", input '" + m_format.input.name + "' takes "
                    + shapeText(m_format.input.shape) + "; give a size, or another layout"};
        return std::vector<HostTensor>{std::move(feed)};
    }

    [[nodiscard]] Result<HostTensor> array(const std::string& name) const override
    {
        return Error{ErrorCode::BadData, "there is no array '" + name + "'", "image files", "give data as .npz"};
    }

private:
    void appendImage(std::vector<std::byte>& bytes, const std::vector<float>& rgb) const
    {
        if (m_format.input.type == ElementType::UInt8)
            append<std::uint8_t>(
                bytes, rgb, m_format, [](float value, std::size_t) { return static_cast<std::uint8_t>(value + 0.5F); });
        else
            append<float>(bytes, rgb, m_format, [this](float value, std::size_t channel) {
                return (value / 255.0F - m_format.mean[channel]) / m_format.std[channel];
            });
    }

    std::vector<std::filesystem::path> m_images;
    ImageFormat m_format;
    std::vector<Note> m_notes;
};

} // namespace

Result<std::shared_ptr<const Dataset>> imageDataset(
    std::vector<std::filesystem::path> images, const Model& model, const DatasetOptions& options)
{
    DUO_TRY(format, formatOf(model, options));
    const auto count = static_cast<std::int64_t>(images.size());
    if (count < format.batch)
        return Error{ErrorCode::BadData, "there are too few images", format.input.name,
            "the input takes " + std::to_string(format.batch) + " at once, the folder holds " + std::to_string(count)};
    return std::shared_ptr<const Dataset>(std::make_shared<ImageDataset>(std::move(images), std::move(format)));
}

} // namespace duo
