// The graph is painted once from the scene. Then a step changes only classes, labels and numbers.

import { find, html, svg } from "../dom.js";
import { paintEdge } from "../graph/edges.js";
import { makeFolded, paintBundle, paintClosed, paintOpen } from "../graph/folded_graph.js";
import { ZOOM, makeViewButtons, makeWindow } from "../graph/graph_window.js";
import { arrangeFactors, makeExplanation } from "../graph/live_marks.js";
import { paintNode } from "../graph/nodes.js";
import { paintFold, paintFrame } from "../graph/scopes.js";
import { listen } from "../listening.js";

const NARROW_PAGE = 600; // pixels; in a narrower panel the graph runs from top to bottom

// Paint the whole graph of a run, or the neighbourhood of the current variable. A click on a variable goes to its iteration.
/** @param {Run} run */
export function graphPanel(panel, run, player) {
  const camera = svg("g", { class: "camera" });
  const root = svg("svg", { id: "graph", role: "group", "aria-label": "computation graph" }, camera);
  const { whole, narrow, near } = run.scene, folded = run.folded && makeFolded(run), isChoice = (whole || folded) && near;
  let painted = null, nodes = [], edges = [], closed = [], stops = new Set(), isNear = !whole && !folded, last = null;
  const area = html("div", { class: "graph-area" }, root);
  panel.prepend(area);
  const view = makeWindow(panel, root, camera, seen => buttons.show(seen, isNear));
  const legend = html("p", { class: "legend" },
    "below each value: the derivative of ", run.formula(run.variables[run.z].written), " with respect to it");
  const buttons = makeViewButtons(panel, legend, () => view, isChoice && toggleNear);

  function sceneOf(frame) {
    if (isNear) return frame.scene;
    if (folded) return folded.sceneFor(view.room(run.folded.look));
    return narrow && panel.clientWidth < NARROW_PAGE ? narrow : whole;
  }

  function paint(scene) {
    painted = scene;
    for (const [name, size] of Object.entries(scene.look.fonts)) root.style.setProperty(`--${name}-size`, `${size}px`);
    const look = { ...scene.look, across: scene.width };
    edges = scene.edges.map(place =>
      place.edges ? paintBundle(run, place, look, explain) : paintEdge(run, place, `edge-${place.edge}`, look, explain),
    );
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
    stopAtParts(false);
    buttons.open(scene, isNear);
  }

  const explain = makeExplanation(panel);

  function arrowHead(name) {
    return svg("marker", { id: `arrow-${name}`, class: `arrow ${name}`, viewBox: "0 0 10 10", refX: 9.5, refY: 5,
      markerWidth: 13, markerHeight: 13, markerUnits: "userSpaceOnUse", orient: "auto" }, svg("path", { d: "M0 1L10 5L0 9L2 5z" }));
  }

  // The Tab key stops once at the graph, at its first box. From there it goes from part to part, until it leaves the graph.
  function stopAtParts(all) {
    for (const part of root.querySelectorAll("[tabindex]")) part.setAttribute("tabindex", all ? 0 : -1);
    find(".node, [aria-expanded]", root)?.setAttribute("tabindex", 0);
  }
  area.addEventListener("focusin", () => stopAtParts(true)); // Chromium would make an SVG element that listens to these a stop
  area.addEventListener("focusout", event => area.contains(event.relatedTarget) || stopAtParts(false));

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
    const box = () => [...painted.frames, ...painted.closed].find(other => other.scope === scope), from = box();
    folded.turn(scope);
    show(last, () => view.exchange(painted, from, box()));
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
}
