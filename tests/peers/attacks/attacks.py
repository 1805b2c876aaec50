# SPDX-License-Identifier: Apache-2.0
"""Files that other people made to break readers of models: does `duoscope-cli` refuse or read each, and run nothing?

Fetches the repositories below (or finds them in FOLDER/OWNER+NAME), takes the files that lie in them, lets those that are
written by scripts be written, and shows each to `inspect FILE` and `scopes MODEL --checkpoint FILE`; a bare pickle also as
the pickle of a file of torch.save. strace tells which programs were started. Writes attacks.md.
Usage: attacks.py DUOSCOPE_CLI FOLDER, with a Python that has onnx, torch, numpy, safetensors, fickling and pytest.
"""
import collections
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import zipfile

REPOSITORIES = {  # commit, and what of it is taken
    "mmaitre314/picklescan": ("f15d54da3dec9aa28a87ede82f87882bb80f1023", "tests"),
    "protectai/modelscan": ("8b8ed4bf78a863fcf3b664888dc7ff6ae22f5230", "tests/data"),
    "huggingface/safetensors": ("24b0b2857fef49be734b9ab72ce97c09bb25f5b9", "attacks"),
    "trailofbits/fickling": ("854c99acd2637f97162dd2e1aa2dab4e8d55d77d", "test/test_"),
    "onnx/onnx": ("f7546912001bc31e92a238b17068a21b373d882e", "tests/python/external_data_test.py"),
}
HERE = pathlib.Path(__file__).parent
MODEL = HERE.parents[1] / "data" / "models" / "branches.onnx"
OURS = {"duoscope-cli", "duoscope-engine"}
SECONDS = 60
# What takes minutes to write is written smaller: gigabytes of zeros, packed, and ten million keys. And what a newer torch
# calls otherwise.
REPLACED = {"FILESIZE = 40 * 1000": "FILESIZE = 2 * 1000", "1000 * 1000 * 10": "1000 * 1000 * 2",
            'torch_zip.open("archive/': 'torch_zip.open("torch_dos_tmp/'}


def checked_out(name, commit, wanted, folder):
    """A folder with the files of the repository whose path begins with `wanted`, those that a mirror lacks left out."""
    target = folder / name.replace("/", "+")
    tree = target / "tree"
    git = ["git", f"--git-dir={target / 'repo'}"]
    if not (target / "repo").is_dir():
        subprocess.run(["git", "clone", "-q", "--bare", f"https://github.com/{name}", target / "repo"], check=True)
    listed = subprocess.run([*git, "ls-tree", "-r", "--name-only", commit], check=True, stdout=subprocess.PIPE, text=True)
    for path in listed.stdout.splitlines():
        if path.startswith(wanted) and not (tree / path).exists():
            content = subprocess.run([*git, "show", f"{commit}:{path}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            if content.returncode == 0:
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                (tree / path).write_bytes(content.stdout)
    return tree


def stored(tree, *folders):
    for folder in folders:
        for path in sorted((tree / folder).rglob("*")):
            if path.is_file() and path.suffix not in (".py", ".md", ".done"):
                yield path


def written_by_scripts(tree, work):
    """What scripts of safetensors/attacks write before they load it."""
    work.mkdir(parents=True, exist_ok=True)
    for script in sorted((tree / "attacks").glob("*.py")):
        if not re.search(r"torch_.*_create|numpy_.*_create|abuse_attempt", script.name):
            continue
        done = work / (script.stem + ".done")
        if not done.exists():
            folder = work / script.stem
            folder.mkdir(exist_ok=True)
            text = script.read_text()
            for old, new in REPLACED.items():
                text = text.replace(old, new)
            text = re.sub(r"^test = load_file.*$", "", text, flags=re.M)
            (folder / "run.py").write_text(text)
            subprocess.run([sys.executable, "run.py"], cwd=folder, check=False)
            (folder / "run.py").unlink(missing_ok=True)
            done.touch()
    return stored(work, ".")


CAPTURE = '''
import hashlib, os, pathlib, shutil
work = pathlib.Path(os.environ["ATTACKS_WORK"])
def keep(data, ending):
    (work / (hashlib.sha256(data).hexdigest()[:12] + ending)).write_bytes(data)
def pytest_configure(config):
    if os.environ["ATTACKS_OF"] == "fickling":
        import fickling.fickle as fickle
        import fickling.analysis as analysis
        load = fickle.Pickled.load
        def kept_load(pickled, *rest, **named):
            data = pickled if isinstance(pickled, (bytes, bytearray)) else pickled.read()
            keep(bytes(data), ".pkl")
            import io
            return load(io.BytesIO(bytes(data)), *rest, **named)
        fickle.Pickled.load = staticmethod(kept_load)
        start = fickle.Pickled.__init__
        def kept_start(self, opcodes, *rest, **named):
            start(self, opcodes, *rest, **named)
            try:
                keep(self.dumps(), ".pkl")
            except Exception:
                pass
        fickle.Pickled.__init__ = kept_start
def pytest_runtest_teardown(item):
    places = list(getattr(item, "funcargs", {}).values()) + list(vars(item.instance or object()).values() if
                                                                  hasattr(item.instance, "__dict__") else ())
    for place in places:
        if isinstance(place, (str, pathlib.Path)) and os.path.isdir(place):
            target = work / (item.parent.name + "." + item.name)
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(place, target, symlinks=True)
'''


def written_by_tests(name, tests, work):
    """What tests make: pickles as they are parsed, and folders as they stand when a test ends."""
    if not work.is_dir():
        work.mkdir(parents=True)
        (work.parent / "keep_attacks.py").write_text(CAPTURE)
        subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "keep_attacks", "-p", "no:cacheprovider",
                        "--continue-on-collection-errors", *tests],
                       env={**os.environ, "PYTHONPATH": str(work.parent), "ATTACKS_WORK": str(work), "ATTACKS_OF": name},
                       check=False, stdout=subprocess.DEVNULL)
    return stored(work, ".")


def wrapped(path, work):
    """A pickle as that of a file of torch.save."""
    work.mkdir(parents=True, exist_ok=True)
    target = work / (path.stem + ".pt")
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("archive/data.pkl", path.read_bytes())
        archive.writestr("archive/version", "3\n")
    return target


def shown(cli, arguments, work):
    """(what happened, programs started that are none of ours)"""
    trace = work / "trace"
    home = work / "home"
    home.mkdir(exist_ok=True)
    call = ["strace", "-f", "-qq", "-e", "trace=execve", "-o", str(trace), cli, *map(str, arguments)]
    start = time.monotonic()
    try:
        run = subprocess.run(call, cwd=home, env={**os.environ, "HOME": str(home)}, timeout=SECONDS,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
    except subprocess.TimeoutExpired:
        return f"HANGS ({SECONDS} s)", set()
    started = {os.path.basename(name) for name in re.findall(r'execve\("([^"]+)"', trace.read_text(errors="replace"))}
    lines = [line for line in run.stderr.splitlines() if line.startswith("error: ")]
    if run.returncode < 0 or run.returncode > 128:
        number = -run.returncode if run.returncode < 0 else run.returncode - 128
        what = f"CRASHES ({signal.Signals(number).name})"
    elif "internal error" in run.stderr:
        what = "INTERNAL " + lines[0][7:]
    elif run.returncode in (0, 1):
        what = "read"
    else:
        what = "refused: " + (lines[0][7:].split(": ")[0] if len(lines) == 1 else "NOT IN ONE LINE")
    left = [path.name for path in home.iterdir() if path.name not in (".cache", ".local", ".config")]
    if left:
        what += " LEAVES " + ", ".join(left)
    if time.monotonic() - start > 20:
        what += f" (slow: {time.monotonic() - start:.0f} s)"
    return what, started - OURS


def main():
    cli, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    work = folder / "attacks"
    work.mkdir(parents=True, exist_ok=True)
    trees = {name: checked_out(name, *what, folder) for name, what in REPOSITORIES.items()}
    fickling, onnx = trees["trailofbits/fickling"], trees["onnx/onnx"]
    sources = {
        "picklescan": stored(trees["mmaitre314/picklescan"], "tests/data", "tests/data2"),
        "modelscan": stored(trees["protectai/modelscan"], "tests/data"),
        "safetensors/attacks": written_by_scripts(trees["huggingface/safetensors"], work / "safetensors"),
        "fickling": written_by_tests("fickling", sorted((fickling / "test").glob("test_*.py")), work / "fickling"),
        "onnx": [path for path in written_by_tests("onnx", [onnx / "tests/python/external_data_test.py"], work / "onnx")
                 if path.suffix == ".onnx"],
    }
    table, bad, total = collections.Counter(), [], collections.Counter()
    for source, paths in sources.items():
        for path in paths:
            total[source] += 1
            calls = [["inspect", path], ["scopes", MODEL, "--checkpoint", path]]
            if path.suffix in (".pkl", ".pickle"):
                calls.append(["scopes", MODEL, "--checkpoint", wrapped(path, work / "wrapped")])
            if path.suffix in (".npy", ".npz"):
                calls.append(["statistics", MODEL, "--data", path, "-o", work / "statistics"])
            for call in calls:
                what, started = shown(cli, call, work)
                kind = {"inspect": "inspect", "statistics": "data"}.get(
                    call[0], "checkpoint" if call[-1] == path else "checkpoint, wrapped")
                table[source, kind, what] += 1
                if started:
                    bad.append(f"{source}: {path.name}: {kind}: started {', '.join(sorted(started))}")
                if re.search(r"[A-Z]{5}", what):
                    bad.append(f"{source}: {path.name}: {kind}: {what}")
    with open(HERE / "attacks.md", "w") as out:
        out.write("# Attacks that others collected\n\n"
                  f"Written by attacks.py on {time.strftime('%Y-%m-%d')}; what is promised stands in\n"
                  "resources/docs/attacks.md. Repositories at the commits named in the script; what scripts and tests\n"
                  "write there was written by them, the largest two of safetensors/attacks with fewer zeros and keys.\n\n")
        out.write("| source | files | shown to | files | what happened |\n|---|---|---|---|---|\n")
        for (source, kind, what), count in sorted(table.items(), key=lambda row: (row[0][:2], -row[1], row[0][2])):
            out.write(f"| {source} | {total[source]} | {kind} | {count} | {what} |\n")
        out.write(f"\nPrograms started besides {' and '.join(sorted(OURS))}, crashes, hangs, internal errors, errors that "
                  f"are not one line: {len(bad) or 'none'}.\n")
        out.writelines(f"- {line}\n" for line in bad)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
