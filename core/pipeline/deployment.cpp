// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/deployment.h"

#include "core/engine/session.h"
#include "core/interchange/encodings.h"
#include "core/onnx/external_files.h"
#include "core/pipeline/snapshot/read_model_file.h"
#include "core/report/deployment_page.h"
#include "core/report/deployment_snippets.h"
#include "core/report/model_explorer.h"
#include "core/support/disk.h"
#include "core/support/json.h"
#include "core/support/leftovers.h"
#include "core/support/phrases.h"
#include "core/support/staged_files.h"
#include "core/support/text_file.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace duo {
namespace {

namespace fs = std::filesystem;

/// Forms of encodings that go along, and the files they are in.
constexpr std::array<std::pair<EncodingForm, const char*>, 3> kEncodings{{
    {EncodingForm::Aimet100, "encodings.aimet.json"},
    {EncodingForm::OrtOverrides, "overrides.ort.json"},
    {EncodingForm::Netron, "overlay.netron.json"},
}};

Result<std::string> textOf(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file)
        return Error{ErrorCode::FileNotReadable, "the picture cannot be read", path.string(), "try again"};
    return text;
}

constexpr const char* kChecksFile = "checks.json";
constexpr const char* kSampleFolder = "sample";

fs::path deployedRecipe(const Model& model, const fs::path& folder)
{
    return folder / (model.path.stem().string() + ".recipe.json");
}

/// Of a folder in which another model was deployed: pages, checks and samples would be of one, and its model stay.
Status refuseAnother(const Model& model, const fs::path& folder)
{
    std::error_code error;
    if (!fs::exists(folder / kChecksFile, error))
        return success();
    for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator(); at.increment(error)) {
        const fs::path name = at->path().filename();
        if (name.extension() == ".onnx" && name != deployedModel(model, {}))
            return Error{ErrorCode::NotWritable, "the folder holds the deployment of " + inQuotes(name.string()),
                folder.string(), "name another folder, or empty this one"};
    }
    return success();
}

/// A link that leads nowhere is there.
bool isMissing(const fs::path& path)
{
    std::error_code error;
    return fs::symlink_status(path, error).type() == fs::file_type::not_found;
}

Status makeFolder(const fs::path& folder)
{
    const std::error_code error = makeFolders(folder);
    if (!error)
        return success();
    return Error{ErrorCode::NotWritable, "the folder cannot be made: " + error.message(), folder.string(),
        "choose another place"};
}

/// Those that are not there, the deepest first.
std::vector<fs::path> foldersToMake(const fs::path& folder)
{
    std::vector<fs::path> missing;
    for (fs::path at = folder; !at.empty() && isMissing(at) && at != at.parent_path(); at = at.parent_path())
        missing.push_back(at);
    return missing;
}

std::vector<fs::path> finalPlacesOf(std::vector<fs::path> files)
{
    std::ranges::transform(files, files.begin(), finalPlaceOf);
    return files;
}

class Folder
{
public:
    Folder(const Deployment& deployment, fs::path folder)
        : m_deployment(deployment)
        , m_folder(std::move(folder))
        , m_placed(placedBy(deployment.compression, deployment.snapshot))
        , m_files(deployment.report.files)
    {
        if (!m_deployment.picture.empty())
            m_files.push_back(m_deployment.picture);
    }

    Result<std::vector<fs::path>> write(const JobContext& job)
    {
        const std::string recipe = recipeText(m_deployment.snapshot.recipe);
        DUO_CHECK(add(deployedRecipe(*m_deployment.snapshot.model, {}).string(), recipe));
        DUO_CHECK(add(kChecksFile, checks()));
        DUO_CHECK(add("overlay.model_explorer.json", modelExplorerText(*m_placed.model, *m_placed.placement)));
        DUO_CHECK(add("graph.model_explorer.json",
            modelExplorerGraph(*m_placed.model, *m_placed.scopes, *m_placed.placement,
                m_deployment.report.files.front().filename().string())));
        DUO_CHECK(addEncodings(job));
        if (job.stopped())
            return cancelledError();
        DUO_CHECK(addPrograms());
        DUO_CHECK(addPage(recipe));
        return std::move(m_files);
    }

private:
    /// With the export's files where they will be.
    [[nodiscard]] std::string checks() const
    {
        ExportReport report = m_deployment.report;
        report.files = finalPlacesOf(report.files);
        return jsonText(exportJson(report), 2) + "\n";
    }

    Status add(const std::string& name, std::string_view text)
    {
        const fs::path path = m_folder / name;
        DUO_CHECK(writeTextFile(path, text));
        m_files.push_back(path);
        return success();
    }

    /// As the written model has them; a model without quantizers has none.
    Status addEncodings(const JobContext& job)
    {
        const ReadOptions reading{.customOps = customOpLibraries(*m_deployment.snapshot.model)};
        DUO_TRY(model, readModelFile(m_deployment.report.files.front(), reading, job));
        const FoundQuantizers found = findQuantizers(*model);
        if (found.quantizers.empty())
            return success();
        for (const auto& [form, name] : kEncodings)
            DUO_CHECK(add(name, encodingsText(*model, found, form).text));
        return success();
    }

    Status addPrograms()
    {
        if (m_deployment.dataset == nullptr || m_deployment.dataset->size() == 0)
            return success();
        DUO_TRY(sample, m_deployment.dataset->sample(0));
        if (!std::ranges::all_of(sample, [](const HostTensor& tensor) { return canBeFed(tensor.type); }))
            return success();
        makeFolders(m_folder / kSampleFolder);
        std::vector<SampleFile> inputs;
        for (const HostTensor& tensor : sample) {
            const std::string file = std::string(kSampleFolder) + "/" + std::to_string(inputs.size()) + ".bin";
            DUO_CHECK(add(file, {reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size()}));
            inputs.push_back({tensor.name, tensor.type, tensor.dims, file});
        }
        const std::string model = m_deployment.report.files.front().filename().string();
        const bool hasLibrary = !customOpLibraries(*m_deployment.snapshot.model).empty();
        DUO_CHECK(add("run.py", pythonSnippet(model, inputs, hasLibrary)));
        return add("run.cpp", cppSnippet(model, inputs, hasLibrary));
    }

    Status addPage(std::string_view recipe)
    {
        std::string picture;
        if (!m_deployment.picture.empty()) {
            DUO_TRY(text, textOf(m_deployment.picture));
            picture = std::move(text);
        }
        const std::string engine = engineVersion();
        std::vector<std::string> names;
        for (const fs::path& file : m_files)
            names.push_back(file.lexically_relative(m_folder).string());
        const std::string name = m_deployment.report.files.front().filename().string();
        return add("report.html",
            deploymentPage({*m_placed.model, *m_placed.scopes, *m_placed.placement, m_deployment.report, name, recipe,
                engine, picture, std::move(names)}));
    }

    const Deployment& m_deployment;
    fs::path m_folder;
    const Snapshot& m_placed;
    std::vector<fs::path> m_files;
};

} // namespace

fs::path deployedModel(const Model& model, const fs::path& folder)
{
    return folder / (model.path.stem().string() + ".onnx");
}

Status checkDeployment(const Model& model, const FilesRead& read, const fs::path& folder)
{
    DUO_CHECK(refuseAnother(model, folder));
    DUO_CHECK(refuseLink(folder / kSampleFolder));
    const std::vector<fs::path> made = foldersToMake(folder);
    Status status = makeFolder(folder);
    for (const fs::path& file : {deployedModel(model, folder), deployedRecipe(model, folder)}) {
        if (status)
            status = checkExportTarget(model, read, file);
    }
    for (const fs::path& empty : made)
        removeFile(empty);
    return status;
}

Result<StagedDeployment> StagedDeployment::in(const fs::path& folder, const Model& model)
{
    std::vector<fs::path> made = foldersToMake(folder);
    DUO_CHECK(makeFolder(folder));
    const fs::path target = deployedModel(model, folder);
    DUO_TRY(files, StagedFiles::beside(target));
    return StagedDeployment(std::move(files), target, std::move(made));
}

StagedDeployment::StagedDeployment(StagedFiles files, fs::path target, std::vector<fs::path> made)
    : m_files(std::move(files))
    , m_target(std::move(target))
    , m_made(std::move(made))
{
}

StagedDeployment::~StagedDeployment()
{
    m_files.reset();
    for (const fs::path& folder : m_made)
        removeFile(folder); // those stay in which something lies
}

Result<std::vector<fs::path>> StagedDeployment::putInPlace(const std::vector<fs::path>& files)
{
    FileSet set{.main = m_target.filename().string(), .readByMain = {}, .beside = {}};
    for (const fs::path& file : files) {
        const std::string name = file.lexically_relative(folder()).string();
        if (file == dataPathFor(model()))
            set.readByMain.push_back(name);
        else if (name != set.main)
            set.beside.push_back(name);
    }
    DUO_CHECK(m_files->putInPlace(set));
    return finalPlacesOf(files);
}

Result<std::vector<fs::path>> writeDeployment(
    const Deployment& deployment, StagedDeployment& staged, const JobContext& job)
{
    DUO_TRY(files, Folder(deployment, staged.folder()).write(job));
    return staged.putInPlace(files);
}

} // namespace duo
