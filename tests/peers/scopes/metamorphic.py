#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `duoscope-cli scopes` tells of a file must not change when its nodes are re-sorted, its values renamed, or its
initializers moved into Constant nodes and back.
Run: python metamorphic.py DUOSCOPE_CLI FILE|FOLDER... [--orders N] [--seed S] [--show N]; needs onnx. Exit 1 if a fact changed."""
import argparse
import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import AttributeProto, helper, numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import make_structure

LARGE = 1 << 20  # bytes of initializers that are worth a file of their own
LISTS = {"value_floats": np.float32, "value_ints": np.int64}
SCALARS = {"value_float": np.float32, "value_int": np.int64}


def bodies(node):
    return [a.g for a in node.attribute if a.type == AttributeProto.GRAPH] + \
        [g for a in node.attribute if a.type == AttributeProto.GRAPHS for g in a.graphs]


def lists(model):
    """Every list of nodes with what holds it: the main graph, bodies, functions."""
    open_lists = [model.graph, *model.functions]
    while open_lists:
        holder = open_lists.pop()
        yield holder
        for node in holder.node:
            open_lists += bodies(node)


def read(node):
    """Names that a node reads, also in its bodies, where a name may be the body's own."""
    names = list(node.input)
    for body in bodies(node):
        own = {v.name for v in body.input} | {t.name for t in body.initializer} | {o for n in body.node for o in n.output}
        names += [n for inner in body.node for n in read(inner) if n not in own]
        names += [o.name for o in body.output if o.name not in own]
    return names


def name_nodes(model):
    """Gives unnamed and repeated nodes the name that they are shown with, so that it no longer hangs on a value."""
    for holder in lists(model):
        taken = {n.name for n in holder.node if n.name}
        seen = set()
        for node in holder.node:
            if node.name and node.name not in seen:
                seen.add(node.name)
                continue
            base = f"{node.op_type}:{next((o for o in node.output if o), '')}"
            name, index = base, 1
            while name in taken:
                name, index = f"{base}:{index}", index + 1
            node.name = name
            taken.add(name)
            seen.add(name)


def reorder(model, rng):
    for holder in lists(model):
        nodes = list(holder.node)
        maker = {o: i for i, n in enumerate(nodes) for o in n.output if o}
        users, waiting = collections.defaultdict(list), []
        for i, node in enumerate(nodes):
            needed = {maker[name] for name in read(node) if name in maker}
            waiting.append(len(needed))
            for j in needed:
                users[j].append(i)
        ready, order = [i for i, count in enumerate(waiting) if not count], []
        while ready:
            at = rng.randrange(len(ready))
            ready[at], ready[-1] = ready[-1], ready[at]
            order.append(ready.pop())
            for user in users[order[-1]]:
                waiting[user] -= 1
                if not waiting[user]:
                    ready.append(user)
        assert len(order) == len(nodes)
        copies = [onnx.NodeProto() for _ in order]
        for copy, i in zip(copies, order):
            copy.CopyFrom(nodes[i])
        del holder.node[:]
        holder.node.extend(copies)


def computed(holder, outer):
    """Outputs of nodes that read something that is no constant; others may carry the name of a parameter."""
    moving = set(outer)
    names = holder.input
    moving |= {v if isinstance(v, str) else v.name for v in names} - {t.name for t in getattr(holder, "initializer", [])}
    made = set()
    for node in holder.node:
        if any(name in moving for name in read(node)) or not node.input and node.op_type != "Constant":
            moving.update(o for o in node.output if o)
            made.update(o for o in node.output if o)
    return made, moving


def rename_in(holder, known, outer, rng, count):
    """@param known new names of the values of lists around this one"""
    made, moving = computed(holder, outer)
    kept = {v if isinstance(v, str) else v.name for v in holder.output} if not known.get("") else set()
    mine = dict(known)
    order = sorted(made - kept)
    rng.shuffle(order)
    for name in order:
        count[0] += 1
        mine[name] = f"v{rng.randrange(10**6)}_{count[0]}"
    inner = dict(mine)
    inner[""] = "body"
    for node in holder.node:
        for names in (node.input, node.output):
            for i, name in enumerate(names):
                if name in mine and name:
                    names[i] = mine[name]
        for body in bodies(node):
            shadowed = {v.name for v in body.input} | {t.name for t in body.initializer}
            rename_in(body, {k: v for k, v in inner.items() if k not in shadowed}, moving, rng, count)
    if not isinstance(holder, onnx.FunctionProto) and known.get(""):
        for value in holder.output:
            value.name = mine.get(value.name, value.name)
    for value in holder.value_info:
        value.name = mine.get(value.name, value.name)
    for annotation in getattr(holder, "quantization_annotation", []):
        annotation.tensor_name = mine.get(annotation.tensor_name, annotation.tensor_name)


def rename(model, rng):
    for holder in [model.graph, *model.functions]:
        rename_in(holder, {}, set(), rng, [0])


def to_constants(model, rng):
    """Initializers that are no inputs or outputs become Constant nodes of the same value name."""
    for holder in lists(model):
        if isinstance(holder, onnx.FunctionProto):
            continue
        ends = {v.name for v in [*holder.input, *holder.output]}
        moved = [t for t in holder.initializer if t.name not in ends]
        kept = [t for t in holder.initializer if t.name in ends]
        nodes = [helper.make_node("Constant", [], [t.name], name=f"made_constant_{i}", value=t) for i, t in enumerate(moved)]
        rng.shuffle(nodes)
        nodes += list(holder.node)
        copies = [onnx.NodeProto() for _ in nodes]
        for copy, node in zip(copies, nodes):
            copy.CopyFrom(node)
        copies_kept = [onnx.TensorProto.FromString(t.SerializeToString()) for t in kept]
        del holder.initializer[:], holder.node[:]
        holder.initializer.extend(copies_kept)
        holder.node.extend(copies)


def constant_of(node):
    attribute = next(iter(node.attribute), None)
    if attribute is None:
        return None
    if attribute.name == "value":
        tensor = onnx.TensorProto()
        tensor.CopyFrom(attribute.t)
    elif attribute.name in LISTS:
        values = attribute.floats if attribute.name == "value_floats" else attribute.ints
        tensor = numpy_helper.from_array(np.array(values, LISTS[attribute.name]))
    elif attribute.name in SCALARS:
        value = attribute.f if attribute.name == "value_float" else attribute.i
        tensor = numpy_helper.from_array(np.array(value, SCALARS[attribute.name]))
    else:
        return None
    tensor.name = node.output[0]
    return tensor


def to_initializers(model, rng):
    for holder in lists(model):
        if isinstance(holder, onnx.FunctionProto):
            continue
        ends = {v.name for v in holder.output}
        kept, made = [], []
        for node in holder.node:
            tensor = constant_of(node) if node.op_type == "Constant" and node.output[0] not in ends else None
            if tensor is None:
                kept.append(onnx.NodeProto.FromString(node.SerializeToString()))
            else:
                made.append(tensor)
        rng.shuffle(made)
        del holder.node[:]
        holder.node.extend(kept)
        holder.initializer.extend(made)


def scopes(cli, path):
    done = subprocess.run([cli, "scopes", str(path), "--json", "--quiet"], capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else {"error": done.stderr.strip()}


def rows(tree):
    found, open_rows = {}, [(tree, "")]
    while open_rows:
        row, above = open_rows.pop()
        path = above + "|" + row["scope"]
        found[row["scope"]] = {k: row[k] for k in ("name", "class", "calls", "nodes", "parameters", "bytes")} | \
            {"under": above, "order": [c["scope"] for c in row["children"]]}
        open_rows += [(child, row["scope"]) for child in row["children"]]
    return found


def sorted_lists(node):
    return {k: sorted(v) if isinstance(v, list) else v for k, v in node.items()}


def differences(base, other, constants_moved):
    """[(kind, where, was, is)]. Where constants moved, the order in the file of what defines a row moved with them."""
    if "error" in base or "error" in other:
        return [] if base == other else [("error", "", base.get("error", "read"), other.get("error", "read"))]
    found = []
    one, two = ({n["name"]: sorted_lists(n) if constants_moved else n for n in d["nodes"] if n["op_type"] != "Constant"
                 or not constants_moved} for d in (base, other))
    for name in sorted(one.keys() ^ two.keys()):
        found.append(("node", name, name in one, name in two))
    for name in one.keys() & two.keys():
        found += [(key, name, one[name][key], two[name][key]) for key in one[name] if one[name][key] != two[name].get(key)]
    for tree in ("execution_tree", "storage_tree"):
        one, two = rows(base[tree]), rows(other[tree])
        for path in sorted(one.keys() ^ two.keys()):
            found.append((f"{tree} row", path, path in one, path in two))
        for path in one.keys() & two.keys():
            for key in one[path]:
                if key == "order" and (constants_moved or one[path][key] == two[path][key]
                                       or sorted(one[path][key]) != sorted(two[path][key])):
                    continue
                if one[path][key] != two[path][key]:
                    found.append((f"{tree} {key}", path, one[path][key], two[path][key]))
    one, two = base["never_executed"], other["never_executed"]
    if (sorted(one) != sorted(two)) if constants_moved else one != two:
        found.append(("never_executed", "", one, two))
    if base["coverage"] != other["coverage"]:
        found.append(("coverage", "", base["coverage"], other["coverage"]))
    return found


VARIANTS = {"order": (reorder,), "names": (rename,), "constants": (to_constants,), "initializers": (to_initializers,),
            "all": (to_initializers, rename, reorder)}


def spill(model, folder):
    """Keeps large tensors in one file that all variants share."""
    if sum(len(t.raw_data) for t in model.graph.initializer) > LARGE:
        with open(folder / "weights.bin", "wb") as out:
            for tensor in model.graph.initializer:
                if len(tensor.raw_data) < 1024:
                    continue
                entries = dict(location="weights.bin", offset=str(out.tell()), length=str(len(tensor.raw_data)))
                out.write(tensor.raw_data)
                tensor.ClearField("raw_data")
                tensor.data_location = onnx.TensorProto.EXTERNAL
                del tensor.external_data[:]
                for key, value in entries.items():
                    tensor.external_data.add(key=key, value=value)


def load(path):
    model = onnx.load(path, load_external_data=False)
    make_structure.from_structure(model)
    onnx.load_external_data_for_model(model, str(path.parent))
    return model


def measure(cli, path, options):
    """@return {variant: (runs that changed something, runs, counts of kinds, examples)}, or None"""
    rng = random.Random(options.seed)
    model = load(path)
    name_nodes(model)
    result = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        spill(model, folder)
        text = model.SerializeToString()
        (folder / "base.onnx").write_bytes(text)
        base = scopes(cli, folder / "base.onnx")
        for variant, changes in VARIANTS.items():
            if options.only and variant not in options.only:
                continue
            bad, kinds, examples = 0, collections.Counter(), {}
            runs = options.orders if reorder in changes else 1
            for run in range(runs):
                changed = onnx.ModelProto.FromString(text)
                for change in changes:
                    change(changed, rng)
                (folder / "changed.onnx").write_bytes(changed.SerializeToString())
                moved = to_constants in changes or to_initializers in changes
                found = differences(base, scopes(cli, folder / "changed.onnx"), moved)
                if found and options.keep and not bad:
                    pathlib.Path(options.keep).mkdir(parents=True, exist_ok=True)
                    (pathlib.Path(options.keep) / f"{path.stem}.base.onnx").write_bytes(text)
                    (pathlib.Path(options.keep) / f"{path.stem}.{variant}.onnx").write_bytes(changed.SerializeToString())
                bad += bool(found)
                for kind, where, was, now in found:
                    kinds[kind] += 1
                    examples.setdefault(kind, (where, was, now))
            result[variant] = (bad, runs, kinds, examples)
    return result


def files(names):
    for name in map(pathlib.Path, names):
        yield from sorted(name.rglob("*.onnx")) if name.is_dir() else [name]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cli")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--orders", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=3, help="kinds of change to show of each file and variant")
    parser.add_argument("--only", nargs="*", choices=list(VARIANTS))
    parser.add_argument("--keep", help="folder for the first changed file of each variant")
    options = parser.parse_args()
    counts = collections.Counter()
    for path in files(options.files):
        try:
            result = measure(options.cli, path, options)
        except Exception as error:  # files that onnx itself does not read
            print(f"{path}: not tried: {str(error)[:80]}")
            continue
        counts["files"] += 1
        counts["files that change"] += any(bad for bad, *_ in result.values())
        for variant, (bad, runs, kinds, examples) in result.items():
            counts[f"{variant}: files that change"] += bool(bad)
            if not bad:
                continue
            print(f"{path} {variant}: {bad} of {runs} changed: " + ", ".join(f"{k} {c}" for k, c in kinds.most_common()))
            for kind, (where, was, now) in list(examples.items())[:options.show]:
                print(f"    {kind} of '{where}': {was} -> {now}")
        sys.stdout.flush()
    for key, count in counts.items():
        print(key, count)
    return 1 if counts["files that change"] else 0


if __name__ == "__main__":
    sys.exit(main())
