// The progress bar has a segment for each part of the run, so that the segments are the topological order. A slider lies above it.

import { find, html } from "../dom.js";
import { listen } from "../listening.js";

const MOST_NAMED = 40, MOST_APART = 120; // more segments have no names; more segments have no gaps
const BESIDE = 4, GAP = 3; // pixels beside a name, and between segments

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

  // Give each segment room for its name. If there is too little for all, hide a name that is wider than its segment.
  function fit() {
    root.classList.remove("roomy");
    shown.forEach(({ part }) => part.classList.remove("tight"));
    const wide = shown.map(({ part }) => part.lastChild.offsetWidth + BESIDE);
    const roomy = wide.reduce((sum, width) => sum + width + GAP, 0) <= root.clientWidth;
    const tight = shown.map(({ part }, k) => !roomy && wide[k] > part.offsetWidth);
    root.classList.toggle("roomy", roomy);
    shown.forEach(({ part }, k) => part.classList.toggle("tight", tight[k]));
  }

  // The part below the mouse says what it is, also where the bar has no room for its name.
  slider.addEventListener("pointermove", event => {
    const under = shown.findIndex(({ part }) => event.clientX <= part.getBoundingClientRect().right);
    slider.title = under < 0 ? "" : spoken(player.frame.act, under);
  });
  const iterations = Math.max(...run.parts.map(({ iteration }) => iteration));
  function spoken(act, k) {
    const { label, variable, iteration } = player.acts[act].parts[k];
    const name = label ? segments[act][k].part.textContent : run.variables[variable]?.name ?? "";
    return iteration ? `iteration ${iteration} of ${iterations}, ${name}` : name;
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
      const text = `step ${i + 1} / ${act.length}`, part = spoken(name, here);
      slider.setAttribute("aria-valuetext", part ? `${text}, ${part}` : text);
      counter.textContent = text;
    },
    markStops(marked) {
      for (const { part, variable } of segments.backward) part.classList.toggle("stop", marked.has(variable));
    },
  };
}
