// SPDX-License-Identifier: Apache-2.0
// CheckpointMemory: the models whose checkpoint the user left out, so that it is not picked up again; in the settings.
#pragma once

#include <QSettings>

#include <filesystem>

namespace duo::app {

class CheckpointMemory
{
public:
    static constexpr int kMost = 50; // models
    explicit CheckpointMemory(QSettings& settings); // must outlive this
    [[nodiscard]] bool isLeftOut(const std::filesystem::path& model) const;
    void setLeftOut(const std::filesystem::path& model, bool isLeftOut);

private:
    QSettings* m_settings;
};

} // namespace duo::app
