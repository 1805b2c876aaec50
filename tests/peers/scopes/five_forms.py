#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each network as both PyTorch exporters write it, and as simplifiers and optimizers leave that; what `duoscope-cli scopes` says
of each node against what PyTorch did. Writes five_forms.md if no network is named.

Run: python five_forms.py DUOSCOPE_CLI FOLDER [NETWORK...] [--show N] (FOLDER keeps models and expectations for the next time);
needs torch, torchvision, transformers, ultralytics, onnx, onnxscript, onnxruntime, onnxsim, onnxslim."""
import argparse
import collections
import contextlib
import importlib.util
import io
import json
import logging
import pathlib
import subprocess
import sys
import warnings

import numpy as np
import onnx
import onnxruntime
import onnxsim
import onnxslim
import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "owners"))  # whose truth is what alignment means

sys.path.insert(1, str(HERE.parent))
import alignment  # of owners: which node computes what
import five_networks
import make_structure

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)


def load_module(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


values_truth = sys.modules["truth"]  # of owners, as alignment uses it
calls_truth = load_module("calls_truth", HERE / "truth.py")

OPTIMIZED = {"ORT basic": "BASIC", "ORT extended": "EXTENDED", "ORT all": "ALL"}
KEPT = {("detector", "TorchScript", form) for form in ("exported", "onnxsim", "onnxslim", "ORT basic", "ORT extended", "ORT all")} | \
    {("detector", "torch.export", "onnxslim"), ("siamese", "TorchScript", "exported"), ("siamese", "TorchScript", "ORT basic"),
     ("siamese", "TorchScript", "ORT all"), ("siamese", "torch.export", "ORT basic"), ("cell_loop", "TorchScript", "ORT basic"), ("vit", "TorchScript", "ORT extended"),
     ("vit", "TorchScript", "onnxsim"), ("bert", "TorchScript", "onnxslim"), ("bert", "TorchScript", "ORT extended")}
FORMS = ("exported", "onnxsim", "onnxslim", *OPTIMIZED)
HEAD = """# Twelve networks in twelve forms
Written by `five_forms.py`. Every network is exported by both exporters of PyTorch, and each file simplified or optimized. Operations
are told by what they compute: the same numbers as an operation that PyTorch ran under a module call. **checked**: nodes where
that decides the call (others only prepare shapes and constants). **wrong**: facts that are not so, with provenance `recorded`,
`name`, `content` or `dataflow`: execution scope, storage scope (of what it says: too much; and too little), `differs`.
**guesses**: those that are right of those that are called a guess. **told**: share of nodes (no Constants) with an execution scope
that is no guess. **rows that are none**: rows of the execution tree, not guessed, that are no call; then calls that a node alone decides and modules
whose parameters a node certainly reads under a name of theirs, without a row of their own. **lost**: calls that no node of their own is left of (folded norms,
operations merged with others or without a value of their own), modules whose parameters are read but stand in the file under no name of theirs.
What a tool leaves nothing of can only be guessed: `lost_scopes.md` shows pairs of programs that end as one file.

| network | exporter | form | nodes | checked | wrong execution | wrong storage | missing storage | wrong differs | right guesses | told | rows that are none | calls without row | owners without row | calls lost | owners lost |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
"""


class Recorder(values_truth.Recorder):
    """Notes under which module call each operation ran."""

    def __init__(self, model, inputs):
        super().__init__(model, inputs)
        self.calls = calls_truth.Recorder(model)

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        known = len(self.events)
        result = super().__torch_dispatch__(function, types, args, kwargs)
        for event in self.events[known:]:
            event.call = self.calls.stack[-1]
            self.calls.ops.append(event)
        return result


def record(model, inputs):
    torch.backends.mha.set_fastpath_enabled(False)
    recorder = Recorder(model, inputs)
    hooks = [torch.nn.modules.module.register_module_forward_pre_hook(recorder.calls.enter),
             torch.nn.modules.module.register_module_forward_hook(recorder.calls.leave)]
    try:
        with torch.no_grad(), recorder:
            model(*inputs)
    finally:
        for hook in hooks:
            hook.remove()
    return recorder


class Truth(calls_truth.Truth):
    """An activation without parameters that many modules hold (a class attribute) may as well be told as one per holder:
    no file says that they are one object."""

    def __init__(self, root, recorder, aliases):
        super().__init__(root, recorder, aliases)
        self.held, counts = {}, collections.Counter()
        for call in recorder.calls:
            if call.visible and call.parent is not None:
                key = id(call.parent.module), id(call.module)
                self.held[id(call)] = counts[key]
                counts[key] += 1

    def elements(self, call):
        found = super().elements(call)
        paths = self.paths[id(call.module)]
        if id(call.module) in self.owns or len(paths) < 2:
            return found
        number = self.held.get(id(call), 0)
        relative = {calls_truth.below(p, q) for p in paths for q in self.known(call.parent.module)} - {None}
        return found | {calls_truth.escape(r) + (f"#{number}" if number else "") for r in relative}

    def has_special_call(self, call):
        while call.parent is not None:
            if all(e.startswith("@") for e in self.elements(call)) or \
                    self.runs.get(id(call.module), 0) > 1 and id(call.module) in self.owns:
                return True
            call = call.parent
        return False

    def is_hidden(self, call):
        while call.parent is not None:
            if all(e.startswith("@") for e in self.elements(call)) and not self.aliases and id(call.module) not in self.owns:
                return True
            call = call.parent
        return False


def optimize(path, to, level):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, f"ORT_ENABLE_{level}")
    options.optimized_model_filepath = str(to)
    options.log_severity_level = 4
    onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def make_files(name, folder):
    """@return {(exporter, form): path} of what could be made"""
    found = {}
    for exporter, dynamo in (("TorchScript", False), ("torch.export", True)):
        stem = f"{name}.{'dynamo' if dynamo else 'script'}"
        base = folder / f"{stem}.onnx"
        for form in FORMS:
            path = base if form == "exported" else folder / f"{stem}.{form.replace(' ', '_').lower()}.onnx"
            if not path.exists():
                try:
                    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                        make_form(name, base, path, form, dynamo)
                except Exception as error:  # tools have limits of their own
                    print(f"{stem} {form}: not made: {str(error)[:200]}", file=sys.stderr)
                    continue
            found[exporter, form] = path
    return found


def make_form(name, base, path, form, dynamo):
    if form == "exported":
        model, inputs, names = five_networks.make(name)
        options = dict(dynamo=True) if dynamo else dict(dynamo=False, opset_version=17)
        torch.onnx.export(model, inputs, path, input_names=names, external_data=False, **options)
    elif form == "onnxsim":
        onnx.save(onnxsim.simplify(onnx.load(base))[0], path)
    elif form == "onnxslim":
        onnx.save(onnxslim.slim(onnx.load(base)), path)
    else:
        optimize(base, path, OPTIMIZED[form])


def values_of(path, inputs):
    """@return {value name: print}, {value name: whether it holds floats}"""
    model = onnx.load(path)
    ends = {value.name for value in model.graph.output}
    for node in model.graph.node:
        model.graph.output.extend(onnx.ValueInfoProto(name=n) for n in node.output if n and n not in ends)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    given = {value.name for value in session.get_inputs()}
    known = {value.name: tensor.numpy() for value, tensor in zip(onnx.load(path, load_external_data=False).graph.input, inputs)}
    names = [value.name for value in session.get_outputs()]
    arrays = dict(zip(names, session.run(names, {k: v for k, v in known.items() if k in given})))
    return ({n: p for n, a in arrays.items() if (p := values_truth.print_of(a)) is not None},
            {n: np.asarray(a).dtype.kind == "f" for n, a in arrays.items()})


class Classes:
    """Numbers for prints: equal ones get the same."""

    def __init__(self):
        self.known = collections.defaultdict(list)  # size -> [(print, number)]
        self.count = 0

    def of(self, known_print):
        for other, number in self.known[known_print[-1]]:
            if values_truth.same(other, known_print):
                return number
        self.count += 1
        self.known[known_print[-1]].append((known_print, self.count))
        return self.count


class Expectation:
    """Which module calls each node of a file may be said to run under."""

    def __init__(self, path, recorder, inputs):
        self.graph = onnx.load(path).graph
        prints, self.floats = values_of(path, inputs)
        self.recorder, classes = recorder, Classes()
        for event in recorder.events:
            event.classes = {classes.of(p) for p in event.prints}
        self.classes = {name: classes.of(p) for name, p in prints.items()}
        for value, known in zip(self.graph.input, recorder.inputs):
            if known is not None:
                self.classes[value.name] = classes.of(known)
        made = {c for e in recorder.events for c in e.classes}
        self.classes = {n: c for n, c in self.classes.items() if c in made or n in {v.name for v in self.graph.input}}
        self.by_class = collections.defaultdict(list)
        for event in recorder.events:
            for number in event.classes:
                self.by_class[number].append(event)
        self.boundary = set(self.classes.values())
        self.users = collections.defaultdict(list)
        self.makers = {o: node for node in self.graph.node for o in node.output if o}
        for node in self.graph.node:
            for name in node.input:
                self.users[name].append(node)

    def passes_on(self, event):
        return any(event.classes & before.classes for before in event.taken)

    def region(self, number):
        """Events that make the class from what the file computes as well."""
        found, seen = [], set()
        waiting = [e for e in self.by_class[number] if not self.passes_on(e)] or list(self.by_class[number])
        while waiting:
            event = waiting.pop()
            if id(event) in seen:
                continue
            seen.add(id(event))
            found.append(event)
            waiting += [e for e in event.taken if not e.classes & self.boundary or self.passes_on(event) and e.classes & event.classes]
        return found

    def upstream(self, node):
        """Classes that a node works on, directly or through values that PyTorch has no operation for."""
        found, waiting, seen = set(), [i for i in node.input if i], set()
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            if name in self.classes:
                found.add(self.classes[name])
            elif name in self.makers:
                waiting += [i for i in self.makers[name].input if i]
        return found

    def made_from(self, numbers, taken):
        """Events that make the classes from those taken: what only moves numbers keeps their class."""
        events = []
        for number in numbers:
            events += [e for e in self.by_class[number] if self.passes_on(e)] if number in taken else self.region(number)
        return events

    def events(self, node):
        """Events that a node may be; nothing where that cannot be told."""
        ours = {self.classes[o] for o in node.output if o in self.classes}
        if ours:
            return self.made_from(ours, self.upstream(node))
        taken = self.upstream(node)
        if not taken or not any(self.floats.get(o) for o in node.output if o):
            return []
        found, waiting, seen = [], [o for o in node.output if o], set()
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            for user in self.users[name]:
                matched = {self.classes[o] for o in user.output if o in self.classes}
                found += self.made_from(matched, taken)
                if not matched:
                    waiting += [o for o in user.output if o]
        return found

    def calls(self):
        names = alignment.node_names(self.graph)
        for name, node in zip(names, self.graph.node):
            calls = list({id(e.call): e.call for e in self.events(node)}.values())
            if len(calls) > 1:
                calls.append(common(calls))
            yield name, list({id(c): c for c in calls}.values())


def common(calls):
    def chain(call):
        return ([] if call.parent is None else chain(call.parent)) + [call]
    above = None
    for levels in zip(*map(chain, calls)):
        if any(level is not levels[0] for level in levels):
            break
        above = levels[0]
    return above


def expected(path, name, recorded):
    """@return what is right, as JSON, made once"""
    cache = path.with_suffix(".expected.json")
    if cache.exists() and cache.stat().st_mtime >= path.stat().st_mtime:
        return json.loads(cache.read_text())
    model, inputs, _ = five_networks.make(name)
    recorder = record(model, inputs)
    recorder.calls.known = None
    facts = Truth(model, recorder.calls, aliases=recorded)
    expectation = Expectation(path, recorder, inputs)
    must, may, lost = alignment.expected_owners(path, recorder, inputs, model)
    nodes, seen = {}, set()
    for node, calls in expectation.calls():
        texts = {text: facts.has_special_call(call) or "/@" in "/" + text for call in calls for text in facts.execution(call)}
        if len(calls) == 1:
            seen.add(id(calls[0]))
        nodes[node] = dict(execution=texts, hidden=any(map(facts.is_hidden, calls)), must=sorted(must.get(node, [])),
                           may=sorted(may.get(node, [])))
    calls = [(sorted(facts.execution(call)), id(call) in seen, facts.is_hidden(call))
             for call in recorder.calls.calls if call.visible]
    # calls that only prepare constants are none of the above, but may have a row
    other = sorted({t for call in recorder.calls.calls if not call.visible for t in facts.execution(call)})
    kept = carried(path)
    answer = dict(nodes=nodes, calls=calls, other=other, owners=sorted({o for n in must.values() for o in n} & kept),
                  read=len({alignment.owner(key) for event in recorder.events for key in event.keys}))
    cache.write_text(json.dumps(answer))
    return answer


def carried(path):
    """Modules that the names of the file's tensors tell of."""
    graph = onnx.load(path, load_external_data=False).graph
    names = [t.name for t in graph.initializer] + [o for n in graph.node if n.op_type == "Constant" for o in n.output]
    return {alignment.owner(name) for name in names}


def plain(execution):
    return ".".join(calls_truth.strip(e) for e in calls_truth.split(execution)) if execution else ""


def walk(tree):
    yield tree["scope"]
    for child in tree["children"]:
        yield from walk(child)


def keep(path, folder):
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{path.stem}.structure.onnx"
    onnx.save(make_structure.to_structure(onnx.load(path)), target)
    print(f"  {target.name}: {target.stat().st_size} bytes")


class Outcome:
    def __init__(self, found, right):
        self.counts, self.places = collections.Counter(), collections.defaultdict(list)
        for node in found["nodes"]:
            if node["op_type"] == "Constant":
                continue
            self.counts["nodes"] += 1
            self.counts["told"] += node["provenance"]["execution"] != "guess"
            known = right["nodes"].get(node["name"])
            if known is None:
                self.note("unknown node", node, "")
            elif not known["hidden"]:
                self.judge(node, known)
        self.trees(found, right)

    def note(self, kind, node, truth):
        self.counts[kind] += 1
        said = f"{node['execution']!r} {node['storage']} {node['differs']} {node['reasons']} {node['provenance']['execution']}/" \
               f"{node['provenance']['storage']}"
        self.places[kind].append(f"{node['name']}: said {said}; is {truth}")

    def judge(self, node, known):
        isGuess = node["provenance"]["execution"] == "guess"
        texts, right = known["execution"], True
        if texts:
            self.counts["checked"] += 1
            right = node["execution"] in texts
            if isGuess:
                self.counts["guesses"] += 1
                self.counts["right guesses"] += right
            elif not right:
                self.note("wrong execution", node, " or ".join(sorted(texts)[:4]))
        if node["provenance"]["storage"] != "guess":
            # what only prepares constants belongs to no operation that was seen
            more = [s for s in node["storage"] if s not in known["may"]] if known["may"] or known["must"] or texts else []
            less = [s for s in known["must"] if s not in node["storage"]]
            if more:
                self.note("wrong storage", node, known["may"])
                right = False
            if less and not more:
                self.note("missing storage", node, known["must"])
                right = False
            isTold = texts and not isGuess
            if right and isTold and not less and not more:
                differs = any(s != plain(node["execution"]) for s in node["storage"]) or texts[node["execution"]]
                if differs != node["differs"]:
                    self.note("wrong differs", node, differs)

    def trees(self, found, right):
        rows = set(walk(found["execution_tree"]))
        texts = {text for texts, _, _ in right["calls"] for text in texts} | set(right["other"])
        guessed = {n["execution"] for n in found["nodes"] if n["provenance"]["execution"] == "guess"}
        told = {above for n in found["nodes"] if n["execution"] not in guessed for above in prefixes(n["execution"])}
        hidden = any(isHidden for _, _, isHidden in right["calls"])
        none = [] if hidden else sorted(row for row in rows - texts if row in told)
        for kind, items in (("rows that are none", none),
                            ("calls without row", [t[0] for t, isSeen, isHidden in right["calls"] if isSeen and not isHidden
                                                   and not rows & set(t)]),
                            ("owners without row", sorted(set(right["owners"]) - set(walk(found["storage_tree"]))))):
            self.counts[kind] = len(items)
            self.places[kind] += items
        self.counts["calls lost"] = sum(not isSeen for _, isSeen, _ in right["calls"])
        self.counts["owners lost"] = right["read"] - len(right["owners"])


def prefixes(execution):
    elements = calls_truth.split(execution) if execution else []
    return ["/".join(elements[:count]) for count in range(len(elements) + 1)]


KINDS = ("wrong execution", "wrong storage", "missing storage", "wrong differs")
ROWS = ("rows that are none", "calls without row", "owners without row")
LOST = ("calls lost", "owners lost")


def scopes(cli, path):
    done = subprocess.run([cli, "scopes", str(path), "--json", "--quiet"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{path}: {done.stderr}")
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cli")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("networks", nargs="*")
    parser.add_argument("--show", type=int, default=3)
    parser.add_argument("--structures", type=pathlib.Path, help="where to keep what the tests use")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    table, total = HEAD, collections.defaultdict(collections.Counter)
    for name in options.networks or five_networks.NAMES:
        for (exporter, form), path in make_files(name, options.folder).items():
            if options.structures and (name, exporter, form) in KEPT:
                keep(path, options.structures)
            try:
                right = expected(path, name, exporter == "torch.export")
            except Exception as error:  # the runtime refuses what a tool wrote
                print(f"{path.name}: no expectation: {str(error)[:300]}", file=sys.stderr)
                continue
            outcome = Outcome(scopes(options.cli, path), right)
            counts = outcome.counts
            cells = [name, exporter, form, counts["nodes"], counts["checked"], *(counts[k] for k in KINDS),
                     f"{counts['right guesses']} of {counts['guesses']}", f"{100 * counts['told'] / counts['nodes']:.1f} %",
                     *(counts[k] for k in ROWS + LOST)]
            line = "| " + " | ".join(map(str, cells)) + " |"
            print(line, flush=True)
            table += line + "\n"
            for total_name in (exporter, form, f"{exporter}, {form}"):
                total[total_name].update(counts)
            for kind in (*KINDS, *ROWS, "unknown node"):
                for place in outcome.places[kind][:options.show]:
                    print(f"    {kind}: {place}")
    table += "\n| all of | nodes | checked | wrong execution | wrong storage | missing storage | wrong differs | told |\n|---|---|---|---|---|---|---|---|\n"
    for name, counts in total.items():
        cells = [name, counts["nodes"], counts["checked"], *(counts[k] for k in KINDS), f"{100 * counts['told'] / counts['nodes']:.2f} %"]
        line = "| " + " | ".join(map(str, cells)) + " |\n"
        print(line, end="")
        table += line
    table += f"\ntorch {torch.__version__.split('+')[0]}, onnx {onnx.__version__}, onnxruntime {onnxruntime.__version__}, " \
             f"onnxsim {onnxsim.__version__}, onnxslim {onnxslim.__version__}\n"
    if not options.networks:
        (HERE / "five_forms.md").write_text(table)


if __name__ == "__main__":
    main()
