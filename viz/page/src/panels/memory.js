// The memory at this turn of the backward pass: a bar for each array that exists, and the bytes over both passes. M shows it.

import { button, find, html, keyHelp, svg } from "../dom.js";
import { keepInView } from "../places.js";

const MOST_BARS = 60;

/** @param {Run} run */
export function memoryPanel(root, run, player) {
  if (!run.memory) return { show() { root.hidden = true; } };
  const { arrays, bytes, measured, said, note, turns, forward } = run.memory, peak = Math.max(...bytes, ...(measured ?? []));
  const largest = Math.max(...arrays.map(a => a[2]), 1);
  const title = html("p", { class: "said" }), list = html("ul", { "data-scrolls": "", "aria-labelledby": "memory-title" });
  const cursor = svg("rect", { y: 0, width: 1, height: 30, class: "cursor" });
  const about = { "data-acts": "backward", "aria-pressed": "false", title: "the arrays in memory (key M)" };
  const opener = button(turn, { id: "memory-button", ...about }, "memory");
  root.replaceChildren(html("h2", { id: "memory-title" }, "memory ", html("small", {}, note)), chart(), title, list);
  find(".tools").prepend(opener);
  find("#keys dl").append(keyHelp(["M"], "the arrays in memory, in step with the backward pass"));
  root.hidden = true;

  function turn() {
    root.hidden = !root.hidden;
    opener.setAttribute("aria-pressed", !root.hidden);
    player.refresh();
  }

  // Draw the bytes at each step of both passes, and a line for those that were measured if they differ.
  function chart() {
    const line = sizes => sizes.map((size, i) => `V${30 - (28 * size) / peak}H${i + 1}`).join("");
    const found = svg("svg", {
      viewBox: `0 0 ${bytes.length} 30`, preserveAspectRatio: "none", role: "img", "aria-label": `bytes at each step; ${note}`,
    });
    found.append(cursor, svg("path", { class: "predicted", d: `M0 30${line(bytes)}V30Z` }));
    if (measured) found.append(svg("path", { class: "measured", d: `M0 ${30 - (28 * measured[0]) / peak}${line(measured)}` }));
    return found;
  }

  // Return the step of the memory that belongs to a step of the trace: the turn of its variable.
  const stepOf = ({ current, step }) => (current !== undefined ? turns[current] : step.act === "done" ? bytes.length - 1 : forward);

  function bar([name, kind, size, text, made, freed, told], at) {
    const filled = html("i", { class: kind }), flag = at === made ? "+ made" : at === freed ? "− freed" : "";
    filled.style.width = `${(100 * size) / largest}%`;
    return html("li", { title: told, class: flag && (at === made ? "made" : "freed") },
      html("b", {}, name), html("span", {}, kind), html("span", { class: "track" }, filled), html("span", { class: "bytes" }, text),
      html("span", { class: "flag" }, flag));
  }

  return {
    show(frame) {
      if (root.hidden) return;
      const at = stepOf(frame), alive = arrays.filter(([, , , , made, freed]) => made <= at && (freed === null || at <= freed));
      const shown = alive.length > MOST_BARS ? new Set([...alive].sort((a, b) => b[2] - a[2]).slice(0, MOST_BARS)) : new Set(alive);
      const items = alive.filter(a => shown.has(a)).map(a => bar(a, at));
      title.textContent = `${said[at]} in ${alive.length} arrays${measured ? `; measured ${measured[at]} bytes` : ""}.`;
      list.replaceChildren(
        ...items,
        ...(alive.length > MOST_BARS
          ? [html("li", {}, html("span", { class: "more" }, `and ${alive.length - MOST_BARS} smaller arrays`))]
          : []),
      );
      cursor.setAttribute("x", at);
      const near = items.find(item => item.className === "made") ?? items.find(item => item.className === "freed");
      if (near) keepInView(list, near);
    },
  };
}
