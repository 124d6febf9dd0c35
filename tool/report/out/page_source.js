// SPDX-License-Identifier: BSD-2-Clause
/*
 * page_source.js - the code of a function of page.html: its source lines beside its instructions, each with its
 * part of the event.
 */
let codes = null;

/* The code of function f; undefined: the page has it not.  It is parsed when the first function is opened. */
function codeOf(f) {
	if (!codes) {
		const all = JSON.parse($("code").textContent);

		codes = {files: all.files, of: new Map(all.functions.map(c => [c.function, c]))};
	}
	return codes.of.get(f);
}

/* Names of files are long, and their ends tell them apart. */
const shortPath = path => path.split("/").slice(-2).join("/");

/* The weights of the event, by instruction, and by "file:line". */
function weights(c) {
	const insns = new Float64Array(c.insns.length), lines = new Map();
	const list = c.counts[state.event];

	for (let n = 0; n < list.length; n += 2) {
		const [, , file, line] = c.insns[list[n]], key = file + ":" + line;

		insns[list[n]] = Number(list[n + 1]);
		lines.set(key, (lines.get(key) || 0) + insns[list[n]]);
	}
	return {insns, lines, sum: insns.reduce((a, b) => a + b, 0)};
}

function heatCells(row, value, sum) {
	const part = sum ? value / sum : 0;

	row.style.setProperty("--heat", (100 * Math.sqrt(part)).toFixed(1) + "%");
	row.classList.toggle("hot", part > 0);
	cell(row, part ? (100 * part).toFixed(2) + "%" : "", "number");
	cell(row, value ? grouped(value) : "", "number");
}

function codeRow(body, key) {
	const row = body.insertRow();

	row.dataset.line = key;
	row.tabIndex = -1;
	return row;
}

/* The lines of one file that belong to the function, and the few around them. */
function fileLines(c, file) {
	const used = c.insns.filter(i => i[2] === file).map(i => i[3]);
	const near = new Set();

	for (const line of used)
		for (let n = line - 4; n <= line + 4; n++)
			near.add(n);
	return [...near].filter(n => codes.files[file].lines[n] !== undefined).sort((a, b) => a - b);
}

function drawLines(c, w) {
	const body = document.createElement("tbody");
	const order = [...new Set(c.insns.map(i => i[2]).filter(f => f >= 0))];

	for (const file of order) {
		const title = body.insertRow(), lines = fileLines(c, file);
		let last = 0;

		title.className = "file";
		cell(title, codes.files[file].path + (lines.length ? "" : ": the file is not here"), "").colSpan = 4;
		if (!lines.length)
			lines.push(...new Set(c.insns.filter(i => i[2] === file).map(i => i[3])));
		for (const n of lines) {
			const key = file + ":" + n, row = codeRow(body, key);

			row.classList.toggle("gap", last > 0 && n > last + 1);
			heatCells(row, w.lines.get(key) || 0, w.sum);
			cell(row, n, "number where");
			cell(row, codes.files[file].lines[n] || "", "text");
			last = n;
		}
	}
	$("lines").tBodies[0].replaceWith(body);
	$("lines").parentElement.hidden = !order.length;
}

function drawInsns(c, w) {
	const body = document.createElement("tbody");

	c.insns.forEach(([addr, text, file, line], n) => {
		const row = codeRow(body, file + ":" + line);

		heatCells(row, w.insns[n], w.sum);
		cell(row, addr.slice(2), "where");
		cell(row, text, "text");
		if (file >= 0)
			row.title = shortPath(codes.files[file].path) + ":" + line;
	});
	$("insns").tBodies[0].replaceWith(body);
}

/* Marks the source line and the instructions that belong together. */
function markLine(row) {
	const other = row.closest("table") === $("lines") ? $("insns") : $("lines");
	let first = null;

	for (const r of $("source").querySelectorAll("tr[data-line]")) {
		const same = r.dataset.line === row.dataset.line && !r.dataset.line.startsWith("-1:");

		r.classList.toggle("marked", same);
		if (same && !first && r.closest("table") === other)
			first = r;
	}
	if (first && first.scrollIntoView)
		first.scrollIntoView({block: "nearest"});
}

function focusRow(row) {
	if (!row)
		return;
	for (const r of row.closest("table").querySelectorAll('[tabindex="0"]'))
		r.tabIndex = -1;
	row.tabIndex = 0;
	row.focus();
	markLine(row);
}

/* The row with most of the event. */
function hottest(table) {
	const rows = [...table.querySelectorAll("tr[data-line]")];
	const heat = r => parseFloat(r.style.getPropertyValue("--heat"));

	return rows.reduce((best, r) => !best || heat(r) > heat(best) ? r : best, null);
}

function drawSource() {
	const f = state.source, section = $("source");

	section.hidden = f < 0;
	if (f < 0)
		return;
	const c = codeOf(f), w = c && weights(c);

	$("source-title").textContent = data.names[data.functions[f].name];
	$("code-view").hidden = !c;
	$("source-hint").textContent = !c ?
		"This page has the code of functions with at least 0.1% of an event; holter annotate shows every function." :
		`${grouped(w.sum)} ${data.events[state.event].name} in its own code` +
		(c.partly ? `; only instructions that ran: ${c.partly}` : "") +
		(c.cut ? `; ${plural(c.cut, "instruction")} more, which holter annotate shows` : "");
	if (!c)
		return;
	drawLines(c, w);
	drawInsns(c, w);
	for (const table of [$("lines"), $("insns")]) {
		const row = hottest(table);

		if (row)
			row.tabIndex = 0;
	}
}

function openSource(f) {
	state.source = f;
	drawSource();
	remember();
	if (f < 0)
		return;
	const row = hottest($("lines").parentElement.hidden ? $("insns") : $("lines"));

	hideTip();
	if ($("source").scrollIntoView)
		$("source").scrollIntoView();
	if (row && !$("code-view").hidden)
		focusRow(row);
	else
		$("close").focus();
}

/* The same for a line of the source, which may be that of an inlined function. */
function openLine(f, file, line) {
	openSource(f);
	if ($("code-view").hidden || file < 0)
		return;
	const n = codes.files.findIndex(f => f.path === data.names[file]);

	focusRow($("lines").querySelector(`tr[data-line="${n}:${line}"]`));
}

function closeSource() {
	const f = state.source, button = $("table").querySelector(`[data-function="${f}"] button`);

	openSource(-1);
	if (button)
		button.focus();
}

function sourceKey(event) {
	const row = event.target.closest("tr[data-line]"), table = row && row.closest("table");
	const rows = table ? [...table.querySelectorAll("tr[data-line]")] : [];
	const other = table === $("lines") ? $("insns") : $("lines");
	const steps = {
		ArrowUp: () => rows[rows.indexOf(row) - 1],
		ArrowDown: () => rows[rows.indexOf(row) + 1],
		Home: () => rows[0],
		End: () => rows[rows.length - 1],
		ArrowLeft: () => $("lines").querySelector(".marked"),
		ArrowRight: () => $("insns").querySelector(".marked"),
		Enter: () => other.querySelector(".marked"),
		h: () => hottest(table),
	};

	if (!row || !Object.hasOwn(steps, event.key) || event.ctrlKey || event.metaKey || event.altKey)
		return;
	focusRow(steps[event.key]());
	event.preventDefault();
	event.stopPropagation();
}

function listenSource() {
	for (const table of [$("lines"), $("insns")])
		table.addEventListener("click", e => focusRow(e.target.closest("tr[data-line]")));
	$("source").addEventListener("keydown", sourceKey);
	$("close").addEventListener("click", closeSource);
}
