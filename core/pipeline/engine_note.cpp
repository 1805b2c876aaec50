// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/engine_note.h"

#include "core/model/op_facts.h"

namespace duo {

std::optional<Note> engineNote(Profile profile, const std::string& version)
{
    const std::string planned(kMeasuredRuntime);
    if (profile != Profile::OrtCpu || version == planned || version.starts_with(planned + "."))
        return std::nullopt;
    return Note{"other-engine",
        "plans follow what ONNX Runtime " + planned + " computes in int8, and " + version
            + " runs here: the checks say what it makes of this export, and explain may be wrong about why a node "
              "runs in float",
        {}, Severity::Remark};
}

} // namespace duo
