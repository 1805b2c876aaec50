// SPDX-License-Identifier: Apache-2.0
// Dataset: the samples of --data, read one at a time (resources/docs/calibration.md, "Data").
#pragma once

#include "core/engine/session.h"
#include "core/model/model.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace duo {

struct DatasetOptions {
    std::vector<std::string> arrays; // wanted besides the inputs (labels): no note says that they are unused
    std::map<std::string, std::int64_t> dims; // --dim NAME=K for symbolic dimensions of random data
    std::vector<std::pair<std::string, std::string>> feedBack; // --feed: output, input of the next sample
    std::vector<float> mean; // image folders: per channel or one for all, in 0..1 units: (pixel / 255 - mean) / std
    std::vector<float> std;
    std::optional<std::pair<int, int>> size; // height, width; unset: what the input fixes, else each image's own
    std::string layout = "auto"; // what the input tells; or "nchw", "nhwc"
    std::string channels = "rgb"; // or "bgr", "gray"
    bool operator==(const DatasetOptions&) const = default;
};

/// What to calibrate with: --data and what goes with it.
struct DataSource {
    std::string spec; // as openDataset takes it; empty: not chosen
    DatasetOptions options = {};
    bool operator==(const DataSource&) const = default;
};

/// Random access, thread-safe, bounded memory: a sample is built when asked for.
class Dataset
{
public:
    virtual ~Dataset() = default;
    [[nodiscard]] virtual std::int64_t size() const = 0;
    /// Feeds for all inputs of the model. @return BadData naming file, array and sample
    [[nodiscard]] virtual Result<std::vector<HostTensor>> sample(std::int64_t index) const = 0;
    /// An array that is no model input, as a whole (labels). @return BadData if absent
    [[nodiscard]] virtual Result<HostTensor> array(const std::string& name) const = 0;
    /// Remarks for the user: dropped remainders, unused arrays, "random data".
    [[nodiscard]] virtual const std::vector<Note>& notes() const = 0;
    /// What to do where the model does not take samples of their size; "" where nothing can be chosen.
    [[nodiscard]] virtual std::string sizeAdvice() const { return {}; }
};

/// What the engine says of a sample, with its number, what was fed, and what could be passed instead; any other error,
/// and one that names its place, as it is.
Error refusedSample(const Error& error, std::int64_t sample, std::span<const HostTensor> feeds, const Dataset& dataset);

/// `spec`: a .npz or .npy file, a folder of them, an image folder, an ONNX test-data folder, or random:N[:SEED].
/// Checked against the model's inputs: names, types, fixed dimensions. Inputs that the data do not hold are made where
/// it is plain what they are: states (zero), masks (ones), positions, lengths, sample rates.
/// @return EngineFailed where sizes have to be found and the engine refuses all; BadData or FileNotReadable: what is
/// wrong, where, what to do
Result<std::shared_ptr<const Dataset>> openDataset(
    const std::string& spec, const Model& model, const DatasetOptions& options = {}, const JobContext& job = {});

} // namespace duo
