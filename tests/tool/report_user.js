// SPDX-License-Identifier: BSD-2-Clause
/*
 * report_user.js - what the scripts that act as a user of a page have in common: they look, click and type, and their
 * findings are TAP in <pre id="tap">.
 */
function actAsUser(act) {
	const $ = s => document.querySelector(s), all = s => [...document.querySelectorAll(s)];
	const out = document.createElement("pre");
	let n = 0;

	const is = (name, got, want) => {
		const good = JSON.stringify(got) === JSON.stringify(want);

		out.append(`${good ? "ok" : "not ok"} ${++n} - ${name}\n`);
		if (!good)
			out.append(`# got ${JSON.stringify(got)}, want ${JSON.stringify(want)}\n`);
	};
	const frames = () => all("#graph .frame");
	const user = {
		$, all, is, frames,
		frame: name => frames().find(f => f.textContent === name),
		key: (target, k) => target.dispatchEvent(new KeyboardEvent("keydown", {key: k, bubbles: true, cancelable: true})),
		shown: s => all(s).filter(e => e.checkVisibility()).length,
		/* As on paper: the rules of @media print, in their place among the others. */
		print: () => {
			for (const sheet of document.styleSheets) {
				for (const rule of sheet.cssRules) {
					if (rule.media && rule.media.mediaText === "print")
						rule.media.mediaText = "all";
				}
			}
		},
	};

	document.body.append(out);
	out.id = "tap";
	try {
		act(user);
	} catch (e) {
		out.append("not ok " + ++n + " - " + e + "\n# " + e.stack + "\n");
	}
	out.append("1.." + n + "\n");
	if (parent !== window)
		parent.postMessage(out.textContent, "*");
}
