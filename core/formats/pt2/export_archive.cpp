// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pt2/export_archive.h"

#include <algorithm>

namespace duo {
namespace {

constexpr std::string_view kModels = "models/";
constexpr std::string_view kJson = ".json";
constexpr std::string_view kCompiled = "data/aotinductor/";
constexpr std::string_view kFlatProgram = "serialized_exported_program.json";
constexpr std::string_view kArchiveVersion = "archive_version";
constexpr std::int64_t kSurelyRead = std::int64_t{64} << 20; // bytes, however they are packed
constexpr std::uint64_t kMostPacked = 200; // times; programs full of stack traces shrink 40 times

/// "model" of "models/model.json"; "" for others.
std::string_view modelName(const ZipMember& member)
{
    std::string_view path = member.path;
    if (!path.starts_with(kModels) || !path.ends_with(kJson) || path.size() <= kModels.size() + kJson.size())
        return {};
    path.remove_prefix(kModels.size());
    path.remove_suffix(kJson.size());
    return path.find('/') == std::string_view::npos ? path : std::string_view{};
}

std::vector<std::string> modelNames(const StoredZip& zip)
{
    std::vector<std::string> names;
    for (const ZipMember& member : zip.members()) {
        if (!modelName(member).empty())
            names.emplace_back(modelName(member));
    }
    std::sort(names.begin(), names.end());
    return names;
}

bool hasCompiledCode(const StoredZip& zip)
{
    return std::any_of(zip.members().begin(), zip.members().end(),
        [](const ZipMember& member) { return member.path.starts_with(kCompiled); });
}

/// The configuration got its name changed once; PyTorch 2.8 for a short time nested a torch.save archive instead.
ExportPayloads payloadsOf(
    const StoredZip& zip, const std::string& folder, const std::string& model, const std::string& kind)
{
    ExportPayloads payloads;
    payloads.folder = folder;
    for (const std::string& name : {model + "_" + kind + "_config.json", model + "_model_param_config.json"}) {
        if (payloads.config == nullptr)
            payloads.config = zip.find(folder + name);
    }
    payloads.saved = zip.find(folder + model + ".pt");
    return payloads;
}

Status checkArchiveVersion(const StoredZip& zip)
{
    const ZipMember* member = zip.find(kArchiveVersion);
    if (member == nullptr)
        return success();
    DUO_TRY(start, zip.start(*member, 16));
    std::string version;
    for (const std::byte byte : start)
        version += static_cast<char>(byte);
    if (version == "0")
        return success();
    return Error{ErrorCode::Unsupported, "the archive has version '" + version + "'", zip.where(),
        "version 0 is read, save the program again with torch.export.save"};
}

/// PyTorch does not pack at all. A few megabytes that unpack to gigabytes of one token would fill the memory.
Status checkPacking(const ExportArchive& archive)
{
    for (const ZipMember* member : {archive.program, archive.weights.config, archive.constants.config}) {
        if (member != nullptr && member->bytes > kSurelyRead && archive.zip->isPackedBeyond(*member, kMostPacked))
            return Error{ErrorCode::Unsupported, "part of an archive is packed too well",
                archive.zip->where() + ": '" + member->path + "'", "save the program again with torch.export.save"};
    }
    return success();
}

} // namespace

bool isExportArchive(const StoredZip& zip)
{
    return zip.find(kFlatProgram) != nullptr || !modelNames(zip).empty()
        || (zip.find(kArchiveVersion) != nullptr && zip.find("archive_format") != nullptr);
}

Result<ExportArchive> openExportArchive(std::shared_ptr<const StoredZip> zip)
{
    ExportArchive archive;
    archive.zip = std::move(zip);
    const StoredZip& members = *archive.zip;
    archive.program = members.find(kFlatProgram);
    if (archive.program != nullptr) {
        archive.weights.saved = members.find("serialized_state_dict.pt");
        archive.constants.saved = members.find("serialized_constants.pt");
        DUO_CHECK(checkPacking(archive));
        return archive;
    }
    DUO_CHECK(checkArchiveVersion(members));
    const std::vector<std::string> names = modelNames(members);
    if (names.empty() && hasCompiledCode(members))
        return Error{ErrorCode::Unsupported, "the archive holds compiled code only", members.where(),
            "save the program itself with torch.export.save(program, path)"};
    if (names.empty())
        return Error{ErrorCode::MalformedModel, "the archive holds no program", members.where(),
            "save one with torch.export.save(program, path)"};
    const bool hasDefault = std::find(names.begin(), names.end(), "model") != names.end();
    const std::string model = hasDefault ? std::string("model") : names.front();
    if (names.size() > 1)
        archive.notes.push_back({"several-programs",
            "the archive holds " + std::to_string(names.size()) + " programs, '" + model + "' was opened", {}});
    archive.program = members.find(std::string(kModels) + model + std::string(kJson));
    archive.weights = payloadsOf(members, "data/weights/", model, "weights");
    archive.constants = payloadsOf(members, "data/constants/", model, "constants");
    DUO_CHECK(checkPacking(archive));
    return archive;
}

} // namespace duo
