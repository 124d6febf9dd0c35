// SPDX-License-Identifier: BSD-2-Clause
/*
 * report_code.js - acts as a user (report_user.js) of the page of an exact profile of report_code.c: the summary, the
 * source and the instructions of a function, other events, keys; on a phone; printed.
 */
actAsUser(({$, all, is, frame, key, shown, print}) => {
const button = name => all("#table td.name button").find(b => b.textContent === name);
const rows = table => all(`${table} tr[data-line]`);
const line = words => rows("#lines").find(r => r.cells[3].textContent.includes(words));
const number = text => Number(text.replaceAll(",", ""));
const insn = word => rows("#insns").find(r => r.cells[3].textContent.startsWith(word));

function event(name) {
	$("#event").value = all("#event option").find(o => o.textContent.startsWith(name + ":")).value;
	$("#event").dispatchEvent(new Event("change"));
}

const facts = all("#numbers dt").map(e => e.textContent);

is("the summary has instructions per cycle", facts.slice(0, 3), ["instructions per cycle", "cycles", "instructions"]);
is("and misses per 1000 instructions", facts.includes("l1d-read-misses per 1000 instructions"), true);
is("the CPI stack has all cycles", Math.round(all("#stack-bar div").reduce((s, e) => s + parseFloat(e.style.width), 0)), 100);
is("the time line has a process", [$("#time").hidden, all("#time-list li").map(e => e.textContent.split(":")[0]),
	all("#time-picture path").length], [false, ["code.elf"], 1]);
is("events are grouped", all("#event optgroup").length > 3, true);
is("stacks of an exact profile have depth", all("#graph .frame").filter(f => f.textContent).map(f =>
	[f.textContent, f.getAttribute("aria-level")]).filter(f => ["_start", "twice", "add"].includes(f[0])).sort(),
	[["_start", "3"], ["add", "5"], ["twice", "4"]]);
is("the source is closed", $("#source").hidden, true);

event("instructions");
button("add").click();
is("a click on a function opens its source", [$("#source").hidden, $("#source-title").textContent], [false, "add"]);
is("what the source says is text", [line("the hot line").cells[3].textContent.includes("<" + "/script><script>"),
	document.title.length > 0], [true, true]);
is("the address contains it", location.hash.includes("source="), true);
is("the hot line has the counts of its instructions", [number(line("the hot line").cells[1].textContent),
	number(line("the hot line").cells[1].textContent) > 300 * 3], [rows("#insns").filter(r =>
	r.dataset.line === line("the hot line").dataset.line).reduce((s, r) => s + number(r.cells[1].textContent), 0), true]);
is("each instruction has its count", [insn("lw").cells[1].textContent, insn("sw").cells[1].textContent,
	insn("ret").cells[1].textContent], ["300", "300", "3"]);
is("and its share", rows("#insns").reduce((s, r) => s + parseFloat(r.cells[0].textContent || 0), 0).toFixed(0), "100");
is("more heat where more is", parseFloat(insn("sw").style.getPropertyValue("--heat")) >
	parseFloat(insn("ret").style.getPropertyValue("--heat")), true);

is("the time line shows the event", [$("#time-hint").textContent.startsWith("instructions over "),
	$("#time-list").textContent], [true, "code.elf: " + $("#numbers div:nth-child(3) dd").textContent]);

event("stores");
is("another event: other counts", [insn("lw").cells[1].textContent, insn("sw").cells[1].textContent,
	line("the hot line").cells[0].textContent], ["", "300", "100.00%"]);

line("the hot line").click();
is("a click on a line marks its instructions", insn("sw").classList.contains("marked"), true);
is("and no others", insn("ret").classList.contains("marked"), false);
insn("ret").click();
is("a click on an instruction marks its line", all("#lines .marked").map(r => r.dataset.line), [insn("ret").dataset.line]);
key(insn("ret"), "h");
is("h goes to what is hottest", document.activeElement === insn("sw"), true);
key(document.activeElement, "ArrowLeft");
is("an arrow goes to its source line", document.activeElement === line("the hot line"), true);
key(document.activeElement, "ArrowDown");
is("an arrow goes to the next line", document.activeElement.rowIndex, line("the hot line").rowIndex + 1);
key(document.activeElement, "Escape");
is("Escape closes the source", [$("#source").hidden, document.activeElement === button("add")], [true, true]);

frame("twice").focus();
key(document.activeElement, "s");
is("s opens the source of a frame", [$("#source").hidden, $("#source-title").textContent], [false, "twice"]);
$("#close").click();
frame("add").click();
$("#open").click();
is("so does the button, of what is zoomed to", $("#source-title").textContent, "add");
is("tables fit the window", document.documentElement.scrollWidth <= innerWidth, true);
if (innerWidth < 500) {
	is("a phone", innerWidth, 390);
	is("nothing is wider than it, but what scrolls by itself", all("body *").filter(e => e.checkVisibility() &&
		!e.closest(".wide, #code-view > div, #graph, svg, #tap") && e.getBoundingClientRect().right > 390.5)
		.map(e => e.id || e.tagName), []);
	is("source above instructions", [$("#lines").getBoundingClientRect().bottom <= $("#insns").getBoundingClientRect().top,
		getComputedStyle($("#code-view")).flexDirection], [true, "column"]);
}
print();
is("on paper: source, instructions and no controls", [shown("#lines"), shown("#insns"), shown(".tools"), shown("#close")],
	[1, 1, 0, 0]);
is("all lines of them", all("#code-view > div").map(e => [getComputedStyle(e).maxHeight, getComputedStyle(e).overflowY]),
	[["none", "visible"], ["none", "visible"]]);
});
