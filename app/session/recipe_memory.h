// SPDX-License-Identifier: Apache-2.0
// RecipeMemory: the recipe of each model as it was edited last, a file per model in a folder of the user, so that
// nothing is lost by closing or a crash (resources/docs/recipe.md, "Kept while one edits").
#pragma once

#include "app/session/job.h"
#include "core/quantize/recipe/recipe.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>

namespace duo::app {

/// A recipe as it is edited, and what it is compared with to tell whether it was saved.
struct KeptRecipe {
    Recipe recipe;
    Recipe saved; // as it stands in `file`; without one that of a model just opened
    std::filesystem::path file; // it was read from or saved as last; "": none
    [[nodiscard]] bool isEdited() const { return recipe != saved; }
    bool operator==(const KeptRecipe&) const = default;
};

class RecipeMemory
{
public:
    static constexpr std::size_t kMost = 200; // models
    static constexpr std::chrono::milliseconds kDelay{500}; // from an edit until it is written
    using Failed = std::function<void(const Error&)>;

    /// @param folder is made when it is needed; @param failed hears of the first of the writes in a row that fail
    RecipeMemory(std::filesystem::path folder, Failed failed);
    ~RecipeMemory(); // writes what is not written yet
    RecipeMemory(const RecipeMemory&) = delete;
    RecipeMemory& operator=(const RecipeMemory&) = delete;

    /// What follows is of this file as it is now: another one of the same name, with another size, is another model.
    /// @return what was kept of it; nothing if there is none, or it cannot be read
    std::optional<KeptRecipe> begin(const std::filesystem::path& model);
    /// Is written soon, in the background; a recipe that says nothing is forgotten instead.
    void keep(KeptRecipe kept);
    /// Returns once everything is written.
    void finish();

private:
    void write();

    std::filesystem::path m_folder;
    Failed m_failed;
    std::filesystem::path m_model; // absolute
    std::filesystem::path m_file; // of m_model; "": none was begun
    std::optional<KeptRecipe> m_pending;
    bool m_hasFailed = false;
    QObject m_receiver;
    QTimer m_timer;
    QThreadPool m_writer; // of one thread: one write after the other
};

} // namespace duo::app
