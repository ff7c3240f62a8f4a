// Breakpoints: playing stops at the start of a marked variable's iteration.

import { all, find, html } from "./dom.js";

/** @param {Run} run */
export function makeStops(dialog, run, changed) {
  const list = find("#stop-list", dialog), marked = new Set();
  const starts = new Map(run.parts.filter(part => part.iteration).map(part => [part.variable, part.from]));

  function toggle(v) {
    if (!starts.has(v)) return;
    if (!marked.delete(v)) marked.add(v);
    for (const box of all("input", list)) box.checked = marked.has(+box.value);
    changed(marked);
  }

  function open() {
    if (!list.children.length)
      for (const v of starts.keys()) {
        const box = html("input", { type: "checkbox", value: v, "aria-label": run.variables[v].name });
        box.checked = marked.has(v);
        box.addEventListener("change", () => toggle(v));
        list.append(html("label", {}, box, run.whole(v)));
      }
    dialog.showModal();
  }

  return {
    open,
    toggle,
    marked,
    isStop: i => [...marked].some(v => starts.get(v) === i),
    // Return the first step of the next marked variable's iteration; the last step if there is none.
    next: i => Math.min(...[...marked].map(v => starts.get(v)).filter(start => start > i), run.steps.length - 1),
  };
}
