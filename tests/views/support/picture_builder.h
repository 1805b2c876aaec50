// SPDX-License-Identifier: Apache-2.0
// Pictures for tests: laid out by the layered engine, without Graphviz.
#pragma once

#include "views/graph/picture.h"

namespace duo::test {

std::shared_ptr<const ui::Picture> makePicture(
    const std::shared_ptr<const Snapshot>& snapshot, const std::set<std::string>& open);

} // namespace duo::test
