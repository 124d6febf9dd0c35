// SPDX-License-Identifier: BSD-2-Clause
/*
 * page_things.js - the data of page.html: at which variables and allocated memory events happened, in which members
 * and by which lines of code; and the lines of the cache that harts take from each other.
 */
const THINGS = 50, LINES = 10;
const things = data.things;
const thingView = {open: -1, sort: 0, all: false, allLines: false, columns: []};

/* A list of event, count, event, count... as a function of the events of a column. */
function valueOf(counts, column) {
	let sum = 0;

	for (let n = 0; n < counts.length; n += 2)
		sum += column.events.includes(counts[n]) ? counts[n + 1] : 0;
	return sum;
}

const nameOf = n => n < 0 ? "" : data.names[n];
const functionOf = n => n < 0 ? "" : data.names[data.functions[n].name];
const place = (file, line) => file < 0 ? "" : shortPath(data.names[file]) + (line ? ":" + line : "");
const thingText = t => nameOf(t.name) || "[unknown]";

/* The event of the page, if it is told of data, and the sums that are not 0. */
function thingColumns() {
	const told = things.list.some(t => valueOf(t.counts, {events: [state.event]}));
	const all = told ? [{name: data.events[state.event].name, events: [state.event]}] : [];

	return all.concat(things.columns).map(c => ({...c, total: things.list.reduce((s, t) => s + valueOf(t.counts, c), 0)}))
		.filter(c => c.total);
}

/* The head of a column that is not sorted by. */
function columnHead(title, className) {
	const th = document.createElement("th"), text = document.createElement("button");

	th.className = className;
	th.scope = "col";
	text.textContent = title;
	text.disabled = true;
	th.append(text);
	return th;
}

function headThings() {
	const row = document.createElement("tr"), titles = ["Share", ...thingView.columns.map(c => c.name)];

	titles.forEach((title, n) => {
		const th = document.createElement("th"), button = document.createElement("button");

		th.className = "number";
		th.scope = "col";
		button.textContent = title;
		button.onclick = () => {
			thingView.sort = Math.max(n - 1, 0);
			drawThings();
		};
		if (n)
			th.setAttribute("aria-sort", thingView.sort === n - 1 ? "descending" : "none");
		th.append(button);
		row.append(th);
	});
	for (const title of ["Data", "Process", "Size", "Object"]) {
		row.append(columnHead(title, ""));
	}
	$("things").tHead.rows[0].replaceWith(row);
}

function thingNumbers(row, counts) {
	const by = thingView.columns[thingView.sort], part = 100 * valueOf(counts, by) / by.total;

	cell(row, part.toFixed(2) + "%", "number share").style.setProperty("--part", part + "%");
	for (const c of thingView.columns)
		cell(row, valueOf(counts, c) ? grouped(valueOf(counts, c)) : "", "number");
}

/* A button that shows the code of a function; text alone, if there is none. */
function codeButton(parent, text, f, file, line) {
	if (f < 0) {
		parent.append(text);
		return;
	}
	const button = document.createElement("button");

	button.textContent = text;
	button.title = "show its source and instructions";
	button.onclick = () => openLine(f, file, line);
	parent.append(button);
}

function drawParts(body, thing) {
	const by = thingView.columns[thingView.sort];
	const parts = things.parts.filter(p => p[0] === thing).map(p => ({p, value: valueOf(p[6], by)}))
		.sort((a, b) => b.value - a.value).slice(0, thingView.all ? Infinity : THINGS);

	for (const {p: [, member, f, outer, file, line, counts]} of parts) {
		const row = body.insertRow();

		row.className = "part";
		thingNumbers(row, counts);
		const td = cell(row, nameOf(member) + (f < 0 ? "" : " "), "name");

		codeButton(td, functionOf(f), outer, file, line);
		cell(row, place(file, line), "where").colSpan = 3;
	}
}

function drawThing(body, t, n) {
	const row = body.insertRow(), button = document.createElement("button");

	row.dataset.thing = n;
	thingNumbers(row, t.counts);
	button.textContent = thingText(t);
	button.title = "show where in it, and which code";
	button.setAttribute("aria-expanded", thingView.open === n);
	button.onclick = () => {
		thingView.open = thingView.open === n ? -1 : n;
		drawThings();
		$("things").querySelector(`tr[data-thing="${n}"] button`).focus();
	};
	cell(row, "", "name").append(button);
	cell(row, nameOf(t.process), "where");
	cell(row, t.size ? grouped(t.size) : "", "number");
	cell(row, t.object < 0 ? "" : data.objects[t.object].name, "where").title = t.object < 0 ? "" : data.objects[t.object].path;
	if (thingView.open === n)
		drawParts(body, n);
}

/* Things that the search finds, by the column of the order. */
function foundThings() {
	const test = state.search ? matcher(state.search) : null, by = thingView.columns[thingView.sort];

	return things.list.map((t, n) => ({t, n, value: valueOf(t.counts, by)}))
		.filter(({t}) => !test || test(thingText(t), t.object < 0 ? null : data.objects[t.object]))
		.sort((a, b) => b.value - a.value || a.n - b.n);
}

function drawSharer(body, [thing, offset, bytes, hart, does, took, lost, f, outer, file, line]) {
	const row = body.insertRow();

	row.className = "access";
	cell(row, bytes ? `${offset}-${offset + bytes - 1}` : "-", "number");
	cell(row, hart, "number");
	cell(row, does, "");
	cell(row, grouped(took), "number");
	cell(row, grouped(lost), "number");
	codeButton(cell(row, "", "name"), functionOf(f), outer, file, line);
	cell(row, place(file, line), "where");
	cell(row, thing < 0 ? "" : thingText(things.list[thing]), "");
}

function drawLine(body, l) {
	const row = body.insertRow(), harts = [...new Set(l.accesses.map(a => a[3]))].sort((a, b) => a - b);
	const names = [...new Set(l.accesses.filter(a => a[0] >= 0).map(a => thingText(things.list[a[0]])))];

	row.className = "line";
	cell(row, `${plural(l.taken, "time")}: ${l.address}${names.length ? ", " + names.join(", ") : ""}` +
		(l.process < 0 ? "" : ` of ${nameOf(l.process)}`) + `, harts ${harts.join(", ")}: ` +
		(l.overlaps ? "they use the same bytes" : "false sharing, no hart uses bytes that another one writes"), "").colSpan = 8;
	l.accesses.forEach(a => drawSharer(body, a));
}

function drawSharing() {
	const body = document.createElement("tbody"), row = document.createElement("tr");
	const shown = thingView.allLines ? things.lines : things.lines.slice(0, LINES);

	$("sharing-view").hidden = !things.lines.length;
	for (const [title, className] of [["Bytes", "number"], ["Hart", "number"], ["Does", ""], ["Took", "number"],
		["Lost", "number"], ["Function", ""], ["Source", ""], ["Data", ""]]) {
		row.append(columnHead(title, className));
	}
	$("sharing").tHead.rows[0].replaceWith(row);
	shown.forEach(l => drawLine(body, l));
	$("sharing").tBodies[0].replaceWith(body);
	$("more-lines").hidden = shown.length === things.lines.length;
	$("sharing-hint").textContent = shown.length === things.lines.length ? plural(shown.length, "line") :
		`the first ${shown.length} of ${things.lines.length}`;
}

function drawThings() {
	if (!things)
		return;
	thingView.columns = thingColumns();
	$("data-view").hidden = !thingView.columns.length;
	if ($("data-view").hidden)
		return;
	thingView.sort = Math.min(thingView.sort, thingView.columns.length - 1);
	const found = foundThings(), shown = thingView.all ? found : found.slice(0, THINGS);
	const body = document.createElement("tbody");

	headThings();
	shown.forEach(({t, n}) => drawThing(body, t, n));
	$("things").tBodies[0].replaceWith(body);
	$("more-things").hidden = shown.length === found.length;
	$("data-hint").textContent = "a click shows where in it, and the code; " +
		(shown.length === found.length ? plural(found.length, "row") : `the first ${shown.length} of ${found.length}`) +
		(things.cut ? `; ${plural(things.cut, "part")} more, which holter report -s data,member,line shows` : "");
	drawSharing();
}

function listenThings() {
	$("more-things").addEventListener("click", () => {
		thingView.all = true;
		drawThings();
	});
	$("more-lines").addEventListener("click", () => {
		thingView.allLines = true;
		drawThings();
	});
}
