// A small map of a large graph, of which the page shows only the neighbourhood of one variable.

import { find, html, made, svg } from "../dom.js";

const NEAR = 8; // pixels of the map between a click and a variable

/** @param {Run} run */
export function overviewPanel(root, run, player) {
  const overview = run.scene.near?.overview;
  if (!overview) return { show() {} };
  const { width, height, points, path } = overview;
  const dots = points.map(([cx, cy]) => svg("circle", { cx, cy }));
  const ring = svg("circle", { class: "ring" });
  const map = svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, svg("path", { d: path }), ...dots, ring);
  const shownAbove = html("p"), folded = html("p", { class: "folded", hidden: "" });
  const mark = (name, text) => html("span", {}, html("i", { class: name }), text);
  const fill = () => root.replaceChildren(
    html("div", {}, shownAbove, folded,
      html("p", { class: "marks" }, mark("current", "x"), mark("child", "child"), mark("done", "computed"))),
    map,
    html("span", { "aria-hidden": "true" }, run.formula(run.variables[run.z].written)), // at the end of the map
  );
  map.addEventListener("click", event => {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
    const far = points.map(([px, py]) => Math.hypot(px - x, py - y)), nearest = far.indexOf(Math.min(...far));
    if (far[nearest] < NEAR) player.pick(nearest);
  });
  const shown = points.map(() => "");

  // Say that folds hold variables of the ways from the nudged one to z.
  function tellOfFolds({ nudged, painted }) {
    const ways = new Set(nudged === undefined ? [] : [nudged]), isShown = new Set(painted.nodes.map(({ variable }) => variable));
    for (const v of ways) for (const e of run.edgesFrom[v]) ways.add(run.edges[e].output);
    const count = [...ways].filter(v => !isShown.has(v)).length;
    folded.hidden = !count;
    root.classList.toggle("tells", count > 0); // `:has` would look through the whole page at each nudge
    folded.textContent = !count ? "" : `${count} more on the path, in folds: the numbers include ${count === 1 ? "it" : "them"}.`;
  }

  return {
    show(frame) {
      root.hidden = !find("#graph-panel").classList.contains("near");
      if (root.hidden) return;
      if (!root.firstChild) fill();
      const classes = points.map(() => "");
      for (const [v, { final }] of frame.totals) if (final) classes[v] = "done";
      for (const { variable } of frame.painted.nodes) classes[variable] += " near";
      for (const v of frame.tags.keys()) classes[v] += v === frame.current ? " current" : " child";
      classes.forEach((name, v) => {
        if (shown[v] !== name) dots[v].setAttribute("class", name);
        shown[v] = name;
      });
      const [cx, cy] = points[frame.current] ?? [];
      ring.setAttribute("visibility", cx === undefined ? "hidden" : "visible");
      if (cx !== undefined) made(ring, { cx, cy }, []);
      tellOfFolds(frame);
      shownAbove.textContent = `${frame.painted.nodes.length} of ${points.length.toLocaleString("en")} variables`;
    },
  };
}
