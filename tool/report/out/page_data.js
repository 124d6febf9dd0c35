// SPDX-License-Identifier: BSD-2-Clause
/*
 * page_data.js - the profile of the page: numbers, names, colours, search.  The scripts of page.html share one scope.
 */
const data = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
const ROOT = 0, COMM = 1, OBJECT = 2, FUNCTION = 3, INLINED = 4;
const KERNEL = 1, MODULE = 2, FIRMWARE = 3;
const HEIGHT = 20, FIRST_ROWS = 300;
const {parent, kind, what} = data.nodes, count = parent.length;
const name = new Array(count), depth = new Int32Array(count), children = [];
const state = {event: 0, zoom: 0, search: "", sort: "self", up: false, all: false, source: -1, hart: -1};
/*
 * With files the page shows differences: each event stands once for every file, A's first, and what is chosen is
 * an event of another file.  Then self and total are means of this file's and A's, selfBy and totalBy are the
 * differences.
 */
const files = data.files;
let self, total, selfBy = null, totalBy = null, matches = null, visible = [];

/* The nodes' own weights: those that are not 0, each after the number of its node. */
function values(event) {
	const list = data.nodes.self[event], all = new Float64Array(count);

	for (let n = 0; n < list.length; n += 2)
		all[list[n]] = list[n + 1];
	return all;
}

for (let i = 0; i < count; i++) {
	const f = data.functions[what[i]];
	name[i] = kind[i] === ROOT ? "all" : kind[i] === COMM ? data.names[what[i]] :
		kind[i] === OBJECT ? data.objects[what[i]].name : data.names[f.name];
	children.push([]);
	if (i) {
		children[parent[i]].push(i);
		depth[i] = depth[parent[i]] + 1;
	}
}

function sums(values) {
	const sum = values.slice();

	for (let i = count - 1; i > 0; i--)
		sum[parent[i]] += sum[i];
	return sum;
}

function addUp() {
	self = values(state.event);
	if (files) {
		const base = values(state.event - state.event % files);

		selfBy = self.map((value, i) => value - base[i]);
		self = self.map((value, i) => (value + base[i]) / 2);
		totalBy = sums(selfBy);
	}
	total = sums(self);
	for (const list of children)
		list.sort((a, b) => total[b] - total[a] || a - b);
}

const objectOf = i => kind[i] === OBJECT ? data.objects[what[i]] :
	kind[i] >= FUNCTION ? data.objects[data.functions[what[i]].object] : null;
const plural = (nr, what) => `${nr} ${what}${nr === 1 ? "" : "s"}`;
const percent = value => (total[0] ? 100 * value / total[0] : 0).toFixed(2) + "%";
const grouped = value => Math.round(value).toLocaleString("en-US");
const signed = value => (value > 0 ? "+" : "") + grouped(value);
const fileName = event => String.fromCharCode(65 + event % files);
const eventName = event => data.events[event].name + (files ? `: ${fileName(event)} - A` : "");
/* Of a mean and a difference: "10 to 15", and "+5 (+50.00%)". */
const fromTo = (mean, by) => `${grouped(mean - by / 2)} to ${grouped(mean + by / 2)}`;
const change = (mean, by) => signed(by) +
	(mean > by / 2 ? ` (${by > 0 ? "+" : ""}${(100 * by / (mean - by / 2)).toFixed(2)}%)` : "");
const changed = (mean, by) => fromTo(mean, by) + ", " + change(mean, by);

/* Red: more than in A, blue: less; the stronger, the larger the part of both that differs. */
function difference(i) {
	const part = total[i] ? totalBy[i] / (2 * total[i]) : 0;

	return `hsl(${part > 0 ? 8 : 215} ${Math.round(85 * Math.min(1, 4 * Math.abs(part)))}% calc(var(--light) + ${
		Math.round(10 * (1 - Math.abs(part)))}%))`;
}

function colour(i) {
	if (files)
		return difference(i);
	const o = objectOf(i);
	let hash = 0, hue = 210;

	for (const c of name[i])
		hash = (hash * 31 + c.codePointAt(0)) >>> 0;
	if (o)
		hue = o.kind === KERNEL || o.kind === MODULE ? 12 : o.kind === FIRMWARE ? 285 : 38;
	const sat = o ? "var(--sat)" : "12%";
	return `hsl(${hue + (o ? hash % 22 - 11 : 0)} ${sat} calc(var(--light) + ${hash % 7}%))`;
}

/* A text is looked for in names and paths; /.../ is a regular expression. */
function matcher(text) {
	const regex = /^\/(.+?)\/?$/.exec(text);

	if (regex) {
		try {
			const r = new RegExp(regex[1], "i");
			return (n, o) => r.test(n) || (o && r.test(o.path));
		} catch (e) {
			return () => false;
		}
	}
	const lower = text.toLowerCase();
	return (n, o) => n.toLowerCase().includes(lower) || (o && o.path.toLowerCase().includes(lower));
}

/* What lies below a frame that is found counts once. */
function search() {
	const test = state.search ? matcher(state.search) : null;
	let sum = 0;

	matches = null;
	$("found").textContent = "";
	if (!test)
		return;
	const inside = new Uint8Array(count);
	matches = new Uint8Array(count);
	for (let i = 1; i < count; i++) {
		matches[i] = test(name[i], objectOf(i)) ? 1 : 0;
		if (matches[i] && !inside[parent[i]])
			sum += total[i];
		inside[i] = matches[i] | inside[parent[i]];
	}
	$("found").textContent = percent(sum) + " found";
}
