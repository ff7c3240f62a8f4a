// Compare two loops on the same graph: both step together, and the panel marks where the second differs.

import { all, button, find, html, keyHelp, svg, table } from "../dom.js";
import { listen } from "../listening.js";
import { keepInView } from "../places.js";
import { digits } from "../say.js";
import { codePanel } from "./code.js";

// The panel takes the place of the dictionary, and adds two buttons. Inside a function, which has no second trace, it stays hidden.
/** @param {Run} run */
export function comparisonPanel(panel, run, player) {
  const { beside } = run;
  if (!beside) return { show() {}, first: undefined };
  const first = beside.first?.step;
  document.body.classList.add("beside");
  const said = html("p", { id: "beside-said" }), verdict = html("p", { id: "beside-first" });
  const differs = html("p", { id: "differs", "data-acts": "backward" }), halves = makeHalves(run);
  find("#narration").after(differs);
  const jump = button(() => player.seek(first), { id: "difference", title: "key D", disabled: first === undefined ? "" : null },
    first === undefined ? "no difference" : "first difference");
  const rowsOfBoth = table(["", "expected", "got"], []), body = find("tbody", rowsOfBoth);
  panel.append(
    html("div", { class: "title" }, html("h2", { id: "beside-title" }, "comparison"), jump), said, verdict,
    html("div", { class: "rows", "data-scrolls": "", role: "region", "aria-label": "dictionaries of both loops" },
      rowsOfBoth));
  find("#keys dl").append(keyHelp(["D"], "first step at which the other loop differs"));

  const lines = html("div", { id: "beside-code", "data-scrolls": "", role: "region", "aria-label": "other loop", hidden: "" });
  const switcher = button(turn, { id: "beside-lang", "aria-pressed": "false" }, "other loop");
  find("#code").after(lines);
  find("#lang").before(switcher);
  const code = codePanel(lines, { listing: [], python: beside.python });
  code.language = "python";
  switcher.hidden = !beside.python.length;
  function turn() {
    lines.hidden = !lines.hidden;
    find("#code").hidden = !lines.hidden;
    switcher.setAttribute("aria-pressed", !lines.hidden);
  }

  const dictionary = (insertions, known) => new Map(insertions.slice(0, known).map(({ variable, total }) => [variable, total]));
  const cell = q => html("td", {}, ...(q === undefined ? ["–"] : [run.formula(run.quantities[q].mathml)]));
  const same = (a, b) => a === b || (a !== undefined && b !== undefined && run.quantities[a].mathml === run.quantities[b].mathml);

  function row(name, key, expected, got) {
    const heading = html("th", { scope: "row" }, run.formula(run.variables[key].total), name === "sum" ? " so far" : "");
    return html("tr", { class: same(expected, got) ? name : `${name} differs`, "data-variable": key }, heading, cell(expected), cell(got));
  }

  let mark = () => {};
  listen("painted", () => mark());
  return {
    first,
    show(frame) {
      panel.hidden = false;
      const { i, step } = frame, ended = i >= beside.steps.length, other = beside.steps[Math.min(i, beside.steps.length - 1)];
      said.replaceChildren(...(ended ? ["The other loop has ended."] : ["Other loop: ", run.sentence(other.said)]));
      const different = first !== undefined && i >= first;
      verdict.className = different ? (i === first ? "here" : "after") : "";
      const raised =
        different && ended && beside.raised
          ? ["✗ The other loop stopped at step ", beside.steps.length, ". ", run.sentence(beside.steps.at(-1).said)]
          : null;
      differs.replaceChildren(
        ...(i === first
          ? ["✗ ", run.sentence(beside.first.said)]
          : (raised ?? (different ? [`✗ The loops differ since step ${first + 1}.`] : []))),
      );
      mark = () => halves.show(different ? frame : null, totalsOf(run, i));
      mark();
      const expected = dictionary(run.insertions, step.known), got = dictionary(beside.insertions, other.known);
      const rows = [...new Set([...expected.keys(), ...got.keys()])].map(v => row("entry", v, expected.get(v), got.get(v)));
      const sums = [...new Set([step, other].filter(s => s.total !== undefined && s.x !== undefined).map(s => s.x))].filter(
        v => !expected.has(v) || !got.has(v),
      );
      rows.push(...sums.map(v => row("sum", v, step.x === v ? step.total : expected.get(v), other.x === v ? other.total : got.get(v))));
      body.replaceChildren(...rows);
      // At the first difference the narration says what differs, too; but a table in which all agrees must not stand below "here".
      const since = html("b", {}, i === first ? "They differ here" : `They differ since step ${first + 1}`);
      const isShown = i === first && rows.some(r => r.matches(".differs"));
      const more = () => (isShown ? ["."] : [": ", run.sentence(beside.first.said)]);
      verdict.replaceChildren(...(different ? [since, ...more()] : ["Both loops agree up to this step."]));
      if (rows.length) keepInView(panel.lastChild, i === first ? rows.find(r => r.matches(".differs")) ?? rows.at(-1) : rows.at(-1));
      code.show({ act: "backward", code: other.code, step: {} });
    },
  };
}

// The totals of the other loop after step i, as Run.totals gives those of the run. After its last step they stay.
/** @param {Run} run */
function totalsOf({ beside }, i) {
  const step = beside.steps[Math.min(i, beside.steps.length - 1)];
  const found = new Map(beside.insertions.slice(0, step.known).map(({ variable, total }) => [variable, total]));
  if (step.x !== undefined && step.total !== undefined && !found.has(step.x)) found.set(step.x, step.total);
  return found;
}

const NAMES = ["got", "is"], LETTER_WIDTH = 8.4, HALF_PAD = 10, LOW = 26; // of the text in a half, and its height, in pixels of the graph
const HEAD = 34; // of a box, which stays in view above two halves that stand below each other
const WIDER = 1.25; // so much wider than its box may a text be
const DIFFERS = "✗ differs"; // said where a number has no room
const shortened = number => (isNaN(number = number.replace("−", "-")) ? number : digits(+number, 4));

// From the first difference on, a variable has two halves: what the other loop has, and what is right. One that agrees has a ✓.
function makeHalves(run) {
  function halves(box, expected, got) {
    const texts = [`✗ got ${got ?? "nothing"}`, expected === undefined ? "✓ not yet" : `✓ is ${expected}`];
    const width = +box.getAttribute("width"), height = +box.getAttribute("height");
    const fit = list => Math.max(...list.map(text => LETTER_WIDTH * text.length + HALF_PAD));
    const short = texts.map(text => text.replace(/ (got|is) /, " ").replace(/[^ ]+$/, shortened));
    const alone = short[0].length <= DIFFERS.length ? short[0] : DIFFERS;
    // The title and the panel have both numbers in full.
    const isHigh = height >= HEAD + 2 * LOW, pair = fit(texts) <= 0.65 * width ? texts : short;
    const below = fit(pair) > 0.75 * width; // the second below the first
    if (fit([alone]) > WIDER * width) return marked("differs", "✗", texts.join(", "), box);
    const written = fit(pair) <= 1.5 * width && (isHigh || !below) ? pair : [alone];
    const across = below ? 1 : written.length, half = Math.max(width / across, fit(written));
    const y = below ? Math.max(HEAD, height - 2 * LOW) : height - LOW;
    const at = k => ({ x: (k % across - across / 2) * half, y: below ? k * LOW : 0 });
    return svg("g", { class: "halves", transform: `translate(${width / 2} ${y})` }, svg("title", {}, texts.join(", ")),
      ...written.flatMap((text, k) => [svg("rect", { class: NAMES[k], ...at(k), width: half, height: LOW, rx: 4 }),
        svg("text", { class: NAMES[k], x: at(k).x + half / 2, y: at(k).y + 18, "text-anchor": "middle" }, text)]));
  }

  // Two halves that are wider than their box move inwards at the left edge of the picture, at most so far that they begin with the box.
  function keepInPicture(mark, width) {
    const inside = mark.getBBox(), shown = mark.getBoundingClientRect();
    const hidden = mark.ownerSVGElement.getBoundingClientRect().left - shown.left;
    const by = Math.min((hidden * inside.width) / shown.width + 2, (inside.width - width) / 2);
    if (hidden > 0) mark.setAttribute("transform", `${mark.getAttribute("transform")} translate(${by} 0)`);
  }

  // A sign at the corner of a box; its title says the rest.
  const marked = (look, sign, title, box) =>
    svg("g", { class: look, transform: `translate(${+box.getAttribute("width") - 2} ${+box.getAttribute("height") - 2})` },
      svg("title", {}, title), svg("circle", { r: 10 }), svg("text", { y: 5, "text-anchor": "middle" }, sign));
  const text = q => (q === undefined ? undefined : run.quantities[q].text);

  return {
    // Without a frame, remove all marks.
    show(frame, other) {
      for (const old of all("#graph :is(.halves, .agreed, .differs)")) old.remove();
      for (const group of frame ? all("#graph .node") : []) {
        const v = +group.id.split("-").at(-1), expected = text(frame.totals.get(v)?.quantity), got = text(other.get(v));
        const box = find(".frame", group);
        if (expected === undefined && got === undefined) continue;
        if (expected === got) group.append(marked("agreed", "✓", "both loops agree", box));
        else {
          const mark = group.appendChild(halves(box, expected, got));
          if (mark.matches(".halves")) keepInPicture(mark, +box.getAttribute("width"));
        }
      }
    },
  };
}
