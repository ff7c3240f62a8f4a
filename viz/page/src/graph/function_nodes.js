// Functions as nodes of their own: each function stands before the box of its output, A → matmul → C. The edges of its inputs end there.

import { svg } from "../dom.js";

const MOST_LETTERS = 20; // of the name of a function

// Return the place of the box itself, without the room that the node of the function and the arrow take before it.
export function afterFunction(place, { turned }) {
  const { x, y, w, h, function: { before } } = place;
  return turned ? { ...place, y: y + before / 2, h: h - before } : { ...place, x: x + before / 2, w: w - before };
}

// Return the node of the function that computed a variable, and the arrow to the variable's box, from the corner of that box.
/** @param {Run} run */
export function functionNode(run, { variable }, { w, h, function: { w: wide, h: high, before } }, { turned, fonts }) {
  const name = run.variables[variable].function, [x, y] = turned ? [w / 2, high / 2 - before] : [wide / 2 - before, h / 2];
  const text = svg("text", { class: "function-name", x, y: y + 0.33 * fonts.formula, "text-anchor": "middle" });
  text.textContent = name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS - 1)}…` : name;
  return [
    svg("path", {
      class: "to-output", d: turned ? `M${x} ${high - before}V0` : `M${wide - before} ${y}H0`, "marker-end": "url(#arrow-plain)",
    }),
    svg("rect", { class: "function-node", x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: high / 2 }),
    text,
  ];
}
