// The progress bar: a segment for each part of the run, so that the segments are the topological order; above it a slider.

const MOST_NAMED = 40, MOST_APART = 120; // segments with a name in them, segments with a gap between them

function makeBar(root, slider, counter, run) {
  const backward = run.parts.map((part, k) => segment(part.iteration, part.to - part.from + 1,
    part.iteration ? run.formula(run.variables[part.variable].written) : k ? "✓" : "start", part.variable));
  const forward = [segment(0, 1, "inputs"), ...run.forward.map(({ variable }, k) => segment(k + 1, 1, run.formula(run.variables[variable].written), variable))];
  let stops = new Set(), shown = null;

  function segment(iteration, length, label, variable) {
    const fill = html("i"), part = html("div", { "data-iteration": iteration }, fill, html("span", {}, label));
    part.style.flexGrow = length;
    return { part, fill, variable };
  }

  function choose(segments) {
    shown = segments;
    root.replaceChildren(...segments.map(({ part }) => part));
    root.classList.toggle("unnamed", segments.length > MOST_NAMED);
    root.classList.toggle("close", segments.length > MOST_APART);
    segments.forEach(({ part, variable }) => part.classList.toggle("stop", stops.has(variable)));
    if (segments.length <= MOST_NAMED) fit(segments);
  }

  // A name that is wider than its segment is not shown.
  function fit(segments) {
    segments.forEach(({ part }) => part.classList.remove("tight"));
    const tight = segments.map(({ part }) => part.lastChild.offsetWidth + 2 > part.clientWidth);
    segments.forEach(({ part }, k) => part.classList.toggle("tight", tight[k]));
  }

  addEventListener("resize", () => shown && shown.length <= MOST_NAMED && fit(shown));

  return {
    show(frame) {
      const { i, act } = frame, segments = act === "forward" ? forward : backward;
      if (segments !== shown) choose(segments);
      const here = act === "forward" ? i : run.partOf(i), count = act === "forward" ? forward.length : run.steps.length;
      segments.forEach(({ part, fill }, k) => {
        const { from, to } = act === "forward" ? { from: k, to: k } : run.parts[k];
        const width = k < here ? "100%" : k > here ? "0" : `${(100 * (i - from + 1)) / (to - from + 1)}%`;
        if (fill.style.width !== width) fill.style.width = width;
        part.classList.toggle("now", k === here);
      });
      slider.max = count;
      slider.value = i + 1;
      const text = `${act === "forward" ? "forward" : "step"} ${i + 1} / ${count}`;
      slider.setAttribute("aria-valuetext", text);
      counter.textContent = text;
    },
    markStops(marked) {
      stops = marked;
      if (shown) choose(shown);
    },
  };
}
