// SPDX-License-Identifier: Apache-2.0
// Ways to write one ONNX model differently: other order of nodes, other names, constants held elsewhere.
#pragma once

#include <onnx.pb.h>

#include <random>
#include <string>

namespace duo::test {

/// Unnamed and repeated nodes get the name that they are shown with, so that it no longer hangs on a value.
void nameNodes(onnx::ModelProto& model);

/// A random topological order of the main graph, of every body and of every function.
void reorderNodes(onnx::ModelProto& model, std::mt19937& random);

/// New names for all values that are computed from inputs, but for the outputs of main graph and functions. What is
/// made of constants only keeps its name: it may be a parameter's.
void renameValues(onnx::ModelProto& model, std::mt19937& random);

/// Initializers that are no inputs or outputs become Constant nodes of the same value name, in random places.
void initializersToConstants(onnx::ModelProto& model, std::mt19937& random);

/// Constant nodes that hold a tensor or numbers become initializers (functions have none).
void constantsToInitializers(onnx::ModelProto& model);

/// Initializers of the main graph with raw data, at least so many bytes each, are said to lie in a file of that name.
/// @return what the file holds
std::string initializersToFile(onnx::ModelProto& model, const std::string& location, std::size_t atLeast = 64);

} // namespace duo::test
