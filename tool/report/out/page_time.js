// SPDX-License-Identifier: BSD-2-Clause
/*
 * page_time.js - the time line of page.html: the event in each interval of guest time, by process, of one hart or all.
 */
const TIME_WIDTH = 1000, TIME_HEIGHT = 120, TIME_PROCESSES = 8;
const svgElement = (kind, attributes) => {
	const e = document.createElementNS("http://www.w3.org/2000/svg", kind);

	for (const [key, value] of Object.entries(attributes))
		e.setAttribute(key, value);
	return e;
};

/* The event by process and column of the picture; a column may have several intervals. */
function timeColumns() {
	const {slices, counts} = data.times, list = counts[state.event];
	const last = slices.reduce((most, s) => Math.max(most, s[0]), 0), nr = Math.min(last + 1, TIME_WIDTH);
	const rows = new Map();

	for (let n = 0; n < list.length; n += 2) {
		const [interval, hart, process] = slices[list[n]];

		if (state.hart >= 0 && hart !== state.hart)
			continue;
		if (!rows.has(process))
			rows.set(process, {process, sum: 0, values: new Float64Array(nr)});
		const row = rows.get(process);
		row.values[Math.floor(interval * nr / (last + 1))] += list[n + 1];
		row.sum += list[n + 1];
	}
	return {nr, last, rows: [...rows.values()].sort((a, b) => b.sum - a.sum || a.process - b.process)};
}

/* A band of the picture: row on top of what is below. */
function band(row, below, most, nr, name, hue) {
	const width = TIME_WIDTH / nr, y = value => (TIME_HEIGHT * (1 - value / most)).toFixed(2);
	let up = "", down = "";

	for (let n = 0; n < nr; n++) {
		up += `L${(n * width).toFixed(2)} ${y(below[n] + row.values[n])}H${((n + 1) * width).toFixed(2)}`;
		down = `L${((n + 1) * width).toFixed(2)} ${y(below[n])}H${(n * width).toFixed(2)}` + down;
		below[n] += row.values[n];
	}
	const path = svgElement("path", {d: "M" + up.slice(1) + down + "Z", fill: hue}), title = svgElement("title", {});

	title.textContent = name;
	path.append(title);
	return path;
}

function drawTime() {
	if ($("time").hidden)
		return;
	const {nr, last, rows} = timeColumns(), most = new Float64Array(nr), below = new Float64Array(nr);
	const shown = rows.slice(0, TIME_PROCESSES), items = [];

	for (const row of shown)
		row.values.forEach((value, n) => { most[n] += value; });
	const top = most.reduce((a, b) => Math.max(a, b), 0) || 1;
	const picture = svgElement("svg", {viewBox: `0 0 ${TIME_WIDTH} ${TIME_HEIGHT}`, preserveAspectRatio: "none",
		role: "img", "aria-label": `${data.events[state.event].name} over ${(last + 1) * data.times.ms} ms`});

	shown.forEach((row, n) => {
		const item = document.createElement("li"), hue = `hsl(${(n * 67 + 205) % 360} 55% 58%)`;
		const name = `${data.times.processes[row.process]}: ${grouped(row.sum)}`;

		picture.append(band(row, below, top, nr, name, hue));
		item.textContent = name;
		item.style.borderColor = hue;
		items.push(item);
	});
	$("time-picture").replaceChildren(picture);
	$("time-list").replaceChildren(...items);
	$("time-hint").textContent = `${data.events[state.event].name} over ${grouped((last + 1) * data.times.ms)} ms of guest time, ` +
		`at most ${grouped(top)} in ${grouped(Math.ceil((last + 1) / nr) * data.times.ms)} ms` +
		(rows.length > shown.length ? `; ${rows.length - shown.length} processes with less are not shown` : "");
}

function listenTime() {
	const harts = [...new Set(data.times.slices.map(s => s[1]))].sort((a, b) => a - b);

	$("time").hidden = !!files || !harts.length;
	$("hart").hidden = harts.length < 2;
	$("hart").append(new Option("all harts", -1), ...harts.map(h => new Option("hart " + h, h)));
	$("hart").addEventListener("change", () => {
		state.hart = Number($("hart").value);
		drawTime();
	});
}
