// SPDX-License-Identifier: Apache-2.0
// Datasets of NumPy arrays: one set of arrays, or many files that each hold a stack of samples.
#pragma once

#include "core/calibrate/samples/dataset.h"
#include "core/calibrate/samples/model_input.h"
#include "core/engine/session.h"
#include "core/formats/array_file.h"
#include "core/formats/npy.h"

#include <memory>
#include <string>
#include <vector>

namespace duo {

/// How a stored array falls into feeds of an input (resources/docs/calibration.md, "How arrays are cut").
/// An array of the input's rank is cut along its first axis into pieces of the input's fixed first dimension (symbolic
/// or of unknown rank: 1; none where that axis is no batch); an array of rank + 1 holds one feed per entry. Elements
/// stay as they are, but int32 is widened to int64.
struct ArrayCut {
    std::int64_t pieces = 0;
    std::int64_t dropped = 0; // entries of the first axis that fill no whole piece
    bool repeated = false; // an array without axes for an input without axes: every sample gets it
    bool isWhole = false; // one piece, although its first axis may have any size: that is no batch
    bool isSplit = false; // into single entries of an axis that may have any size, as batches are
    std::string axis; // the name of that axis, where it tells of no batch: "sequence_length"
    ElementType stored = ElementType::Undefined;
    std::int64_t pieceElements = 0;
    HostTensor empty; // name, type and dims of every piece

    /// Makes an array of these dims one piece.
    void join(const std::vector<std::int64_t>& dims);
    /// Piece `index` of the array's bytes.
    [[nodiscard]] HostTensor piece(std::span<const std::byte> array, std::int64_t index) const;
};

/// Arrays that together feed all inputs of a model, from one archive or from files named like the inputs.
class ArraySet
{
public:
    using Loaded = std::vector<SharedBytes>; // per input

    /// @param where file or folder for messages
    /// @return BadData: an input without array, one that does not fit, or different numbers of samples
    static Result<ArraySet> bind(const std::vector<ModelInput>& inputs,
        std::vector<std::shared_ptr<const ArrayFile>> files, const std::string& where);

    [[nodiscard]] std::int64_t samples() const { return m_samples; }
    [[nodiscard]] const std::vector<std::string>& unused() const { return m_unused; } // arrays that feed no input
    struct Dropped {
        std::string array;
        std::int64_t entries = 0;
    };
    [[nodiscard]] std::vector<Dropped> dropped() const;

    /// Arrays that are cut into single entries along an axis that may have any size.
    struct Split {
        std::string array;
        std::string input;
        std::string axis; // as ArrayCut::axis
    };
    [[nodiscard]] std::vector<Split> splits() const;
    [[nodiscard]] std::vector<std::string> wholes() const; // inputs whose array is one piece (ArrayCut::isWhole)

    [[nodiscard]] Result<Loaded> load(const JobContext& job) const;
    /// @return FileNotReadable where a file lost its end, or was written to, since it was opened
    [[nodiscard]] Result<std::vector<HostTensor>> sample(const Loaded& loaded, std::int64_t index) const;
    /// Any array as a whole. @return BadData if absent
    [[nodiscard]] Result<HostTensor> array(const std::string& name) const;

private:
    struct Bound {
        std::shared_ptr<const ArrayFile> file;
        const StoredArray* array = nullptr; // of `file`
        ArrayCut cut;
    };
    Status bindInput(const ModelInput& input, bool isOnly);
    void joinSequencesInPlace();
    Status countSamples();
    [[nodiscard]] std::vector<std::string> allNames() const;

    std::string m_where;
    std::vector<std::shared_ptr<const ArrayFile>> m_files;
    std::vector<Bound> m_bound; // in the order of the inputs
    std::vector<std::string> m_unused;
    std::int64_t m_samples = 0;
};

/// The samples of all sets, one set after the other. A single set is loaded at once; of several, the last few used are
/// held. @return the errors of ArraySet::bind and ArrayFile
Result<std::shared_ptr<const Dataset>> arrayDataset(
    std::vector<ArraySet> sets, const DatasetOptions& options, const JobContext& job);

} // namespace duo
