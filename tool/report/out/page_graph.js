// SPDX-License-Identifier: BSD-2-Clause
/*
 * page_graph.js - the flame graph of page.html: frames, zoom, keys, the tooltip.
 */
function describe(i) {
	const share = total[state.zoom] ? (100 * total[i] / total[state.zoom]).toFixed(2) + "%" : "0%";
	const lines = files ? [`${data.events[state.event].name}, A to ${fileName(state.event)}: ${changed(total[i], totalBy[i])}`,
		`itself: ${changed(self[i], selfBy[i])}`] :
		[`${percent(total[i])} total, ${percent(self[i])} itself`,
		`${grouped(total[i])} ${data.events[state.event].name}, ${grouped(self[i])} itself`];
	const o = objectOf(i), f = kind[i] >= FUNCTION ? data.functions[what[i]] : null;

	if (state.zoom)
		lines.splice(1, 0, share + " of what is zoomed to");
	if (kind[i] === INLINED)
		lines.push("inlined into " + name[parent[i]]);
	if (o)
		lines.push(o.path);
	if (f && f.file >= 0)
		lines.push(data.names[f.file] + (f.line ? ":" + f.line : ""));
	return lines;
}

function frame(i, left, width, above) {
	const e = document.createElement("div");

	e.className = "frame" + (kind[i] === INLINED ? " inlined" : "") + (above ? " above" : "") +
		(matches && matches[i] ? " found" : "");
	e.style.left = 100 * left + "%";
	e.style.width = 100 * width + "%";
	e.style.top = HEIGHT * depth[i] + "px";
	e.style.background = colour(i);
	e.textContent = width > 0.012 ? name[i] : "";
	e.dataset.node = i;
	e.tabIndex = i === state.zoom ? 0 : -1;
	e.setAttribute("role", "treeitem");
	e.setAttribute("aria-level", depth[i] + 1);
	e.setAttribute("aria-label", name[i] + ", " + describe(i)[0]);
	visible.push(i);
	return e;
}

function drawGraph() {
	const graph = $("graph"), list = document.createDocumentFragment();
	const least = 0.7 / Math.max(graph.clientWidth, 400);
	let deepest = depth[state.zoom];

	visible = [];
	for (let i = parent[state.zoom]; i >= 0; i = parent[i])
		list.append(frame(i, 0, 1, true));
	const todo = [[state.zoom, 0, 1]];
	while (todo.length) {
		const [i, left, width] = todo.pop();
		let at = left;

		deepest = Math.max(deepest, depth[i]);
		list.append(frame(i, left, width, false));
		for (const c of children[i]) {
			const part = total[i] ? width * total[c] / total[i] : 0;

			if (part < least)
				break;
			todo.push([c, at, part]);
			at += part;
		}
	}
	graph.replaceChildren(list);
	graph.style.height = HEIGHT * (deepest + 1) + 2 + "px";
	$("reset").disabled = !state.zoom;
	$("open").hidden = !!files || kind[state.zoom] < FUNCTION;
}

const elementOf = i => $("graph").querySelector(`[data-node="${i}"]`);

function focusOn(i) {
	const e = elementOf(i);

	if (!e)
		return;
	for (const other of $("graph").querySelectorAll('[tabindex="0"]'))
		other.tabIndex = -1;
	e.tabIndex = 0;
	e.focus();
}

function hideTip() {
	$("tip").hidden = true;
}

function showTip(i, x, y) {
	const tip = $("tip"), title = document.createElement("b");

	title.textContent = name[i];
	tip.replaceChildren(title, ...describe(i).map(line => {
		const span = document.createElement("span");

		span.textContent = line;
		return span;
	}));
	tip.hidden = false;
	tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - tip.offsetWidth - 8)) + "px";
	tip.style.top = (y + 20 + tip.offsetHeight > innerHeight ? y - tip.offsetHeight - 10 : y + 20) + "px";
}

function sibling(i, step) {
	const row = visible.filter(n => depth[n] === depth[i]);

	row.sort((a, b) => parseFloat(elementOf(a).style.left) - parseFloat(elementOf(b).style.left));
	return row[row.indexOf(i) + step];
}

function graphKey(event) {
	const i = Number(event.target.dataset.node);
	const steps = {
		ArrowUp: () => parent[i],
		ArrowDown: () => children[i].find(c => visible.includes(c)),
		ArrowLeft: () => sibling(i, -1),
		ArrowRight: () => sibling(i, 1),
		Home: () => 0,
	};

	if (event.key === "Enter" || event.key === " ") {
		zoomTo(i, true);
	} else if (event.key === "s" && !files && kind[i] >= FUNCTION && !event.ctrlKey && !event.metaKey) {
		openSource(what[i]);
	} else if (steps[event.key]) {
		const to = steps[event.key]();

		if (to !== undefined && to >= 0)
			focusOn(to);
	} else {
		return;
	}
	event.preventDefault();
}
