#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Our files in the viewers they are for, each in a headless browser: what do Netron and Model Explorer show of them?

Usage: viewers.py DUOSCOPE_CLI CHROMIUM FLOAT.onnx... ; needs netron, ai-edge-model-explorer and playwright.
Prints a row for each model. Netron: edges, and tensors inside nodes, are clicked one by one, and what its side bar says of them
is compared with the entries of the attachment. Model Explorer: the graph is opened with the node data.
"""
import json
import os
import re
import socket
import subprocess
import sys
import tempfile

import netron
from playwright.sync_api import sync_playwright


def run(*arguments):
    done = subprocess.run(list(arguments) + ["--json"], capture_output=True, text=True)
    if done.returncode > 1:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return json.loads(done.stdout)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def in_netron(browser, model, attachment):
    """How many of the entries of the attachment stand in the side bar of their value or tensor, and of how many."""
    with open(attachment) as file:
        wanted = {(entry["target"], entry["value"]) for entry in json.load(file)["metadata"]}
    port = free_port()
    netron.start(address=("127.0.0.1", port), browse=False)
    page = browser.new_page(viewport={"width": 1600, "height": 1200})
    # It takes eval() away, which playwright needs to send events.
    page.route("**/browser.js", lambda route: route.fulfill(
        body=route.fetch().text().replace("_window.eval =", "_window.withoutEval ="), content_type="text/javascript"))
    page.goto(f"http://127.0.0.1:{port}/")
    page.get_by_text("Accept").click()
    page.set_input_files("#open-file-dialog", model)
    page.locator("g.node").first.wait_for(state="attached", timeout=60_000)
    page.set_input_files("#open-file-dialog", attachment)
    page.wait_for_timeout(2000)
    shown = set()
    for what in ("#edge-paths-hit-test path", "g.node-argument"): # values, and tensors inside nodes
        each = page.locator(what)
        for n in range(each.count()):
            each.nth(n).dispatch_event("click")
            page.wait_for_timeout(50)
            text = page.locator("#sidebar").inner_text()
            shown |= {(target, value) for target, value in wanted if target in text and value in text}
    page.close()
    netron.stop()
    for target, value in sorted(wanted - shown):
        print(f"not shown: {target}: {value}", file=sys.stderr)
    return len(shown), len(wanted)


def in_model_explorer(browser, graph, data):
    """What its page says of the graph: namespaces of the first level that are drawn, and the states of its nodes."""
    port = free_port()
    server = subprocess.Popen([sys.executable, "-m", "model_explorer", graph, "--node_data_paths", data, "--port",
        str(port), "--no_open_in_browser", "--skip_health_check"], stdout=subprocess.PIPE, text=True)
    try:
        url = None
        while url is None:
            line = server.stdout.readline()
            if not line:
                raise RuntimeError("Model Explorer did not start")
            found = re.search(r"http://\S+", line)
            url = found and found.group(0)
        page = browser.new_page(viewport={"width": 1600, "height": 1200})
        page.goto(url)
        page.wait_for_timeout(8000)
        text = page.locator("body").inner_text()
        page.close()
    finally:
        server.kill()
    return text


def main():
    cli, chromium = sys.argv[1:3]
    print("| model | entries of the attachment that Netron shows | scopes that Model Explorer lists, of all | states of node data it lists |")
    print("|---|---|---|---|")
    with sync_playwright() as play, tempfile.TemporaryDirectory() as folder:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        at = lambda name: os.path.join(folder, name)
        for path in sys.argv[3:]:
            run(cli, "quantize", path, "--data", "random:4", "-o", at("q.onnx"), "--no-transform")
            run(cli, "convert-state", at("q.onnx"), "--to", "netron", "-o", at("n.json"))
            for form in ("graph", "data"):
                run(cli, "convert-state", path, "--no-transform", "--to", "model-explorer-" + form, "-o", at(form + ".json"))
            shown, wanted = in_netron(browser, path, at("n.json"))
            text = in_model_explorer(browser, at("graph.json"), at("data.json"))
            with open(at("graph.json")) as file:
                nodes = json.load(file)["graphs"][0]["nodes"]
            with open(at("data.json")) as file:
                states = {entry["value"] for entry in json.load(file)["results"].values()}
            scopes = {node["namespace"].split("/")[0] for node in nodes} - {""}
            print(f"| {os.path.basename(path)} | {shown} of {wanted} | {sum(scope in text for scope in scopes)} of {len(scopes)} "
                  f"| {sum(state in text for state in states)} of {len(states)} |", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
