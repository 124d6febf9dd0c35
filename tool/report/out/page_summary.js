// SPDX-License-Identifier: BSD-2-Clause
/*
 * page_summary.js - the summary of page.html: instructions per cycle, misses per 1000 instructions, and where all
 * cycles go (the CPI stack).
 */
const totalOf = name => {
	const e = data.events.find(event => event.name.replace(/:.*/, "") === name);

	return e ? Number(e.total) : 0;
};

function fact(title, value) {
	const item = document.createElement("div"), term = document.createElement("dt"), text = document.createElement("dd");

	term.textContent = title;
	text.textContent = value;
	item.append(term, text);
	$("numbers").append(item);
}

/* Events of cycles that have one cause; those of wait-read-PLACE are in wait-read. */
const isCause = e => e.exact && /^wait-/.test(e.name) && !/^wait-read-/.test(e.name);

function drawStack(cycles) {
	const causes = data.events.filter(isCause).map(e => [e.name, Number(e.total)]).filter(c => c[1]);
	const rest = cycles - causes.reduce((sum, c) => sum + c[1], 0);

	$("stack").hidden = !causes.length || rest < 0;
	if ($("stack").hidden)
		return;
	causes.sort((a, b) => b[1] - a[1]);
	[["issuing", rest], ...causes].forEach(([cause, value], n) => {
		const part = 100 * value / cycles, bar = document.createElement("div"), item = document.createElement("li");
		const hue = n ? `hsl(${(n * 47 + 190) % 360} 55% 58%)` : "hsl(135 45% 52%)";

		bar.style.width = part + "%";
		bar.style.background = item.style.borderColor = hue;
		bar.title = `${cause} ${part.toFixed(1)}%`;
		$("stack-bar").append(bar);
		if (part < 0.1)
			return;
		item.textContent = `${cause} ${part.toFixed(1)}%`;
		$("stack-list").append(item);
	});
}

function drawSummary() {
	const cycles = totalOf("cycles"), instructions = totalOf("instructions");

	$("summary").hidden = !!files || !(cycles && instructions);
	if ($("summary").hidden)
		return;
	fact("instructions per cycle", (instructions / cycles).toFixed(3));
	fact("cycles", grouped(cycles));
	fact("instructions", grouped(instructions));
	for (const e of data.events) {
		const rate = 1000 * Number(e.total) / instructions;

		if (/(-misses|-mispredicts)(:.*)?$/.test(e.name) && rate >= 0.001)
			fact(`${e.name} per 1000 instructions`, rate.toFixed(3));
	}
	drawStack(cycles);
}
