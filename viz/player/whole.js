// Of a large graph, of which only the neighbourhood of one variable is shown: a small map of the whole.

const NEAR = 8; // how far, in the map's pixels, a click may be off a variable

function makeWhole(root, run, onPick) {
  const { overview } = run.scene;
  root.hidden = !overview;
  if (!overview) return { show() {} };
  const { width, height, points, path } = overview;
  const dots = points.map(([cx, cy]) => svg("circle", { cx, cy }));
  const map = svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, svg("path", { d: path }), ...dots);
  const caption = html("p");
  root.replaceChildren(caption, map);
  map.addEventListener("click", event => {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
    const far = points.map(([px, py]) => Math.hypot(px - x, py - y)), nearest = far.indexOf(Math.min(...far));
    if (far[nearest] < NEAR) onPick(nearest);
  });
  const shown = points.map(() => "");

  return {
    show(frame) {
      const classes = points.map(() => "");
      for (const [v, { final }] of frame.totals) if (final) classes[v] = "done";
      for (const { variable } of frame.scene.nodes) classes[variable] += " near";
      for (const v of frame.tags.keys()) classes[v] += v === frame.current ? " current" : " child";
      classes.forEach((name, v) => {
        if (shown[v] !== name) dots[v].setAttribute("class", name);
        shown[v] = name;
      });
      caption.textContent = `${frame.scene.nodes.length} of ${points.length.toLocaleString("en")} variables`;
    },
  };
}
