// The progress bar has a segment for each part of the run, so that the segments are the topological order. A slider lies above it.

const MOST_NAMED = 40, MOST_APART = 120; // more segments have no names; more segments have no gaps

panels.bar = (track, run) => {
  const root = find("#bar", track), slider = find("#slider", track), counter = find("#step");
  const many = run.parts.length > MOST_NAMED;
  const name = v => (many ? "" : run.formula(run.variables[v].written));
  const backward = run.parts.map((part, k) =>
    segment(part.iteration, part.to - part.from + 1, part.iteration ? name(part.variable) : k ? run.endMark : "start", part.variable));
  const forward = [segment(0, 1, "inputs"), ...run.forward.map(({ variable }, k) => segment(k + 1, 1, name(variable), variable))];
  let shown = null, last = 0; // the last segment that was shown

  function segment(iteration, length, label, variable) {
    const fill = html("i"), part = html("div", { "data-iteration": iteration }, fill, html("span", {}, label));
    part.style.flexGrow = length;
    return { part, fill, variable };
  }

  function choose(segments) {
    shown = segments;
    last = null;
    root.replaceChildren(...segments.map(({ part }) => part));
    root.classList.toggle("unnamed", segments.length > MOST_NAMED);
    root.classList.toggle("close", segments.length > MOST_APART);
    if (segments.length <= MOST_NAMED) fit(segments);
  }

  // Hide a name that is wider than its segment.
  function fit(segments) {
    segments.forEach(({ part }) => part.classList.remove("tight"));
    const tight = segments.map(({ part }) => part.lastChild.offsetWidth + 2 > part.clientWidth);
    segments.forEach(({ part }, k) => part.classList.toggle("tight", tight[k]));
  }

  listen("resize", () => shown && shown.length <= MOST_NAMED && fit(shown));

  return {
    show(frame) {
      const { i, act } = frame, segments = act === "forward" ? forward : backward;
      if (segments !== shown) choose(segments);
      const here = act === "forward" ? i : run.partOf(i), count = act === "forward" ? forward.length : run.steps.length;
      const begin = last === null ? 0 : Math.min(last, here), end = last === null ? segments.length - 1 : Math.max(last, here);
      for (let k = begin; k <= end; k++) {
        const { part, fill } = segments[k], { from, to } = act === "forward" ? { from: k, to: k } : run.parts[k];
        fill.style.width = k < here ? "100%" : k > here ? "0" : `${(100 * (i - from + 1)) / (to - from + 1)}%`;
        part.classList.toggle("now", k === here);
      }
      last = here;
      slider.max = count;
      slider.value = i + 1;
      const text = `${act === "forward" ? "forward" : "step"} ${i + 1} / ${count}`;
      slider.setAttribute("aria-valuetext", text);
      counter.textContent = text;
    },
    markStops(marked) {
      for (const { part, variable } of [...backward, ...forward]) part.classList.toggle("stop", marked.has(variable));
    },
  };
};
