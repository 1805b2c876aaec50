// SPDX-License-Identifier: Apache-2.0
// ArraySet: arrays that together feed all inputs of a model, from one archive or from files named like the inputs.
#pragma once

#include "core/calibrate/samples/array_cut.h"
#include "core/formats/array_file.h"

#include <memory>
#include <string>
#include <vector>

namespace duo {

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

    [[nodiscard]] Result<Loaded> load(const JobContext& job) const;
    [[nodiscard]] std::vector<HostTensor> sample(const Loaded& loaded, std::int64_t index) const;
    /// Any array as a whole. @return BadData if absent
    [[nodiscard]] Result<HostTensor> array(const std::string& name) const;

private:
    struct Bound {
        std::shared_ptr<const ArrayFile> file;
        const StoredArray* array = nullptr; // of `file`
        ArrayCut cut;
    };
    Status bindInput(const ModelInput& input, bool isOnly);
    Status countSamples();
    [[nodiscard]] std::vector<std::string> allNames() const;

    std::string m_where;
    std::vector<std::shared_ptr<const ArrayFile>> m_files;
    std::vector<Bound> m_bound; // in the order of the inputs
    std::vector<std::string> m_unused;
    std::int64_t m_samples = 0;
};

} // namespace duo
