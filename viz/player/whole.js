// Of a large graph, of which only the neighbourhood of one variable is shown: a small map of the whole.

const NEAR = 8; // how far, in the map's pixels, a click may be off a variable

function makeWhole(root, run, onPick) {
  const { overview } = run.scene;
  root.hidden = !overview;
  if (!overview) return { show() {} };
  const { width, height, points, path } = overview;
  const dots = points.map(([cx, cy], v) => svg("circle", { cx, cy, r: 2.2, "data-variable": v }));
  const map = svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, svg("path", { d: path }), ...dots);
  const caption = html("p");
  root.replaceChildren(caption, map);
  map.addEventListener("click", event => {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
    const far = points.map(([px, py]) => Math.hypot(px - x, py - y)), nearest = far.indexOf(Math.min(...far));
    if (far[nearest] < NEAR) onPick(nearest);
  });
  let marked = [];

  function mark(v, name, r) {
    dots[v].classList.add(name);
    dots[v].setAttribute("r", r);
    marked.push(v);
  }

  return {
    show(frame) {
      for (const v of marked) {
        dots[v].removeAttribute("class");
        dots[v].setAttribute("r", 2.2);
      }
      marked = [];
      for (const { variable } of frame.scene.nodes) mark(variable, "near", 2.8);
      for (const [v, { final }] of frame.totals) if (final) mark(v, "done", 2.2);
      for (const v of frame.tags.keys()) if (v !== frame.current) mark(v, "child", 3.4);
      if (frame.current !== undefined) mark(frame.current, "current", 4.4);
      caption.textContent = `${frame.scene.nodes.length} of ${points.length.toLocaleString("en")} variables`;
    },
  };
}
