// SPDX-License-Identifier: Apache-2.0
#include "app/session/recipe_memory.h"

#include "core/state/digest.h"
#include "core/support/file.h"
#include "core/support/json.h"

#include <algorithm>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace duo::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "duoscope-kept-recipe-1";
constexpr const char* kExtension = ".kept.json";
constexpr std::size_t kLongest = std::size_t{64} << 20; // bytes: two recipes

fs::path keptFile(const fs::path& folder, const fs::path& model)
{
    std::error_code unknown;
    const std::uintmax_t size = fs::file_size(model, unknown);
    Digest digest;
    digest.add(model.string());
    digest.add(unknown ? -1 : static_cast<std::int64_t>(size));
    const std::string text = digest.text();
    return folder / (text.substr(text.find(':') + 1) + kExtension);
}

/// "" where there is no text.
std::string textAt(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Result<KeptRecipe> readKept(const fs::path& path)
{
    DUO_TRY(text, readTextFile(path, kLongest));
    DUO_TRY(json, parseJson(text, path.string(), ErrorCode::BadData));
    if (textAt(json, "format") != kFormat)
        return Error{ErrorCode::BadData, "not a kept recipe", path.string(), {}};
    DUO_TRY(recipe, parseRecipe(textAt(json, "recipe"), path.string()));
    DUO_TRY(saved, parseRecipe(textAt(json, "saved"), path.string()));
    return KeptRecipe{std::move(recipe), std::move(saved), textAt(json, "file")};
}

/// The oldest beyond the limit, and what processes left that were killed while they wrote.
void dropOld(const fs::path& folder)
{
    constexpr std::chrono::hours kOld{1}; // nobody writes a file for so long
    std::vector<std::pair<fs::file_time_type, fs::path>> files;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code ignored;
        const fs::path& path = entry->path();
        if (path.string().ends_with(kExtension))
            files.emplace_back(entry->last_write_time(ignored), path);
        else if (path.extension().string().starts_with(".part")
            && entry->last_write_time(ignored) + kOld < fs::file_time_type::clock::now())
            fs::remove(path, ignored);
    }
    if (files.size() <= RecipeMemory::kMost)
        return;
    const auto kept = files.end() - static_cast<std::ptrdiff_t>(RecipeMemory::kMost);
    std::nth_element(files.begin(), kept, files.end());
    std::for_each(files.begin(), kept, [](const auto& file) {
        std::error_code ignored;
        fs::remove(file.second, ignored);
    });
}

Status writeKept(const KeptRecipe& kept, const fs::path& model, const fs::path& path)
{
    std::error_code ignored;
    if (kept.recipe == Recipe()) {
        fs::remove(path, ignored);
        return success();
    }
    fs::create_directories(path.parent_path(), ignored); // what fails here fails below, too
    const Json json{{"format", kFormat}, {"model", model.string()}, {"file", kept.file.string()},
        {"recipe", recipeText(kept.recipe)}, {"saved", recipeText(kept.saved)}}; // as texts: each may be 64 levels deep
    DUO_CHECK(writeFileAtomically(path, [&](std::ostream& out) -> Status {
        out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n'; // a path may be no text
        return success();
    }));
    dropOld(path.parent_path());
    return success();
}

} // namespace

RecipeMemory::RecipeMemory(fs::path folder, Failed failed)
    : m_folder(std::move(folder))
    , m_failed(std::move(failed))
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kDelay);
    QObject::connect(&m_timer, &QTimer::timeout, &m_receiver, [this] { write(); });
    m_writer.setMaxThreadCount(1);
}

RecipeMemory::~RecipeMemory()
{
    finish();
}

std::optional<KeptRecipe> RecipeMemory::begin(const fs::path& model)
{
    finish();
    std::error_code unknown;
    m_model = fs::weakly_canonical(model, unknown);
    if (unknown)
        m_model = fs::absolute(model, unknown);
    m_file = keptFile(m_folder, m_model);
    auto kept = readKept(m_file);
    if (!kept)
        return std::nullopt;
    return *std::move(kept);
}

void RecipeMemory::keep(KeptRecipe kept)
{
    if (m_file.empty())
        return;
    m_pending = std::move(kept);
    if (!m_timer.isActive()) // not begun anew: who edits without a pause loses no more
        m_timer.start();
}

void RecipeMemory::write()
{
    m_timer.stop();
    if (!m_pending)
        return;
    const auto work = [kept = *std::exchange(m_pending, std::nullopt), model = m_model, path = m_file](
                          const JobContext&) { return writeKept(kept, model, path); };
    auto job = startJob<std::monostate>(m_writer, work, {});
    job.future.then(&m_receiver, [this](const std::shared_ptr<Status>& result) {
        const bool isFirst = !std::exchange(m_hasFailed, !*result);
        if (!*result && isFirst && m_failed)
            m_failed(result->error());
    });
}

void RecipeMemory::finish()
{
    write();
    m_writer.waitForDone();
}

} // namespace duo::app
