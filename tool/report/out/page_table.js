// SPDX-License-Identifier: BSD-2-Clause
/*
 * page_table.js - the table of functions of page.html.
 */
/* Functions over all their frames; a total counts recursion once. */
function tableRows() {
	const rows = new Map(), above = [];
	const stack = [[0, false]];

	while (stack.length) {
		const [i, leaving] = stack.pop();
		const key = kind[i] >= FUNCTION ? what[i] : -1;

		if (key >= 0 && !rows.has(key))
			rows.set(key, {f: key, self: 0, total: 0, selfBy: 0, totalBy: 0, open: 0});
		const row = rows.get(key);
		if (leaving) {
			row.open--;
			continue;
		}
		if (row) {
			row.self += self[i];
			row.selfBy += files ? selfBy[i] : 0;
			row.totalBy += files && !row.open ? totalBy[i] : 0;
			row.total += row.open++ ? 0 : total[i];
			stack.push([i, true]);
		}
		for (const c of children[i])
			stack.push([c, false]);
	}
	return [...rows.values()].filter(r => r.total);
}

const text = {
	name: r => data.names[data.functions[r.f].name],
	object: r => data.objects[data.functions[r.f].object].path,
	source: r => {
		const f = data.functions[r.f];
		return f.file < 0 ? "" : data.names[f.file] + (f.line ? ":" + f.line : "");
	},
};
const columns = files ? [
	["self", "Difference", "number"], ["selfn", "", "number"],
	["total", "With what it calls", "number"], ["totaln", "", "number"],
	["name", "Function", ""], ["object", "Object", ""], ["source", "Source", ""],
] : [
	["self", "Self", "number"], ["selfn", "", "number"],
	["total", "Total", "number"], ["totaln", "", "number"],
	["name", "Function", ""], ["object", "Object", ""], ["source", "Source", ""],
];

function compare(a, b) {
	const key = state.sort;
	let order;

	if (files && (key === "self" || key === "total"))
		order = Math.abs(a[key + "By"]) - Math.abs(b[key + "By"]) || a.total - b.total;
	else if (key === "self" || key === "total")
		order = a[key] - b[key] || a.total - b.total;
	else
		order = text[key](a) < text[key](b) ? -1 : text[key](a) > text[key](b) ? 1 : 0;
	return (state.up ? order : -order) || a.f - b.f;
}

function cell(row, value, className) {
	const td = row.insertCell();

	td.className = className;
	td.textContent = value;
	return td;
}

function share(row, value) {
	const td = cell(row, percent(value), "number share");

	td.style.setProperty("--part", (total[0] ? 100 * value / total[0] : 0) + "%");
}

function drawTable() {
	const test = state.search ? matcher(state.search) : null;
	const all = tableRows().sort(compare).filter(r => !test ||
		test(text.name(r), data.objects[data.functions[r.f].object]));
	const shown = state.all ? all : all.slice(0, FIRST_ROWS);
	const body = document.createElement("tbody");

	for (const r of shown) {
		const row = body.insertRow(), button = document.createElement("button");

		row.dataset.function = r.f;
		if (files) {
			cell(row, change(r.self, r.selfBy), "number");
			cell(row, fromTo(r.self, r.selfBy), "number");
			cell(row, change(r.total, r.totalBy), "number");
			cell(row, fromTo(r.total, r.totalBy), "number");
		} else {
			share(row, r.self);
			cell(row, grouped(r.self), "number");
			share(row, r.total);
			cell(row, grouped(r.total), "number");
		}
		button.textContent = text.name(r);
		button.title = files ? "search for it" : "show its source and instructions";
		button.onclick = () => files ? setSearch(text.name(r)) : openSource(r.f);
		cell(row, "", "name").append(button);
		cell(row, data.objects[data.functions[r.f].object].name, "where").title = text.object(r);
		cell(row, text.source(r), "where");
	}
	$("table").tBodies[0].replaceWith(body);
	$("more").hidden = shown.length === all.length;
	$("rows").textContent = shown.length === all.length ? `${plural(all.length, "function")}` :
		`the first ${shown.length} of ${all.length}`;
	for (const th of $("table").tHead.rows[0].cells)
		if (th.dataset.key)
			th.setAttribute("aria-sort", th.dataset.key !== state.sort ? "none" :
				state.up ? "ascending" : "descending");
}
