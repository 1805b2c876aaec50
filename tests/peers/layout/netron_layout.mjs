// SPDX-License-Identifier: Apache-2.0
// Has Netron lay a graph out without a browser: its Graph class makes the request as it does in the window, and its
// layout answers in this process. Prints the seconds of the processor.
//
// Usage: node netron_layout.mjs FOLDER GRAPH
//   FOLDER  Netron's scripts (grapher.js, dagre.js)
//   GRAPH   {"boxes": [[width, height], ...], "edges": [[from, to], ...]}, sizes in px
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, file] = process.argv.slice(2);
const { Graph } = await import(pathToFileURL(path.join(folder, 'grapher.js')));
const { boxes, edges } = JSON.parse(fs.readFileSync(file, 'utf8'));

const graph = new Graph(false);
graph.options = { direction: 'vertical' };
boxes.forEach(([width, height], index) => {
    graph.setNode({ name: String(index), width, height, layout: async () => {} });
});
for (const [from, to] of edges) {
    graph.setEdge({ v: String(from), w: String(to) });
}
const start = process.cpuUsage();
await graph.layout(null);
if (!(graph.width > 0 && graph.height > 0)) {
    throw new Error('nothing was laid out');
}
const took = process.cpuUsage(start);
console.log((took.user + took.system) / 1e6);
