# SPDX-License-Identifier: Apache-2.0
"""Compares `shared_input_operation_set_groups` of `duoscope-cli plan` with those of NNCF's quantizer setup (its get_state()).

Usage: python compare_groups.py CLI [MODEL.onnx...]; without models those of tests/data/placement. A group is the set of its points, each
written as in nncf_placement.py."""
import pathlib
import sys
import tempfile

import onnx

import nncf_placement
from compare_placement import duoscope

DATA = pathlib.Path(__file__).resolve().parents[2] / "data" / "placement"
ZEROS = 1 << 30


def heads_of(points, names):
    return {key: f"{names(target)}|{'-' if port is None else port}|{'W' if weight else 'A'}{nncf_placement.shorthand(config)}"
            for key, (target, port, weight, config, _) in points.items()}


def nncf_groups(model, settings):
    graph, setup, algo = nncf_placement.setup_of(model, settings)
    points, _, members = nncf_placement.points_of(graph, setup, algo)
    heads = heads_of(points, nncf_placement.Names(model))
    groups = setup.get_state()["shared_input_operation_set_groups"].values()
    return joined({heads[one] for key in group for one in members[key]} for group in groups)


def joined(groups):
    """Those that have a point in common as one: a weight of several nodes is one point here, in NNCF one per node."""
    found = []
    for group in map(set, groups):
        apart = [other for other in found if not other & group]
        found = apart + [group.union(*(other for other in found if other & group))]
    return {frozenset(group) for group in found if group}


def our_groups(cli, model, settings, folder):
    file = f"{folder}/model.onnx"
    onnx.save(model, file)
    plan = duoscope(cli, file, settings, folder)
    points = {int(key): (point["qip"]["target_node_name"], point["qip"].get("input_port_id"), point["qip_class"].startswith("Weight"),
                         point["qconfig"], []) for key, point in plan["quantization_points"].items()}
    heads = heads_of(points, nncf_placement.Names(model))
    return {frozenset(heads[key] for key in group) for group in plan["shared_input_operation_set_groups"].values()}


def main(cli, files):
    failures = 0
    for file in files:
        with tempfile.TemporaryDirectory() as folder:
            zeros = pathlib.Path(folder) / "zeros.bin"
            zeros.touch()
            with open(zeros, "r+b") as sparse:
                sparse.truncate(ZEROS)
            stored = onnx.load(file, load_external_data=False)
            onnx.external_data_helper.load_external_data_for_model(stored, folder)
            model = nncf_placement.preprocessed(stored)
            ours, theirs = our_groups(cli, model, {}, folder), nncf_groups(model, {})
        failures += ours != theirs
        print(f"{pathlib.Path(file).name}: {len(theirs)} groups, {'same' if ours == theirs else 'DIFFERENT'}", flush=True)
        for sign, rest in (("-", theirs - ours), ("+", ours - theirs)):
            for group in sorted(map(sorted, rest))[:6]:
                print(f"  {sign} {', '.join(group)}")
    print(f"{len(files)} models, {failures} differ")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:] or sorted(map(str, DATA.glob("*.onnx"))))
