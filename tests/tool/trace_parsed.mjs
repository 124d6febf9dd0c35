// SPDX-License-Identifier: BSD-2-Clause
/*
 * trace_parsed.mjs - reads traces with the parser of Chrome's DevTools, and checks that it has all
 * their events, and their processes with their names.
 *
 * usage: node tests/tool/trace_parsed.mjs ENGINE FILE...
 *   ENGINE  the folder of npm's package @paulirish/trace_engine
 * Ends with 1 and a line that says what is wrong.
 */
import fs from "node:fs";

const [engine, ...files] = process.argv.slice(2);
globalThis.DOMRect = class {}; // DevTools runs in a browser
const { TraceModel } = await import(`${engine}/models/trace/trace.js`);

function names(events) {
	return events.filter(e => e.name === "process_name").map(e => `${e.pid} ${e.args.name}`).sort().join("\n");
}

for (const file of files) {
	const { traceEvents } = JSON.parse(fs.readFileSync(file, "utf8"));
	const counters = traceEvents.filter(e => e.ph === "C").length;
	const model = TraceModel.Model.createWithAllHandlers();

	await model.parse(structuredClone(traceEvents), { metadata: {} });
	const parsed = model.parsedTrace(0);
	const known = [...parsed.data.Meta.processNames.values()];

	if (!counters || parsed.traceEvents.filter(e => e.ph === "C").length !== counters) {
		console.log(`${file}: ${counters} counters, and DevTools reads another number`);
		process.exit(1);
	}
	if (names(known) !== names(traceEvents)) {
		console.log(`${file}: DevTools reads other processes:\n${names(known)}`);
		process.exit(1);
	}
}
