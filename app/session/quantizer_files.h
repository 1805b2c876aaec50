// SPDX-License-Identifier: Apache-2.0
// QuantizerFiles: what a model says that others quantized, written to files in the background.
#pragma once

#include "app/session/job.h"
#include "core/interchange/encodings.h"
#include "core/pipeline/snapshot/snapshot.h"

#include <QObject>
#include <QThreadPool>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace duo::app {

/// A model that became a file in float.
struct FloatFile {
    std::filesystem::path path;
    std::size_t quantizers = 0; // taken out
    std::size_t weights = 0; // constants that are floats again
    std::size_t operators = 0; // on codes
    std::vector<std::string> kept; // what stays, a sentence each
};

class QuantizerFiles : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;
    ~QuantizerFiles() override; // stops what runs and waits for it

    /// The model of the snapshot as its file has it, in float; inFloat() or failed() follows.
    void writeFloat(const std::shared_ptr<const Snapshot>& snapshot, const std::filesystem::path& target);
    /// Its quantizers in the form of another tool; encoded() or failed() follows.
    void writeEncodings(
        const std::shared_ptr<const Snapshot>& snapshot, EncodingForm form, const std::filesystem::path& target);

Q_SIGNALS:
    void inFloat(const duo::app::FloatFile& file);
    void encoded(const std::filesystem::path& target, const duo::EncodingsText& made);
    void failed(const duo::Error& error);

private:
    QThreadPool m_pool;
    std::stop_source m_stop;
};

} // namespace duo::app
