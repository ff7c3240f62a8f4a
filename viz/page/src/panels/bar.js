// The progress bar has a segment for each part of the run, so that the segments are the topological order. A slider lies above it.

import { find, html } from "../dom.js";
import { listen } from "../listening.js";

const MOST_NAMED = 40, MOST_APART = 120; // more segments have no names; more segments have no gaps

/** @param {Run} run */
export function barPanel(track, run, player) {
  const root = find("#bar", track), slider = find("#slider", track), counter = find("#step");
  const segments = Object.fromEntries(
    Object.values(player.acts).map(({ name, parts }) => [name, parts.map(part => segment(part, parts.length > MOST_NAMED))]),
  );
  let shown = null, last = 0; // the last segment that was shown

  function segment({ iteration, from, to, label, variable, weight = to - from + 1 }, unnamed) {
    const text = unnamed ? "" : label ?? (variable === undefined ? "" : nameOf(run.variables[variable]));
    const fill = html("i"), part = html("div", { "data-iteration": iteration }, fill, html("span", {}, text));
    part.style.flexGrow = weight;
    return { part, fill, variable };
  }

  // Within a scope the short name: w₁₁ for layer1.w₁₁.
  function nameOf({ name, label, written }) {
    return name.includes(".")
      ? html("span", { class: "brief" }, ...label.map(([text, kind]) => (kind === "sub" ? html("sub", {}, text) : text)))
      : run.formula(written);
  }

  function choose(now) {
    shown = now;
    last = null;
    root.replaceChildren(...shown.map(({ part }) => part));
    root.classList.toggle("unnamed", shown.length > MOST_NAMED);
    root.classList.toggle("close", shown.length > MOST_APART);
    if (shown.length <= MOST_NAMED) fit();
  }

  // Hide a name that is wider than its segment.
  function fit() {
    shown.forEach(({ part }) => part.classList.remove("tight"));
    const tight = shown.map(({ part }) => part.lastChild.offsetWidth + 2 > part.clientWidth);
    shown.forEach(({ part }, k) => part.classList.toggle("tight", tight[k]));
  }

  listen("resize", () => shown && shown.length <= MOST_NAMED && fit());

  return {
    show(frame) {
      const { i, act: name } = frame, act = player.acts[name], now = segments[name], here = act.partOf(i);
      if (now !== shown) choose(now);
      const begin = last === null ? 0 : Math.min(last, here), end = last === null ? now.length - 1 : Math.max(last, here);
      for (let k = begin; k <= end; k++) {
        const { part, fill } = now[k], { from, to } = act.parts[k];
        fill.style.width = k < here ? "100%" : k > here ? "0" : `${(100 * (i - from + 1)) / (to - from + 1)}%`;
        part.classList.toggle("now", k === here);
      }
      last = here;
      slider.max = act.length;
      slider.value = i + 1;
      const text = `step ${i + 1} / ${act.length}`;
      slider.setAttribute("aria-valuetext", text);
      counter.textContent = text;
    },
    markStops(marked) {
      for (const { part, variable } of segments.backward) part.classList.toggle("stop", marked.has(variable));
    },
  };
}
