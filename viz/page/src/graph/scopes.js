// What stands for a part of the graph: a fold, and the frame of a scope.

import { svg } from "../dom.js";
import { CORNER } from "./nodes.js";

// A fold: the number of variables that are not shown.
export function paintFold({ x, y, w, h, lines }, { fonts: { cell } }) {
  return svg("g", { class: "fold", transform: `translate(${x} ${y})` },
    svg("rect", { x: -w / 2, y: -h / 2, width: w, height: h, rx: CORNER }),
    ...lines.map((line, k) => svg("text", { y: cell * (1.1 * (k - (lines.length - 1) / 2) + 0.3), "text-anchor": "middle" }, line)));
}

// The frame of a scope, with its name.
export function paintFrame({ name, x, y, w, h }) {
  return svg("g", { class: "scope", transform: `translate(${x - w / 2} ${y - h / 2})` },
    svg("rect", { width: w, height: h, rx: CORNER }), svg("text", { x: w / 2, y: 20, "text-anchor": "middle" }, name));
}
