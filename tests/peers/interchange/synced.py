#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Our sync file in Model Explorer itself: does the other pane follow what is selected in one?

Usage: synced.py DUOSCOPE_CLI CHROMIUM MOST FLOAT.onnx... ; needs ai-edge-model-explorer and playwright. The graph of each model
is opened beside that of the simplified one, and the sync file is given to the dialog of the panes. Of at most MOST nodes that
the file maps, and of as many that have one name on both sides, each is selected on the left by the page's own message, as a
click does; then the other way round, with the sides turned. Prints a row for each model. A node takes seconds without a
graphics card.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

from playwright.sync_api import sync_playwright

from viewers import free_port, run


def some(nodes, most):
    """Evenly from all."""
    return nodes[::max(1, len(nodes) // most)][:most]


def open_beside(page, url, sync):
    """Both graphs of the page in panes of their own, synchronized by a file."""
    page.set_default_timeout(120_000)
    page.goto(url)
    page.locator("graph-selector").first.wait_for()
    page.wait_for_timeout(3000)
    page.get_by_text("main", exact=True).first.click()
    page.locator("graph-selector-panel .action-button").nth(1).click()
    page.wait_for_timeout(3000)
    page.get_by_text("Sync", exact=True).click()
    with page.expect_file_chooser() as chooser:
        page.locator(".upload-mapping-button").first.click()  # it also turns the mode on
    chooser.value.set_files(sync)
    page.get_by_text(os.path.basename(sync)).wait_for()  # it says the name once it has read the file
    page.locator(".cdk-overlay-backdrop").last.click()
    page.locator(".pane-container").first.locator("canvas").first.click(position={"x": 5, "y": 300})


def followed(page, node, wanted):
    """Whether the right pane selects one of the wanted nodes when the left one is told to select a node."""
    panes = page.locator(".pane-container")

    def selected(pane):
        found = re.search(r"^id\s+(.+)$", panes.nth(pane).inner_text(), re.MULTILINE)
        return found.group(1).strip() if found else None

    page.evaluate("id => window.postMessage({cmd: 'model-explorer-select-node-by-node-id', nodeId: id}, '*')", node)
    for _ in range(30):
        page.wait_for_timeout(250)
        if selected(0) == node and selected(1) in wanted:
            return True
    print("not followed:", node, "->", wanted, file=sys.stderr)
    return False


def counts(browser, left, right, sync, most):
    """(followed, asked) of mapped nodes of the left, and of nodes of one name."""
    with open(left) as a, open(right) as b, open(sync) as c:
        ids = [[node["id"] for node in json.load(file)["graphs"][0]["nodes"]] for file in (a, b)]
        entries = json.load(c)["mappingEntries"]
    mapped = {node: entry["rightNodeIds"] for entry in entries for node in entry["leftNodeIds"]}
    asked = [{node: mapped[node] for node in some(list(mapped), most)},
             {node: [node] for node in some([node for node in ids[0] if node in set(ids[1]) - set(mapped)], most)}]
    server = subprocess.Popen([sys.executable, "-m", "model_explorer", left, right, "--port", str(free_port()),
        "--no_open_in_browser", "--skip_health_check"], stdout=subprocess.PIPE, text=True)
    try:
        url = next(found.group(0) for line in server.stdout if (found := re.search(r"http://\S+", line)))
        page = browser.new_page(viewport={"width": 1100, "height": 600})
        open_beside(page, url, sync)
        counted = [(sum(followed(page, node, wanted) for node, wanted in nodes.items()), len(nodes)) for nodes in asked]
        page.close()
    finally:
        server.kill()
    return counted


def main():
    cli, chromium, most = sys.argv[1:4]
    print("| model | mapped nodes that the right pane follows | the other way round | nodes of one name |")
    print("|---|---|---|---|")
    with sync_playwright() as play, tempfile.TemporaryDirectory() as folder:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        at = lambda name: os.path.join(folder, name)
        for path in sys.argv[4:]:
            run(cli, "convert-state", path, "--no-transform", "--to", "model-explorer-graph", "-o", at("left.json"))
            run(cli, "convert-state", path, "--to", "model-explorer-graph", "-o", at("right.json"))
            run(cli, "convert-state", path, "--to", "model-explorer-sync", "-o", at("sync.json"))
            with open(at("sync.json")) as file:
                turned = json.load(file)
            for entry in turned["mappingEntries"]:
                entry["leftNodeIds"], entry["rightNodeIds"] = entry["rightNodeIds"], entry["leftNodeIds"]
            with open(at("turned.json"), "w") as file:
                json.dump(turned, file)
            forth, named = counts(browser, at("left.json"), at("right.json"), at("sync.json"), int(most))
            back = counts(browser, at("right.json"), at("left.json"), at("turned.json"), int(most))[0]
            print(f"| {os.path.basename(path)} | " + " | ".join(f"{a} of {b}" for a, b in (forth, back, named)) + " |", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
