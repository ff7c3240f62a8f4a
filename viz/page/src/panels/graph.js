// The graph is painted once from the scene. Then a step changes only classes, labels and numbers.

import { all, find, html, svg } from "../dom.js";
import { paintEdge } from "../graph/edges.js";
import { ZOOM, makeViewButtons, makeWindow } from "../graph/graph_window.js";
import { arrangeFactors, makeExplanation } from "../graph/live_marks.js";
import { paintNode } from "../graph/nodes.js";
import { paintFold, paintFrame } from "../graph/scopes.js";
import { listen } from "../listening.js";

const ROUGHLY = 0.999; // of what can be read: sizes are rounded

// The functions of graph/folded_graph.js, in pages of graphs that can be folded.
/** @type {any} */
export const FOLDED = {};

// Paint the whole graph of a run, or the neighbourhood of the current variable. A click on a variable goes to its iteration.
/** @param {Run} run */
export function graphPanel(panel, run, player) {
  const camera = svg("g", { class: "camera" });
  const root = svg("svg", { id: "graph", role: "group", "aria-label": "computation graph" }, camera);
  const { whole, narrow, near, nearNarrow, ways: waysOf = [] } = run.scene, folded = run.folded && FOLDED.makeFolded(run);
  const isChoice = (whole || folded) && near;
  let painted = null, nodes = [], edges = [], closed = [], links = [], stops = new Set(), last = null;
  const tall = document.body.classList.contains("tall");
  // Whether only a part is shown; whether the user wants that, or null: only if not all can be read.
  let isNear = false, wanted = run.folded?.turned ? false : null;
  const area = html("div", { class: "graph-area" }, root);
  panel.prepend(area);
  const view = makeWindow(panel, root, camera, seen => buttons.show(seen, isNear));
  const legend = html("p", { class: "legend" },
    "below each value: the derivative of ", run.formula(run.variables[run.z].written), " with respect to it");
  const buttons = makeViewButtons(panel, legend, () => view, isChoice && toggleNear);

  // Return the scenes that show all, and those that show a part, in the order in which they suit the panel.
  const inOrder = (across, down) => (view.narrow ? [down, across] : [across, down]).filter(Boolean);
  const wholes = () => (folded ? [folded.sceneFor(view.room(run.folded.look))] : inOrder(whole, narrow));
  const held = scenes => scenes.find(scene => view.legibility(scene) > ROUGHLY);

  // Return the first of these parts that can be read, else the one that can be read best.
  function bestOf(parts) {
    const size = view.legibilityOfPart;
    return parts.find(part => size(part) > ROUGHLY) ?? [...parts].sort((a, b) => size(b) - size(a))[0];
  }

  // Return whether a scene shows all that another one shows, in larger letters than that one, which has no room.
  function isBetter(part, own, other, number) {
    const size = view.legibilityOfPart(other), shown = part.scenes[own]?.nodes ?? [];
    return size <= ROUGHLY && view.legibilityOfPart(part) > size && other.scenes[number].nodes.every(v => shown.includes(v));
  }

  // Return the part of the graph that a frame shows, and the number of its scene: the ways to z, or the neighbourhood of a variable.
  function partOf(frame) {
    const ways = bestOf(view.narrow ? [...waysOf].reverse() : waysOf), number = ways && frame.wayIn?.(ways);
    const part = bestOf(inOrder(near, nearNarrow)), own = part && frame.sceneIn(part);
    return number === undefined || (part && isBetter(part, own, ways, number)) ? [part, own] : [ways, number];
  }

  function sceneOf(frame) {
    if (run.slides) return held(run.scenesOfSlide) ?? run.scenesOfSlide[+view.narrow];
    const wholeScenes = wholes(), [part, number] = partOf(frame);
    isNear = !!part && (!wholeScenes.length || (wanted ?? !held(wholeScenes)));
    return isNear ? run.sceneAt(part, number) : held(wholeScenes) ?? wholeScenes[0];
  }

  // A graph that cannot be read whole beside the other panels gets the width of the page, or on a phone more of its height; also one into
  // which the user zooms, with `about`.
  function shapePage() {
    const scrolled = all("[data-scrolls]").map(box => [box, box.scrollTop]).filter(([, top]) => top);
    const { classList } = document.body, shape = wide => {
      classList.toggle("wide", wide);
      classList.toggle("tall", tall && !wide);
      view.measureRoom();
    };
    shape(false);
    if ((near || nearNarrow || run.about) && !classList.contains("beside") && (wanted || !held(wholes()))) shape(true);
    for (const [box, top] of scrolled) box.scrollTop = top; // a box that was higher for a moment has lost it
  }

  // Paint a scene in its window. The window opens first: to measure it would lay out the page once more with what is painted.
  function paint(scene, open) {
    painted = scene;
    legend.hidden = !scene.look.compact;
    buttons.open(scene, isNear);
    open();
    for (const [name, size] of Object.entries(scene.look.fonts)) root.style.setProperty(`--${name}-size`, `${size}px`);
    const look = { ...scene.look, across: scene.width };
    edges = scene.edges.map(place =>
      place.edges ? FOLDED.paintBundle(run, place, look, explain) : paintEdge(run, place, `edge-${place.edge}`, look, explain),
    );
    closed = (scene.closed ?? []).map(box => FOLDED.paintClosed(run, box, turn, look));
    nodes = scene.nodes.map(place => paintNode(run, place, `node-${place.variable}`, player.pick, look));
    links = (scene.links ?? []).map(link => ({ ...link, line: svg("path", { class: "link", d: link.path }) }));
    root.classList.toggle("compact", scene.look.compact);
    root.classList.toggle("plain", !scene.look.foot);
    camera.replaceChildren(
      svg("defs", {}, ...["plain", "child", "active", "forward"].map(arrowHead)),
      svg("g", {}, ...(scene.frames ?? []).map(box => scene.closed ? FOLDED.paintOpen(box, turn) : paintFrame(box))),
      svg("g", { class: "links" }, ...links.map(({ line }) => line)),
      svg("g", {}, ...(scene.folds ?? []).map(fold => paintFold(fold, scene.look))),
      svg("g", {}, ...edges.map(edge => edge.way)),
      svg("g", {}, ...edges.map(edge => edge.group)),
      svg("g", {}, ...nodes.map(node => node.group), ...closed.map(({ group }) => group)));
    markStops(stops);
    stopAtParts(false);
    dispatchEvent(new Event("painted")); // for marks of other panels
  }

  const explain = makeExplanation(panel);

  function arrowHead(name) {
    return svg("marker", { id: `arrow-${name}`, class: `arrow ${name}`, viewBox: "0 0 10 10", refX: 9.5, refY: 5,
      markerWidth: 13, markerHeight: 13, markerUnits: "userSpaceOnUse", orient: "auto" }, svg("path", { d: "M0 1L10 5L0 9L2 5z" }));
  }

  // The Tab key stops once at the graph, at its first box. From there it goes from part to part, until it leaves the graph.
  function stopAtParts(each) {
    for (const part of all("[tabindex]", root)) part.setAttribute("tabindex", each ? 0 : -1);
    find(".node, [aria-expanded]", root)?.setAttribute("tabindex", 0);
  }
  area.addEventListener("focusin", () => stopAtParts(true)); // Chromium would make an SVG element that listens to these a stop
  area.addEventListener("focusout", event => area.contains(event.relatedTarget) || stopAtParts(false));
  area.addEventListener("keydown", event => { // boxes come before the labels of arrows, which are painted first
    if (event.key !== "Tab") return;
    const parts = [".node, [aria-expanded]", ".factor"].flatMap(name => all(name, root)).filter(part => part.checkVisibility());
    const next = parts[parts.indexOf(document.activeElement) + (event.shiftKey ? -1 : 1)];
    if (next) {
      event.preventDefault();
      next.focus();
    } else for (const part of parts) part.setAttribute("tabindex", -1); // so the key leaves the graph
  });

  function markStops(marked) {
    stops = marked;
    nodes.forEach(({ group, variable }) => group.classList.toggle("stop", marked.has(variable)));
  }

  // Mark the links to and from folds over which a nudge arrives.
  function markLinks(carrying) {
    const shown = new Set(painted.nodes.map(({ variable }) => variable)), at = k => painted.nodes[k]?.variable;
    const hidden = [...carrying].map(e => run.edges[e]).filter(({ input, output }) => !shown.has(input) || !shown.has(output));
    const leads = (from, to) => hidden.some(({ input, output }) =>
      (from < 0 ? !shown.has(input) : input === at(from)) && (to < 0 ? !shown.has(output) : output === at(to)));
    for (const { from, to, line } of links) line.classList.toggle("carries", hidden.length > 0 && leads(from, to));
  }

  // What the window follows: the variables that the step looks at, the most important last.
  function looked(frame) {
    const box = v => painted.nodes.find(({ variable }) => variable === v) ?? painted.closed?.find(({ holds }) => holds.has(v));
    return [frame.origin, ...frame.tags.keys(), frame.current, frame.active, frame.current, frame.nudged].map(box).filter(Boolean);
  }

  function toggleNear() {
    wanted = !isNear;
    shapePage();
    player.refresh(); // the small map appears or disappears
  }

  // Open or close a scope. Its corner stays where it is.
  function turn(scope) {
    const box = () => [...painted.frames, ...painted.closed].find(other => other.scope === scope), from = box();
    folded.turn(scope);
    wanted = false; // all of the graph stays, though it may need a larger window now
    run.folded.turned = true; // also if the page starts again at other numbers
    show(last, () => view.exchange(painted, from, box()));
    find(`#scope-${scope}`, root).focus({ preventScroll: true });
  }

  function show(frame, open = () => view.open(painted, looked(frame))) {
    const before = last;
    last = frame;
    if (!before) shapePage();
    const scene = sceneOf(frame), opened = scene !== painted;
    panel.classList.toggle("near", isNear);
    frame.painted = scene;
    if (opened) paint(scene, open);
    nodes.forEach(node => node.show(frame));
    edges.forEach(edge => edge.show(frame));
    closed.forEach(box => box.show(frame));
    markLinks(frame.carrying ?? new Set());
    if (frame.factors) arrangeFactors(edges, [...scene.nodes, ...(scene.closed ?? []), ...(scene.folds ?? [])], nodes, scene.width);
    buttons.mark(frame);
    if (!opened && (frame.nudged === undefined || frame.nudged !== before?.nudged)) view.follow(looked(frame));
  }

  function resized() {
    if (!last || !panel.isConnected) return; // of a player that was left
    shapePage(); // a step does not: measuring would make the browser lay out the page
    if (sceneOf(last) === painted) view.resized(looked(last));
    else if (near || nearNarrow) player.refresh(); // the small map shows the new part
    else show(last);
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
