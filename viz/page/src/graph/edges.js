// The arrow of an edge in the graph, its `way`, and above all ways its label and its factor, its `group`.

import { mathText, svg } from "../dom.js";
import { briefly } from "./brief_numbers.js";
import { factorMark } from "./live_marks.js";

/** @param {Run} run */
export function paintEdge(run, { edge: e, path, label: box, number: which }, id, look, explain) {
  const edge = run.edges[e], number = run.quantities[edge.partial]?.text, size = look.fonts.label;
  const title = () => svg("title", {}, `${edge.text}${number ? ` = ${number}` : ""}`), group = svg("g", { id, class: "edge" }, title());
  const line = svg("path", { class: "line", d: path }), flow = svg("path", { class: "flow", d: path });
  const way = svg("g", { id: id.replace("edge", "way"), class: "way" }, title(), line, flow);
  if (box) {
    const stacked = look.stacked && !run.tensors, written = y => svg("text", { y: y * size, "text-anchor": "middle" });
    const text = written(stacked ? -0.15 : 0.35), more = stacked ? written(0.85) : text;
    mathText(text, run.tensors || stacked ? edge.label : [...edge.label, [" = ", ""]]);
    if (stacked) more.append("= ");
    if (!run.tensors) more.append(svg("tspan", { class: "number" }, briefly(number, look)));
    if (which !== null && !run.tensors) more.append(svg("tspan", { class: "which" }, `  (${which})`));
    group.append(svg("g", { class: "label", transform: `translate(${box.x} ${box.y})` },
      svg("rect", { x: -box.w / 2, y: -box.h / 2, width: box.w, height: box.h, rx: 6 }), ...new Set([text, more])));
  }
  const factor = box && factorMark(box, look, explain);
  if (factor) group.append(factor.group);
  let shown = ""; // its classes; setting them again would make the browser lay out the page
  return {
    group, way, factor, line,
    show(frame) {
      const classes = classesOf(e, frame);
      factor?.show(frame.factors?.get(e));
      const names = [...(run.notFinite?.edge === e ? ["not-finite"] : []), ...Object.keys(classes).filter(name => classes[name])];
      if (names.join(" ") === shown) return;
      const isOn = classes.child || classes.carries, wasOn = /child|carries/.test(shown);
      shown = names.join(" ");
      group.setAttribute("class", `edge ${shown}`);
      way.setAttribute("class", `way ${shown}`);
      line.setAttribute("marker-end", `url(#arrow-${arrowOf(classes)})`);
      if (isOn && !wasOn) for (const part of [group, way]) part.parentNode.append(part); // above dimmed edges
    },
  };
}

// Return {class: whether the edge has it}.
function classesOf(e, { act, current, edges, atWork, known, flowing, factors, carrying }) {
  const child = edges.has(e), active = atWork.has(e), carries = !!carrying?.has(e);
  return {
    child, active, done: child && !active && known.has(e), dim: current !== undefined && !child, flowing: active && flowing,
    forward: act !== "backward", carries, idle: factors && !carries, factored: factors?.has(e),
  };
}

function arrowOf({ child, active, forward, carries }) {
  if (carries || (active && forward)) return "forward";
  return active ? "active" : child ? "child" : "plain";
}
