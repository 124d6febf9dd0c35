// SPDX-License-Identifier: BSD-2-Clause
/*
 * report_page.js - acts as a user (report_user.js) of the page that holter report --format html makes for the profile
 * of tests/tool/report.
 */
actAsUser(({$, all, is, frames, frame, key, shown, print}) => {
const level = n => frames().filter(f => f.getAttribute("aria-level") === String(n))
	.map(f => `${f.textContent} ${width(f)}`).sort();
const width = f => f ? Math.round(10 * parseFloat(f.style.width)) / 10 : null;
const column = i => all("#table tbody tr").map(r => r.cells[i].textContent);
const header = name => all("#table th button").find(b => b.textContent === name);

function type(text) {
	$("#search").value = text;
	$("#search").dispatchEvent(new Event("input"));
}

is("events to choose from", all("#event option").map(o => o.textContent),
	["cycles: about 400, 4 samples", "cache-misses: about 20, 2 samples"]);
is("the command, and its first caller", [level(2), level(3)], [["x 100"], ["outer 100"]]);
is("the functions that it calls", level(4), ["other 25", "outer 75"]);
is("the functions that these call", level(5), ["inner 50", "outer 25"]);
is("functions, sorted by their own counts", column(4), ["inner", "outer", "other"]);
is("their shares", column(0), ["50.00%", "25.00%", "25.00%"]);
is("recursion counts once", column(3), ["200", "400", "100"]);

frame("inner").click();
is("a click zooms", width(frame("inner")), 100);
is("and shows nothing beside it", frame("other"), undefined);
is("the address contains the zoom", location.hash.startsWith("#zoom="), true);
key(document.body, "Escape");
is("Escape goes out one level", [width(frame("inner")), $("#reset").disabled], [66.7, false]);
$("#reset").click();
is("the button shows the whole again", [width(frame("inner")), $("#reset").disabled], [50, true]);

frame("all").focus();
key(document.activeElement, "ArrowDown");
key(document.activeElement, "ArrowDown");
is("an arrow goes to a called function", document.activeElement.textContent, "outer");
key(document.activeElement, "ArrowDown");
key(document.activeElement, "ArrowRight");
is("an arrow goes along a level", document.activeElement.textContent, "other");
key(document.activeElement, "Enter");
is("Enter zooms", width(frame("other")), 100);
$("#reset").click();

key(document.body, "/");
is("a slash goes to the search", document.activeElement.id, "search");
type("inn");
is("matches are marked", all(".frame.found").map(f => f.textContent), ["inner"]);
is("and their share is shown", $("#found").textContent, "50.00% found");
is("the table has only the matches", column(4), ["inner"]);
type("OUTER");
is("case does not matter, and recursion counts once", $("#found").textContent, "100.00% found");
type("/^(inner|other)$/");
is("a regular expression", $("#found").textContent, "75.00% found");
type("/(/");
is("an invalid one finds nothing", $("#found").textContent, "0.00% found");
key($("#search"), "Escape");
is("Escape ends the search", [$("#search").value, column(4).length], ["", 3]);

header("Function").click();
is("sorted by name", column(4), ["inner", "other", "outer"]);
is("aria-sort tells it", header("Function").parentElement.getAttribute("aria-sort"), "ascending");
header("Function").click();
is("the other way round", column(4), ["outer", "other", "inner"]);
header("Total").click();
is("sorted by total", column(4), ["outer", "inner", "other"]);
header("Self").click();

$("#event").value = 1;
$("#event").dispatchEvent(new Event("change"));
is("another event", column(4), ["other", "inner", "outer"]);
is("has other numbers", [column(1), column(3)], [["15", "5", "0"], ["15", "5", "20"]]);
is("and other widths", level(4), ["other 75", "outer 25"]);

frame("other").dispatchEvent(new MouseEvent("mousemove", {bubbles: true, clientX: 50, clientY: 50}));
is("the tooltip of a frame", [$("#tip").hidden, $("#tip b").textContent,
	$("#tip span").textContent], [false, "other", "75.00% total, 75.00% itself"]);
const theme = document.documentElement.dataset.theme;
$("#theme").click();
is("light and dark", [theme, document.documentElement.dataset.theme].sort(), ["dark", "light"]);

is("before it is printed there are controls", [shown(".tools") > 0, shown("#graph"), shown("#table")], [true, 1, 1]);
print();
is("on paper there are none, but graph and table", [shown(".tools"), shown("#hint"), shown("#more"), shown("#graph"),
	shown("#table")], [0, 0, 0, 1, 1]);
is("nothing is cut off", all(".wide").filter(e => getComputedStyle(e).overflowX !== "visible").length, 0);
is("and all rows are there", all("#table tbody tr").every(r => r.checkVisibility()), true);
});
