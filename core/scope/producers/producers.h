// SPDX-License-Identifier: Apache-2.0
// Producers: the table of what wrote or rewrote ONNX files, how each is recognised, and what its names cannot tell.
#pragma once

#include "core/model/model.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace duo {

/// Which grammar the names of nodes and tensors follow.
enum class NameGrammar {
    None, // they say nothing of modules
    PyTorch, // core/scope/frames: "/layer1/layer1.0/conv1/Conv", "layer1.0.conv1.weight"
    TensorFlow, // tensorflow_names: "model/block1/conv/Conv2D", "model/block1/conv/Conv2D/ReadVariableOp:0"
    Layers, // layer_names: a node is called as its layer, its tensors begin with that name
    Paddle, // layer_names: nodes have no names, tensors begin with the name of their layer
};

/// Counts of names over a file, those of computed values aside, which tools give anew; a file may have passed several
/// tools, so nodes are judged one by one afterwards.
struct NameMarks {
    std::size_t named = 0; // nodes with a name
    std::size_t slashed = 0; // "a/b", without a slash in front
    std::size_t tensorFlow = 0; // nodes and tensors with a name that only TensorFlow gives
    std::size_t numbered = 0; // tensors and inputs that end in ":0"
    std::size_t paddle = 0; // tensors and inputs with a name that only PaddlePaddle gives
    std::size_t layered = 0; // nodes called as the layer whose tensors they read
    std::size_t forward = 0; // "conv0_fwd" of MXNet's Gluon
    std::size_t torch = 0; // "/a/b/Conv"
    std::size_t classical = 0; // operators of ai.onnx.ml
};
NameMarks nameMarks(const Model& model);

struct Producer {
    std::string_view id; // stable: "tf2onnx"
    std::string_view title; // "TensorFlow and Keras through tf2onnx"
    std::string_view names; // beginnings of ModelProto.producer_name in lower case, joined by '|'
    NameGrammar grammar = NameGrammar::None;
    std::string_view cannotTell; // one sentence
    /// Of the model, "key" or "key=beginning of the value": left by a tool that rewrites what others wrote.
    std::string_view metadata = {};
};

/// All rows; the last one is for files nothing is known of.
std::span<const Producer> producers();

/// The row of a file: by producer_name where that names one whose grammar fits, else by the marks in its names.
const Producer& producerOf(const Model& model, const NameMarks& marks);

/// The tools that rewrote a file and say so in its metadata, as the table lists them.
std::vector<const Producer*> rewritersOf(const Model& model);

/// One line on what the names of a file cannot tell; nothing for PyTorch's and for producers that are not known.
std::optional<Note> producerNote(const Model& model);

/// Which grammar the names of this file follow, whatever its header says.
NameGrammar grammarOf(const NameMarks& marks);

} // namespace duo
