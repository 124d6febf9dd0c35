// SPDX-License-Identifier: BSD-2-Clause
/*
 * report_things.js - acts as a user (report_user.js) of the page of a profile with data of report_things.c: variables,
 * members, false sharing, and from there to the source.
 */
actAsUser(({$, all, is, shown, print}) => {
const cells = row => [...row.cells].map(c => c.textContent);
const thing = name => all("#things tr[data-thing]").find(r => r.querySelector("button").textContent === name);
const open = name => thing(name).querySelector("button").click();
const parts = () => all("#things tr.part");
const heads = () => all("#things th").map(h => h.textContent);
const names = () => all("#things tr[data-thing] button").map(b => b.textContent);
const HOSTILE = "</" + "script><script>document.title=\"x\"";

is("the data is there", [$("#data-view").hidden, $("#sharing-view").hidden], [false, false]);
is("the sums that are not 0", heads(), ["Share", "wait cycles", "L1D misses", "LL misses", "invalidates",
	"Data", "Process", "Size", "Object"]);
is("what waits most comes first", names().slice(0, 3), ["bodies", "turn", "counters"]);
is("a hostile name is text", [names().includes(HOSTILE), document.title === "x"], [true, false]);
all("#things th button").find(b => b.textContent === "invalidates").click();
is("sorted by another column", [names().slice(0, 2), all('#things th[aria-sort="descending"]').map(h => h.textContent)],
	[["turn", "counters"], ["invalidates"]]);

is("nothing is open", parts().length, 0);
open("counters");
is("a click shows its members, and who invalidates", parts().map(r => [cells(r)[4], r.cells[5].textContent]).sort(),
	[["49", "struct.first count"], ["50", "struct.second count"]]);
is("and says so", thing("counters").querySelector("button").getAttribute("aria-expanded"), "true");
is("the focus stays", document.activeElement.textContent, "counters");
open("bodies");
is("one at a time; all elements of an array are one", parts().map(r => r.cells[5].textContent), ["struct body.mass walk"]);
is("the line of the source", parts().map(r => r.cells[6].textContent.replace(/.*\//, "").replace(/\d+/, "N")),
	["report_things.c:N"]);
open("counters");
parts()[0].querySelector("button").click();
is("a click on the code shows the source", [$("#source").hidden, $("#source-title").textContent], [false, "count"]);
is("and marks the line", all("#lines tr.marked").map(r => r.cells[3].textContent.trim()),
	["*mine += 1; /* what both harts write */"]);
$("#close").click();

is("lines, and what is false sharing", all("#sharing tr.line").map(r => r.textContent.replace(/0x[0-9a-f]+/, "ADDRESS")), [
	"198 times: ADDRESS, turn, harts 0, 1: they use the same bytes",
	"198 times: ADDRESS, counters, harts 0, 1: false sharing, no hart uses bytes that another one writes"]);
const both = all("#sharing tr.access").filter(r => r.cells[7].textContent === "counters" && r.cells[2].textContent === "writes");
is("both sides", both.map(r => cells(r).slice(0, 6)).sort(),
	[["0-7", "0", "writes", "49", "100", "count"], ["8-15", "1", "writes", "50", "98", "count"]]);
both[1].querySelector("button").click();
is("a click goes to the source of a side", all("#lines tr.marked").map(r => r.cells[3].textContent.trim()),
	["*mine += 1; /* what both harts write */"]);
$("#close").click();

$("#event").value = all("#event option").find(o => o.textContent.startsWith("snoop-invalidates:")).value;
$("#event").dispatchEvent(new Event("change"));
is("an event of data comes first", heads().slice(0, 2), ["Share", "snoop-invalidates"]);
$("#search").value = "bod";
$("#search").dispatchEvent(new Event("input"));
is("the search finds data, too", names(), ["bodies"]);
$("#search").value = "";
$("#search").dispatchEvent(new Event("input"));
is("tables fit the window", document.documentElement.scrollWidth <= innerWidth, true);
if (innerWidth < 500)
	is("nothing is wider than a phone, but what scrolls by itself", all("body *").filter(e => e.checkVisibility() &&
		!e.closest(".wide, #code-view > div, #graph, svg, #tap") && e.getBoundingClientRect().right > 390.5)
		.map(e => e.id || e.tagName), []);
print();
is("on paper: data and lines, no controls", [shown("#things"), shown("#sharing"), shown("#more-things")], [1, 1, 0]);
});
