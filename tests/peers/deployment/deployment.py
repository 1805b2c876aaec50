# SPDX-License-Identifier: Apache-2.0
"""Deployment folders of models, and the Python program in each, run.

Prints a row for each model: exit code of `quantize --deploy` on random data, files, MB, and what the program printed of
the first output. Usage: deployment.py DUOSCOPE_CLI MODEL...
Needs: pip install onnxruntime numpy.
"""
import pathlib
import subprocess
import sys
import tempfile


def row(cli, model):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        made = subprocess.run([cli, "quantize", model, "--data", "random:2", "--deploy", out, "--quiet"],
                              capture_output=True, text=True, check=False)
        if not out.exists():
            return f"| {model.name} | {made.returncode} | - | - | {made.stderr.strip().splitlines()[-1]} |"
        files = [each for each in out.rglob("*") if each.is_file()]
        size = sum(each.stat().st_size for each in files) / 1e6
        printed = "no program: inputs that cannot be fed"
        if (out / "run.py").exists():
            run = subprocess.run([sys.executable, out / "run.py"], capture_output=True, text=True, check=False)
            lines = (run.stdout if run.returncode == 0 else run.stderr).strip().splitlines()
            printed = f"{run.returncode}: {lines[0 if run.returncode == 0 else -1]}"
        return f"| {model.name} | {made.returncode} | {len(files)} | {size:.1f} | {printed} |"


print("| model | exit | files | MB | run.py |")
print("|---|--:|--:|--:|---|")
for each in sys.argv[2:]:
    print(row(sys.argv[1], pathlib.Path(each)), flush=True)
