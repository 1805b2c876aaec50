# SPDX-License-Identifier: Apache-2.0
"""The output error foreseen from statistics beside the measured one, for any ONNX files. Prints a table and the share that
is within 3 dB or said to be not known.

Usage: foreseen.py DUOSCOPE_CLI FILE... [--data SPEC]   (SPEC: random:8 where left out)"""
import argparse
import json
import pathlib
import subprocess
import tempfile


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    return json.loads(done.stdout) if done.stdout.strip() else None, done.stderr.strip().splitlines()[-1:]


def decibels(number):
    return "not known" if number is None else f"{number:.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--data", default="random:8")
    options = parser.parse_args()
    shown, near, unknown, far = 0, 0, 0, []
    print("| model | output | foreseen dB | measured dB | apart |\n|---|---|--:|--:|--:|")
    for file in options.files:
        name = "/".join(file.parts[-2:])
        with tempfile.TemporaryDirectory() as scratch:
            stats, out = f"{scratch}/s", f"{scratch}/o.onnx"
            common = [options.cli, "quantize", str(file), "--data", options.data, "--no-cache", "--quiet", "--json"]
            done = subprocess.run([options.cli, "statistics", str(file), "--data", options.data, "--quiet", "-o", stats],
                capture_output=True, text=True, timeout=600)
            foreseen, error = run([options.cli, "inspect", str(file), "--statistics", stats, "--data", options.data, "--quiet", "--json"])
            measured, worse = run([*common, "-o", out])
        if not foreseen or not foreseen.get("forecast") or not measured:
            print(f"| {name} | | {(done.stderr.strip().splitlines() or error or worse or ['?'])[-1][:120]} | | |", flush=True)
            continue
        if measured["quantizers"] == 0:
            continue
        found = {output["name"]: output for output in measured["verdict"]["outputs"]}
        worst = None
        if not foreseen["forecast"]["outputs"]:
            print(f"| {name} | | not known: {foreseen['forecast']['error_not_known']} | | |")
        for output in foreseen["forecast"]["outputs"]:
            exact = found.get(output["name"], {})
            if exact.get("identical") or exact.get("sqnr_db") is None:
                apart = None if output["sqnr_db"] is None else "no error measured"
            else:
                apart = None if output["sqnr_db"] is None else abs(output["sqnr_db"] - exact["sqnr_db"])
            print(f"| {name} | {output['name']} | {decibels(output['sqnr_db'])} | {decibels(exact.get('sqnr_db'))} | "
                f"{'' if apart is None else apart if isinstance(apart, str) else f'{apart:.1f}'} |", flush=True)
            if isinstance(apart, float):
                worst = max(worst or 0, apart)
        shown += 1
        near += worst is not None and worst <= 3
        unknown += worst is None
        if worst is not None and worst > 3:
            far.append(name)
    print(f"\n{shown} models: {near} within 3 dB at every output, {unknown} not known, {len(far)} farther: {', '.join(far)}")


main()
