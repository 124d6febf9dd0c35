// SPDX-License-Identifier: BSD-2-Clause
/*
 * page_start.js - the view of page.html in its address, its events, its head; starts the page.
 */
/* The view stands in the address, so that it can be kept and sent. */
function remember() {
	const h = new URLSearchParams();

	if (state.event)
		h.set("event", data.events[state.event].name);
	if (files > 2)
		h.set("file", state.event % files);
	if (state.zoom)
		h.set("zoom", state.zoom);
	if (state.source >= 0)
		h.set("source", state.source);
	if (state.search)
		h.set("search", state.search);
	if (state.sort !== "self" || state.up)
		h.set("sort", state.sort + (state.up ? "-up" : ""));
	try {
		history.replaceState(null, "", "#" + h);
	} catch (e) {
		/* Where the page has no address of its own. */
	}
}

function recall() {
	const h = new URLSearchParams(location.hash.slice(1));
	const event = data.events.findIndex(e => e.name === h.get("event"));
	const zoom = Number(h.get("zoom")), sort = h.get("sort") || "self";

	state.event = Math.max(event, 0);
	if (files)
		state.event += Math.min(Math.max(Number(h.get("file")) || 1, 1), files - 1);
	state.zoom = zoom > 0 && zoom < count && Number.isInteger(zoom) ? zoom : 0;
	const source = h.has("source") ? Number(h.get("source")) : -1;

	state.source = !files && Number.isInteger(source) && source < data.functions.length ? source : -1;
	state.search = h.get("search") || "";
	state.up = sort.endsWith("-up");
	state.sort = sort.replace(/-up$/, "");
	if (!["self", "total", "name", "object", "source"].includes(state.sort))
		state.sort = "self";
	$("event").value = state.event;
	$("search").value = state.search;
}

function draw() {
	search();
	drawTime();
	drawGraph();
	drawTable();
	drawSource();
	drawThings();
	remember();
}

function zoomTo(i, focus) {
	state.zoom = i;
	hideTip();
	drawGraph();
	remember();
	if (focus)
		focusOn(i);
}

function setSearch(value) {
	$("search").value = state.search = value;
	draw();
}

const nodeAt = target => target.closest && target.closest(".frame") ?
	Number(target.closest(".frame").dataset.node) : -1;

function listen() {
	const graph = $("graph");

	graph.addEventListener("click", e => nodeAt(e.target) >= 0 && zoomTo(nodeAt(e.target), true));
	graph.addEventListener("keydown", graphKey);
	graph.addEventListener("mousemove", e => nodeAt(e.target) >= 0 ?
		showTip(nodeAt(e.target), e.clientX, e.clientY) : hideTip());
	graph.addEventListener("mouseleave", hideTip);
	graph.addEventListener("focusin", e => {
		const box = e.target.getBoundingClientRect();

		if (e.target.matches(":focus-visible"))
			showTip(nodeAt(e.target), Math.max(box.left, 0), box.top);
	});
	graph.addEventListener("focusout", hideTip);
	$("event").addEventListener("change", () => {
		state.event = Number($("event").value);
		addUp();
		draw();
	});
	$("search").addEventListener("input", () => setSearch($("search").value));
	$("reset").addEventListener("click", () => zoomTo(0, true));
	$("open").addEventListener("click", () => openSource(what[state.zoom]));
	$("more").addEventListener("click", () => {
		state.all = true;
		drawTable();
	});
	$("theme").addEventListener("click", () => {
		const root = document.documentElement;

		root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
	});
	document.addEventListener("keydown", e => {
		if (e.key === "/" && !e.target.matches("input, select")) {
			$("search").focus();
			e.preventDefault();
		} else if (e.key === "Escape") {
			hideTip();
			if (e.target === $("search"))
				setSearch("");
			else if (e.target.closest && e.target.closest("#source"))
				closeSource();
			else
				zoomTo(Math.max(parent[state.zoom], 0), true);
		}
	});
	addEventListener("resize", drawGraph);
	addEventListener("hashchange", () => {
		recall();
		addUp();
		draw();
	});
}

function head() {
	const where = [data.host, data.release && "Linux " + data.release, data.arch].filter(Boolean);

	const what = files ? "What differs from A" : data.command || data.file;

	document.title = what + (files ? " - Holter diff" : " - Holter report");
	$("command").textContent = what;
	if (files) {
		$("graph-title").textContent = "Differential flame graph";
		$("notes").classList.add("plain");
		$("hint").firstChild.data = $("hint").firstChild.data.replace("the share of the event",
			"the mean of both, red: more than in A, blue: less");
	}
	$("facts").textContent = files ? data.events[0].exact ?
		"exact counts, without noise: every difference is real" :
		"samples: holter diff as a table says which differences are within noise" : (where.length ? where.join(", ") + " \u00b7 " : "") + data.file;
	for (const note of data.notes) {
		const li = document.createElement("li");

		li.textContent = note;
		$("notes").append(li);
	}
	const groups = [["Cycles and waits", /^(cycles|wait-|stalled|.*-cycles)/],
		["Branches", /branch|mispredict|^btb|taken|^(cond|jumps|calls|returns|indirect|direct)/],
		["TLBs and page walks", /tlb|walk/i], ["Traps", /^(exceptions|interrupts|page-faults|ecalls|misaligned)/],
		["Caches and memory", /^(l1|l2|ll-|bus|snoop|uncached|cache)|L1-|LLC/], ["Instructions", /./]];
	/* Many events are grouped by what they are about. */
	const eventGroup = (name) => {
		const [label] = groups.find(([, names]) => names.test(name));
		let group = [...$("event").children].find((g) => g.label === label);

		if (data.events.length <= 12)
			return $("event");
		if (!group) {
			group = document.createElement("optgroup");
			group.label = label;
			$("event").append(group);
		}
		return group;
	};

	data.events.forEach((e, i) => {
		const number = Number(e.total).toLocaleString("en-US");

		if (files) {
			if (i % files)
				eventGroup(e.name).append(new Option(eventName(i), i));
			return;
		}
		const option = new Option(e.name + (e.exact ? `: ${number}` :
			`: about ${number}, ${plural(e.samples, "sample")}`), i);

		eventGroup(e.name).append(option);
	});
	for (const [key, title, className] of columns) {
		const th = document.createElement("th"), button = document.createElement("button");

		th.className = className;
		th.scope = "col";
		if (title) {
			th.dataset.key = key;
			button.textContent = title;
			button.onclick = () => {
				state.up = state.sort === key ? !state.up :
					!["self", "total"].includes(key);
				state.sort = key;
				drawTable();
				remember();
			};
			th.append(button);
		}
		$("table").tHead.rows[0].append(th);
	}
	document.documentElement.dataset.theme =
		matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

head();
recall();
addUp();
listen();
listenSource();
listenTime();
listenThings();
drawSummary();
draw();
