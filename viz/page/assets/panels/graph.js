// The graph is painted once from the scene. Then a step changes only classes, labels and numbers.

const NARROW_PAGE = 600; // pixels; in a narrower panel the graph runs from top to bottom

// Paint the whole graph of a run, or the neighbourhood of the current variable. A click on a variable goes to its iteration.
panels.graph = (panel, run, player) => {
  const camera = svg("g", { class: "camera" }), root = svg("svg", { id: "graph", role: "group", "aria-label": "computation graph" }, camera);
  const { whole, narrow, near } = run.scene, folded = run.folded && makeFolded(run), isChoice = (whole || folded) && near;
  let painted = null, nodes = [], edges = [], closed = [], stops = new Set(), isNear = !whole && !folded, last = null;
  const area = html("div", { class: "graph-area" }, root);
  panel.prepend(area);
  const view = makeWindow(panel, root, camera, seen => buttons.show(seen, isNear));
  const legend = html("p", { class: "legend" }, "below each value: the derivative of ", run.formula(run.variables[run.z].written), " with respect to it");
  const buttons = makeViewButtons(panel, legend, () => view, isChoice && toggleNear);

  const sceneOf = frame => (isNear ? frame.scene : folded ? folded.sceneFor(view.room(run.folded.look)) : narrow && panel.clientWidth < NARROW_PAGE ? narrow : whole);

  function paint(scene) {
    painted = scene;
    for (const [name, size] of Object.entries(scene.look.fonts)) root.style.setProperty(`--${name}-size`, `${size}px`);
    const look = { ...scene.look, across: scene.width };
    edges = scene.edges.map(place => place.edges ? paintBundle(run, place, look, explain) : paintEdge(run, place, `edge-${place.edge}`, look, explain));
    closed = (scene.closed ?? []).map(box => paintClosed(run, box, turn, look));
    nodes = scene.nodes.map(place => paintNode(run, place, `node-${place.variable}`, player.pick, look));
    root.classList.toggle("compact", scene.look.compact);
    camera.replaceChildren(
      svg("defs", {}, ...["plain", "child", "active", "forward"].map(arrowHead)),
      svg("g", {}, ...(scene.frames ?? []).map(frame => scene.closed ? paintOpen(frame, turn) : paintFrame(frame))),
      svg("g", { class: "links" }, ...(scene.links ?? []).map(({ path }) => svg("path", { class: "link", d: path }))),
      svg("g", {}, ...(scene.folds ?? []).map(paintFold)),
      svg("g", {}, ...edges.map(edge => edge.group)),
      svg("g", {}, ...nodes.map(node => node.group), ...closed.map(({ group }) => group)));
    legend.hidden = !scene.look.compact;
    markStops(stops);
    buttons.open(scene, isNear);
  }

  const explain = makeExplanation(panel);

  function arrowHead(name) {
    return svg("marker", { id: `arrow-${name}`, class: `arrow ${name}`, viewBox: "0 0 10 10", refX: 9.5, refY: 5,
      markerWidth: 13, markerHeight: 13, markerUnits: "userSpaceOnUse", orient: "auto" }, svg("path", { d: "M0 1L10 5L0 9L2 5z" }));
  }

  function markStops(marked) {
    stops = marked;
    nodes.forEach(({ group, variable }) => group.classList.toggle("stop", marked.has(variable)));
  }

  // What the window follows: the variables that the step looks at, the most important last.
  function looked(frame) {
    const box = v => painted.nodes.find(({ variable }) => variable === v) ?? painted.closed?.find(({ holds }) => holds.has(v));
    return [frame.origin, ...frame.tags.keys(), frame.current, frame.active, frame.current, frame.nudged].map(box).filter(Boolean);
  }

  function toggleNear() {
    isNear = !isNear;
    player.refresh(); // the small map appears or disappears
  }

  // Open or close a scope. Its corner stays where it is.
  function turn(scope) {
    const corner = () => [...painted.frames, ...painted.closed].filter(box => box.scope === scope).map(({ x, y, w, h }) => [x - w / 2, y - h / 2])[0], from = corner();
    folded.turn(scope);
    show(last, () => view.exchange(painted, from, corner()));
    find(`#scope-${scope}`, root).focus({ preventScroll: true });
  }

  function show(frame, open = () => view.open(painted, looked(frame))) {
    const before = last;
    last = frame;
    panel.classList.toggle("near", isNear);
    const scene = sceneOf(frame), opened = scene !== painted;
    if (opened) paint(scene);
    nodes.forEach(node => node.show(frame));
    edges.forEach(edge => edge.show(frame));
    closed.forEach(box => box.show(frame));
    if (frame.factors) arrangeFactors(edges, [...scene.nodes, ...(scene.closed ?? [])]);
    buttons.mark(frame);
    if (opened) open();
    else if (frame.nudged === undefined || frame.nudged !== before?.nudged) view.follow(looked(frame));
  }

  function resized() {
    if (!last) return;
    view.measureRoom(); // a step does not: measuring would make the browser lay out the page
    if (sceneOf(last) !== painted) show(last);
    else view.resized(looked(last));
  }

  listen("resize", resized);
  new ResizeObserver(resized).observe(panel);
  listen("beforeprint", () => view.print(true));
  listen("afterprint", () => view.print(false));
  const keys = { i: () => view.zoomBy(ZOOM), o: () => view.zoomBy(1 / ZOOM), w: view.fit, ...(isChoice ? { n: toggleNear } : {}) };
  listen("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || find("dialog[open]") || /^(answer|text)$/.test(event.target.id)) return;
    keys[event.key.toLowerCase()]?.();
  });

  return { markStops, show: frame => show(frame) };
};

// A fold: the number of variables that are not shown.
function paintFold({ x, y, w, h, lines }) {
  return svg("g", { class: "fold", transform: `translate(${x} ${y})` },
    svg("rect", { x: -w / 2, y: -h / 2, width: w, height: h, rx: CORNER }),
    ...lines.map((line, k) => svg("text", { y: 20 * (k - (lines.length - 1) / 2) + 5, "text-anchor": "middle" }, line)));
}

// The frame of a scope, with its name.
function paintFrame({ name, x, y, w, h }) {
  return svg("g", { class: "scope", transform: `translate(${x - w / 2} ${y - h / 2})` },
    svg("rect", { width: w, height: h, rx: CORNER }), svg("text", { x: w / 2, y: 20, "text-anchor": "middle" }, name));
}

function paintEdge(run, { edge: e, path, label: box, number: which }, id, look, explain) {
  const edge = run.edges[e], number = run.quantities[edge.partial]?.text, size = look.fonts.label;
  const group = svg("g", { id, class: "edge" },
    svg("title", {}, `${edge.text}${number ? ` = ${number}` : ""}`),
    svg("path", { class: "line", d: path }), svg("path", { class: "flow", d: path }));
  if (box) {
    const stacked = look.stacked && !run.tensors, line = y => svg("text", { y: y * size, "text-anchor": "middle" });
    const text = line(stacked ? -0.15 : 0.35), more = stacked ? line(0.85) : text;
    mathText(text, run.tensors || stacked ? edge.label : [...edge.label, [" = ", ""]]);
    if (stacked) more.append("= ");
    if (!run.tensors) more.append(svg("tspan", { class: "number" }, briefly(number, look)));
    if (which !== null && !run.tensors) more.append(svg("tspan", { class: "which" }, `  (${which})`));
    group.append(svg("g", { class: "label", transform: `translate(${box.x} ${box.y})` },
      svg("rect", { x: -box.w / 2, y: -box.h / 2, width: box.w, height: box.h, rx: 6 }), ...new Set([text, more])));
  }
  const line = group.children[1], factor = box && factorMark(box, look, explain);
  if (factor) group.append(factor.group);
  let shown = ""; // its classes; setting them again would make the browser lay out the page
  return {
    group, factor, line,
    show(frame) {
      const on = frame.edges.has(e), active = frame.atWork.has(e), carries = !!frame.carrying?.has(e);
      const classes = { child: on, active, done: on && !active && frame.known.has(e), dim: frame.current !== undefined && !on, flowing: active && frame.flowing,
        forward: frame.act !== "backward",
        carries, idle: frame.factors && !carries, factored: frame.factors?.has(e) };
      factor?.show(frame.factors?.get(e));
      const names = ["edge", ...(run.notFinite?.edge === e ? ["not-finite"] : []), ...Object.keys(classes).filter(name => classes[name])].join(" ");
      if (names === shown) return;
      const wasOn = /child|carries/.test(shown);
      shown = names;
      group.setAttribute("class", names);
      line.setAttribute("marker-end", `url(#arrow-${carries || (active && classes.forward) ? "forward" : active ? "active" : on ? "child" : "plain"})`);
      if ((on || carries) && !wasOn) group.parentNode.append(group); // above dimmed edges
    },
  };
}

// Return a number as a box shows it: a compact box shows four digits. box_sizes.py (written) does the same.
function briefly(text, look) {
  if (!look.compact) return text;
  const found = text.replace(/^(−?)(\d+\.\d+)/, (_, sign, digits) => sign + Number(digits).toPrecision(Math.max(4, digits.indexOf("."))));
  return found.length < text.length ? found : text;
}
