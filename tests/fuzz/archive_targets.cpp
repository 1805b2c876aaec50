// SPDX-License-Identifier: Apache-2.0
// Checkpoints, programs, arrays, images, and the archives and pickles that they lie in.
#include "tests/fuzz/fuzz_target.h"

#include "core/formats/array_file.h"
#include "core/formats/file_formats.h"
#include "core/formats/image.h"
#include "core/formats/pt2/read_pt2.h"
#include "core/formats/read_checkpoint.h"
#include "core/formats/torch/pickle.h"
#include "core/scope/scope.h"
#include "core/support/stored_zip.h"
#include "tests/support/file_bytes.h"
#include "tests/support/numpy_files.h"
#include "tests/support/torch_programs.h"

#include <algorithm>
#include <span>

namespace duo::test {
namespace {

using Texts = std::vector<std::string>;
namespace fs = std::filesystem;

fs::path dataFile(const char* name)
{
    return fs::path(DUO_TEST_DATA) / name;
}

void checkTensor(const Tensor& tensor)
{
    if (tensor.type == ElementType::Undefined)
        return;
    require(packedBytes(tensor.type, tensor.elements()) == static_cast<std::int64_t>(tensor.bytes().size()),
        "a tensor whose bytes do not fit its shape");
    static_cast<void>(toFloats(tensor)); // touches every byte
}

void tryCheckpoint(const fs::path& path)
{
    const auto read = readCheckpoint(path);
    const auto* checkpoint = valueOf(read);
    if (checkpoint == nullptr)
        return;
    for (const CheckpointKey& key : (*checkpoint)->keys) {
        require(key.tensor < (*checkpoint)->tensors.size(), "a key without a tensor");
        checkTensor((*checkpoint)->tensors[key.tensor]);
    }
}

void runCheckpoint(std::string_view bytes)
{
    static FuzzedFile file;
    tryCheckpoint(file.write(bytes));
}

Texts safetensorsSeeds()
{
    return seedFiles("checkpoints", ".safetensors");
}

/// The index of shards that lie beside it.
void runIndex(std::string_view bytes)
{
    static FuzzedFile file("sharded.safetensors.index.json");
    static const bool areThere = [] {
        for (const char* shard : {"part-1-of-2.safetensors", "part-2-of-2.safetensors"})
            fs::copy_file(dataFile("checkpoints") / shard, file.folder() / shard);
        return true;
    }();
    require(areThere, "the shards are missing");
    tryCheckpoint(file.write(bytes));
}

Texts indexSeeds()
{
    return seedFiles("checkpoints", ".index.json");
}

void runZip(std::string_view bytes)
{
    const auto opened = StoredZip::open(sharedBytes(bytes), "input");
    const auto* zip = valueOf(opened);
    if (zip == nullptr)
        return;
    for (const ZipMember& member : (*zip)->members()) {
        require((*zip)->find(member.path) != nullptr, "a member that is not found");
        static_cast<void>((*zip)->isPackedBeyond(member, 100));
        const auto start = (*zip)->start(member, 64);
        valueOf(start);
        if (member.bytes > std::int64_t{1} << 24)
            continue; // its memory is bounded, but takes its time
        const auto whole = (*zip)->bytes(member);
        if (const SharedBytes* content = valueOf(whole))
            require(static_cast<std::int64_t>(content->bytes.size()) == member.bytes, "a member of another size");
    }
}

Texts zipSeeds()
{
    Texts seeds{zipOf({{"a/data.pkl", "x"}, {"a/version", "3\n"}}), zipOf({{"x.npy", npyRange({2})}, {"y.npy", ""}})};
    const FuzzedFile place;
    writeZip(place.folder() / "packed", {{"a", std::string(300, 'a')}, {"b", "bbbbbbbbbbbbbbbb"}}, Packing::Deflated);
    seeds.push_back(bytesOf(place.folder() / "packed"));
    for (const char* name : {"checkpoints/alias_sd.pth", "calibration/nncf/linear.npz", "hostile/truncated.npz"})
        seeds.push_back(bytesOf(dataFile(name)));
    return seeds;
}

/// A pickle alone, and as that of a file of torch.save.
void runPickle(std::string_view bytes)
{
    const auto parsed = Pickle::parse(sharedBytes(bytes), "input");
    if (valueOf(parsed) == nullptr)
        return;
    static FuzzedFile file;
    tryCheckpoint(file.write(zipOf({{"a/data.pkl", std::string(bytes)}, {"a/byteorder", "little"},
        {"a/data/0", std::string(64, '\1')}, {"a/data/1", std::string(256, '\2')}, {"a/version", "3\n"}})));
}

Texts pickleSeeds()
{
    Texts seeds;
    for (const char* name : {"alias_sd.pth", "state_dict.pth", "state_dict_protocol5.pth", "tensor_kinds.pth",
             "training.pth", "whole_module.pth", "scripted.pt"}) {
        const auto zip = StoredZip::open(dataFile("checkpoints") / name);
        const ZipMember* member = zip ? (*zip)->find("data.pkl") : nullptr;
        if (member == nullptr)
            continue;
        if (const auto content = (*zip)->bytes(*member))
            seeds.emplace_back(reinterpret_cast<const char*>(content->bytes.data()), content->bytes.size());
    }
    return seeds;
}

void runMembers(std::string_view text)
{
    static FuzzedFile file;
    tryCheckpoint(file.write(zipOf(membersIn(text))));
}

Texts membersOfFiles(std::initializer_list<const char*> names)
{
    Texts seeds;
    for (const char* name : names)
        seeds.push_back(membersOf(dataFile(name)));
    return seeds;
}

Texts torchSaveSeeds()
{
    return membersOfFiles({"checkpoints/alias_sd.pth", "checkpoints/state_dict.pth", "checkpoints/tensor_kinds.pth",
        "checkpoints/whole_module.pth", "checkpoints/training.pth"});
}

Texts torchScriptSeeds()
{
    return membersOfFiles({"checkpoints/sib_traced.pt", "checkpoints/scripted.pt", "checkpoints/traced.pt"});
}

void runProgram(std::string_view text)
{
    static FuzzedFile file("input.pt2");
    const auto& path = file.write(zipOf(membersIn(text)));
    const auto read = test::readProgram(path);
    if (const auto* model = valueOf(read)) {
        require(findScopes(**model).nodes.size() == (*model)->nodes.size(), "nodes without a scope");
        for (const Tensor& tensor : (*model)->tensors)
            checkTensor(tensor);
    }
    tryCheckpoint(path);
}

Texts programSeeds()
{
    return membersOfFiles({"pt2/archive/a2_handed.pt2", "pt2/flat/a2_handed.pt2", "pt2/archive/b_shared_twice.pt2",
        "pt2/archive/strict_alias.pt2", "pt2/flat/b2_shared_alias.pt2", "pt2/archive/branch.pt2"});
}

void tryArrays(const fs::path& path)
{
    const auto opened = ArrayFile::open(path);
    const auto* file = valueOf(opened);
    if (file == nullptr)
        return;
    for (const StoredArray& array : (*file)->arrays()) {
        const NpyHeader* header = valueOf(array.header);
        const auto read = (*file)->read(array);
        const SharedBytes* content = valueOf(read);
        if (header != nullptr && content != nullptr)
            require(static_cast<std::int64_t>(content->bytes.size()) == header->dataBytes, "an array of another size");
    }
}

void runNpy(std::string_view bytes)
{
    static FuzzedFile file("input.npy");
    tryArrays(file.write(bytes));
}

Texts npySeeds()
{
    Texts seeds = seedFiles("hostile", ".npy");
    seeds.push_back(npyRange({2, 3}));
    seeds.push_back(npy<std::int64_t>({2}, {1, 2}));
    seeds.push_back(npyWithHeader("{'descr': '|b1', 'fortran_order': True, 'shape': (3,), }", "abc"));
    return seeds;
}

void runNpz(std::string_view text)
{
    static FuzzedFile file("input.npz");
    tryArrays(file.write(zipOf(membersIn(text))));
}

Texts npzSeeds()
{
    Texts seeds = membersOfFiles({"calibration/nncf/linear.npz", "calibration/nncf/embedding.npz"});
    seeds.push_back(textOf({{"a.npy", npyRange({2, 3})}, {"b.npy", npy<std::int64_t>({}, {7})}}));
    return seeds;
}

/// The check sums of a PNG file's pieces made right, so that a change reaches what reads them.
std::string withRightSums(std::string_view bytes)
{
    std::string png(bytes);
    for (std::size_t at = 8; png.starts_with("\x89PNG") && at + 12 <= png.size();) {
        const auto byte = [&](std::size_t i) { return std::size_t{static_cast<unsigned char>(png[at + i])}; };
        const std::size_t length = byte(0) << 24U | byte(1) << 16U | byte(2) << 8U | byte(3);
        if (length > png.size() - at - 12)
            break;
        const std::uint32_t sum = checksumOf(std::string_view(png).substr(at + 4, length + 4));
        for (std::size_t i = 0; i < 4; ++i)
            png[at + 8 + length + i] = static_cast<char>(sum >> (24 - 8 * i) & 0xFFU);
        at += length + 12;
    }
    return png;
}

void runImage(std::string_view bytes)
{
    // What says it has a hundred million pixels is right to take its time.
    const bool isLarge = bytes.size() > 24 && bytes.starts_with("\x89PNG")
        && (bytes.substr(16, 2) != std::string_view("\0\0", 2) || bytes.substr(20, 2) != std::string_view("\0\0", 2));
    static FuzzedFile file;
    const auto read = readImage(file.write(isLarge ? std::string(bytes) : withRightSums(bytes)));
    if (const Image* image = valueOf(read)) {
        const auto pixels = static_cast<std::size_t>(image->height) * static_cast<std::size_t>(image->width);
        require(image->rgb.size() == 3 * pixels, "an image of another size");
        if (pixels < 1'000'000)
            require(resizeBilinear(*image, 3, 5).size() == 45, "a picture of another size");
    }
}

std::string pngOf(std::string_view header, std::string_view data)
{
    std::string png = "\x89PNG\r\n\x1a\n";
    for (const auto& [kind, content] :
        {std::pair<std::string_view, std::string_view>("IHDR", header), {"IDAT", data}, {"IEND", ""}}) {
        png += std::string(3, '\0') + static_cast<char>(content.size());
        png.append(kind).append(content).append(4, '\0');
    }
    return withRightSums(png);
}

Texts imageSeeds()
{
    using namespace std::string_view_literals;
    // Two by one pixels of RGB in one stored block, and of gray.
    const auto rgb = "\x78\x01\x01\x07\x00\xf8\xff\x00\x01\x02\x03\x04\x05\x06\x00\x4d\x00\x16"sv;
    const auto gray = "\x78\x01\x01\x03\x00\xfc\xff\x00\x01\x02\x00\x08\x00\x04"sv;
    // Eight by eight gray pixels of JPEG, all of one kind.
    std::string jpeg("\xff\xd8\xff\xdb\x00\x43\x00"sv);
    jpeg.append(64, '\x10').append("\xff\xc0\x00\x0b\x08\x00\x08\x00\x08\x01\x01\x11\x00"sv);
    jpeg.append("\xff\xc4\x00\x14\x00\x01"sv).append(15, '\0').append("\x00"sv);
    jpeg.append("\xff\xc4\x00\x14\x10\x01"sv).append(15, '\0').append("\x00"sv);
    jpeg.append("\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00\x3f\xff\xd9"sv);
    return {pngOf("\x00\x00\x00\x02\x00\x00\x00\x01\x08\x02\x00\x00\x00"sv, rgb),
        pngOf("\x00\x00\x00\x02\x00\x00\x00\x01\x08\x00\x00\x00\x00"sv, gray), jpeg};
}

const std::vector<std::string> kTensorWords{"\n#member:archive/", "\n#member:archive/data.pkl\n",
    "\n#member:archive/data/0\n", "\n#member:archive/byteorder\nbig", "\n#member:archive/version\n",
    "ctorch._utils\n_rebuild_tensor_v2\n", "ctorch\nFloatStorage\n", "ctorch\nBFloat16Storage\n", "storage", "cpu",
    "ccollections\nOrderedDict\n", "ctorch._utils\n_rebuild_parameter\n", "ctorch._utils\n_rebuild_qtensor\n",
    "\x80\x02", "\x80\x05", "\x8c\x01", "\x8e", "\x8f", "\x93", "\x94", "\x95", "\x96", "\x81", "\x85", "\x87", "\x88",
    "\x8a\x08", "\x8b", "tR", "Q", "(", "}", "u", "s", "b", "h\x01", "q\x01", "r", "j", "."};
const std::vector<std::string> kProgramWords{"\n#member:archive/models/model.json\n", "\"graph_module\"", "\"graph\"",
    "\"nodes\"", "\"inputs\"", "\"outputs\"", "\"as_tensor\"", "\"as_tensors\"", "\"as_int\"", "\"as_sym_int\"",
    "\"as_graph\"", "\"metadata\"", "\"nn_module_stack\"", "\"signature\"", "\"input_specs\"", "\"parameter\"",
    "\"tensor_values\"", "\"sizes\"", "\"strides\"", "\"dtype\"", "\"storage_offset\"", "\"target\"",
    "\"schema_version\"", "NaN", "-Infinity", "null", "-1", "9223372036854775807", "18446744073709551616", "[[[[",
    "\"path_name\""};

} // namespace

std::vector<FuzzTarget> archiveTargets()
{
    const std::vector<std::string> json{"\"__metadata__\"", "\"dtype\"", "\"shape\"", "\"data_offsets\"", "\"F32\"",
        "\"BF16\"", "\"F8_E4M3\"", "\"F4\"", "\"I64\"", "\"BOOL\"", "[0,0]", "-1", "9223372036854775807", "1e3",
        "\"weight_map\"", "\"metadata\"", "part-1-of-2.safetensors", "../", "/dev/null", "\\u0000", "[[[["};
    const std::vector<std::string> numpy{"\x93NUMPY\x01\x00", "\x93NUMPY\x03\x00", "'descr': ", "'fortran_order': True",
        "'shape': (", "'<f4'", "'>i8'", "'|O'", "'<U3'", "[('a', '<f4')]", "()", "9223372036854775807", "-1",
        "\n#member:", ".npy\n"};
    const std::vector<std::string> zip{"PK\x03\x04", "PK\x01\x02", "PK\x05\x06", "PK\x06\x06", "PK\x06\x07",
        "\xff\xff\xff\xff", "\x01\x00\x10\x00", "data.pkl", "../", "/"};
    return {
        {"pickle", pickleSeeds, kTensorWords, runPickle},
        {"zip", zipSeeds, zip, runZip},
        {"safetensors", safetensorsSeeds, json, runCheckpoint},
        {"index", indexSeeds, json, runIndex},
        {"npy", npySeeds, numpy, runNpy},
        {"npz", npzSeeds, numpy, runNpz},
        {"image", imageSeeds,
            {"IHDR", "IDAT", "PLTE", "tRNS", "gAMA", "iCCP", "IEND", "\xff\xc0", "\xff\xc2", "\xff\xda"}, runImage},
        {"torch-save", torchSaveSeeds, kTensorWords, runMembers, 16384},
        {"torchscript", torchScriptSeeds, kTensorWords, runMembers, 32768},
        {"pt2", programSeeds, kProgramWords, runProgram, 32768},
    };
}

} // namespace duo::test
