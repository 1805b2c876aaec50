// SPDX-License-Identifier: Apache-2.0
#include "core/formats/image.h"

#include "core/support/file.h"

#include <memory>
#include <type_traits>

#include <png.h>
#include <turbojpeg.h>

namespace duo {
namespace {

constexpr std::int64_t kMaxPixels = 100'000'000;

Error badImage(const std::filesystem::path& path, const std::string& reason)
{
    return {ErrorCode::BadData, "image cannot be read", path.string(), reason};
}

Status checkSize(std::int64_t height, std::int64_t width, const std::filesystem::path& path)
{
    if (height < 1 || width < 1 || height > kMaxPixels / width)
        return badImage(path, "it has no pixels, or more than 100 million");
    return success();
}

Result<Image> readPng(std::span<const std::byte> bytes, const std::filesystem::path& path)
{
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    const auto fail = [&] {
        const Error error = badImage(path, png.message);
        png_image_free(&png);
        return error;
    };
    if (png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) == 0)
        return fail();
    if (auto size = checkSize(png.height, png.width, path); !size) {
        png_image_free(&png);
        return size.error();
    }
    png.format = PNG_FORMAT_RGBA; // alpha is dropped below: libpng itself would blend it
    std::vector<std::uint8_t> rgba(PNG_IMAGE_SIZE(png));
    if (png_image_finish_read(&png, nullptr, rgba.data(), 0, nullptr) == 0 || PNG_IMAGE_FAILED(png))
        return fail();
    Image image{static_cast<int>(png.height), static_cast<int>(png.width), {}};
    image.rgb.reserve(rgba.size() / 4 * 3);
    for (std::size_t pixel = 0; pixel < rgba.size(); pixel += 4)
        image.rgb.insert(image.rgb.end(), rgba.data() + pixel, rgba.data() + pixel + 3);
    return image;
}

struct DestroyDecoder {
    void operator()(void* decoder) const { tjDestroy(decoder); }
};

Result<Image> readJpeg(std::span<const std::byte> bytes, const std::filesystem::path& path)
{
    const std::unique_ptr<void, DestroyDecoder> decoder(tjInitDecompress());
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    const auto size = static_cast<unsigned long>(bytes.size());
    int width = 0;
    int height = 0;
    int subsampling = 0;
    int colours = 0;
    if (tjDecompressHeader3(decoder.get(), data, size, &width, &height, &subsampling, &colours) != 0)
        return badImage(path, tjGetErrorStr2(decoder.get()));
    DUO_CHECK(checkSize(height, width, path));
    if (colours == TJCS_CMYK || colours == TJCS_YCCK)
        return badImage(path, "it is CMYK; convert it to RGB");
    Image image{height, width, {}};
    image.rgb.resize(static_cast<std::size_t>(height) * static_cast<std::size_t>(width) * 3);
    constexpr int kFlags = TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING; // a cut-off file is an error, not a grey half
    if (tjDecompress2(decoder.get(), data, size, image.rgb.data(), width, 0, height, TJPF_RGB, kFlags) != 0)
        return badImage(path, tjGetErrorStr2(decoder.get()));
    return image;
}

bool startsWith(std::span<const std::byte> bytes, std::initializer_list<unsigned> start)
{
    return bytes.size() >= start.size()
        && std::equal(start.begin(), start.end(), bytes.begin(),
            [](unsigned wanted, std::byte found) { return std::byte(wanted) == found; });
}

} // namespace

Result<Image> readImage(const std::filesystem::path& path)
{
    DUO_TRY(file, MappedFile::open(path));
    if (startsWith(file->bytes(), {0x89, 'P', 'N', 'G'}))
        return ifFilesWhole(readPng(file->bytes(), path));
    if (startsWith(file->bytes(), {0xFF, 0xD8}))
        return ifFilesWhole(readJpeg(file->bytes(), path));
    return badImage(path, "it is neither PNG nor JPEG");
}

} // namespace duo
