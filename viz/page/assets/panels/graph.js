// The graph is painted once from the scene. Then a step changes only classes, labels and numbers.

const SMALL = 0.4, LARGER = 0.5, AHEAD = 0.25; // see fitPhone

// Paint the whole graph of a run, or the neighbourhood of the current variable. A click on a variable goes to its iteration.
panels.graph = (panel, run, player) => {
  const root = svg("svg", { id: "graph", role: "group", "aria-label": "computation graph" });
  panel.prepend(root);
  let painted = null, nodes = [], edges = [], stops = new Set();

  function paint(scene) {
    painted = scene;
    root.setAttribute("viewBox", `0 0 ${scene.width} ${scene.height}`);
    root.classList.toggle("compact", !!scene.compact);
    const written = scene.compact ? brief : text => text;
    edges = scene.edges.map(place => paintEdge(run, place, `edge-${place.edge}`, written));
    nodes = scene.nodes.map(place => paintNode(run, place, `node-${place.variable}`, player.pick, written));
    root.replaceChildren(
      svg("defs", {}, ...["plain", "child", "active"].map(arrowHead)),
      svg("g", { class: "links" }, ...(scene.links ?? []).map(({ path }) => svg("path", { class: "link", d: path }))),
      svg("g", {}, ...(scene.folds ?? []).map(paintFold)),
      svg("g", {}, ...edges.map(edge => edge.group)),
      svg("g", {}, ...nodes.map(node => node.group)),
      ...(scene.compact ? [mathText(svg("text", { class: "legend", x: 14, y: scene.height - 10 }), legend(run))] : []));
    fitPhone(root, scene);
    markStops(stops);
  }

  function arrowHead(name) {
    return svg("marker", { id: `arrow-${name}`, class: `arrow ${name}`, viewBox: "0 0 10 10", refX: 9.5, refY: 5,
      markerWidth: 13, markerHeight: 13, markerUnits: "userSpaceOnUse", orient: "auto" }, svg("path", { d: "M0 1L10 5L0 9L2 5z" }));
  }

  function markStops(marked) {
    stops = marked;
    nodes.forEach(({ group, variable }) => group.classList.toggle("stop", marked.has(variable)));
  }

  listen("resize", () => painted && fitPhone(root, painted));

  return {
    markStops,
    show(frame) {
      if (frame.scene !== painted) paint(frame.scene);
      nodes.forEach(node => node.show(frame));
      edges.forEach(edge => edge.show(frame));
      bringToView(root, painted, frame.current);
    },
  };
};

// On a narrow page a graph that would be smaller than SMALL has the size LARGER and scrolls sideways. The current variable is scrolled
// into view, with room for its children.
function fitPhone(root, { width, height }) {
  const small = SMALL * width > root.parentNode.clientWidth;
  root.style.setProperty("--least", small ? `${LARGER * width}px` : 0);
  root.style.setProperty("--low", `${LARGER * height}px`);
  root.parentNode.classList.toggle("sideways", small);
}

function bringToView(root, { nodes, width }, current) {
  const box = nodes.find(({ variable }) => variable === current);
  if (box && root.parentNode.classList.contains("sideways"))
    root.parentNode.scrollLeft = box.x / width * root.clientWidth - AHEAD * root.parentNode.clientWidth;
}

// A fold: the number of variables that are not shown.
function paintFold({ x, y, w, h, lines }) {
  return svg("g", { class: "fold", transform: `translate(${x} ${y})` },
    svg("rect", { x: -w / 2, y: -h / 2, width: w, height: h, rx: CORNER }),
    ...lines.map((line, k) => svg("text", { y: 20 * (k - (lines.length - 1) / 2) + 5, "text-anchor": "middle" }, line)));
}

function paintEdge(run, { edge: e, path, label: box, number: which }, id, written) {
  const edge = run.edges[e], number = run.quantities[edge.partial]?.text;
  const group = svg("g", { id, class: "edge" },
    svg("title", {}, `${edge.text}${number ? ` = ${number}` : ""}`),
    svg("path", { class: "line", d: path }), svg("path", { class: "flow", d: path }));
  if (box) {
    const stacked = box.h > 40, line = y => svg("text", { y, "text-anchor": "middle" });
    const text = line(stacked ? -3 : 7), more = stacked ? line(17) : text;
    mathText(text, run.tensors || stacked ? edge.label : [...edge.label, [" = ", ""]]);
    if (stacked) more.append("= ");
    if (!run.tensors) more.append(svg("tspan", { class: "number" }, written(number)));
    if (which !== null && !run.tensors) more.append(svg("tspan", { class: "which" }, `  (${which})`));
    group.append(svg("g", { class: "label", transform: `translate(${box.x} ${box.y})` },
      svg("rect", { x: -box.w / 2, y: -box.h / 2, width: box.w, height: box.h, rx: 6 }), ...new Set([text, more])));
  }
  const line = group.children[1];
  let shown = ""; // its classes; setting them again would make the browser lay out the page
  return {
    group,
    show(frame) {
      const on = frame.edges.has(e), active = frame.atWork.has(e);
      const classes = { child: on, active, done: on && !active && frame.known.has(e), dim: frame.current !== undefined && !on, flowing: active && frame.flowing,
        forward: frame.act === "forward" };
      const names = ["edge", ...(run.notFinite?.edge === e ? ["not-finite"] : []), ...Object.keys(classes).filter(name => classes[name])].join(" ");
      if (names === shown) return;
      const wasOn = shown.includes("child");
      shown = names;
      group.setAttribute("class", names);
      line.setAttribute("marker-end", `url(#arrow-${active ? "active" : on ? "child" : "plain"})`);
      if (on && !wasOn) group.parentNode.append(group); // above dimmed edges
    },
  };
}

const legend = run => [["below each value: its derivative ", ""], ["\u{1d451}", ""], ...run.variables[run.z].label, ["/\u{1d451}…", ""]];
// Return a number with four digits if it has more; box_sizes.py (written) does the same.
const brief = text => {
  const found = text.replace(/^(−?)(\d+\.\d+)/, (_, sign, digits) => sign + Number(digits).toPrecision(Math.max(4, digits.indexOf("."))));
  return found.length < text.length ? found : text;
};
