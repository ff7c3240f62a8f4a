// One vjp in pictures: the derivative that arrives, what the child passes on, and their sum.

import { html } from "../dom.js";
import { canvas, paint, pictureOfData } from "./pictures.js";

/** @param {Run} run */
export function passesPanel(root, run) {
  root.hidden = !run.network;
  if (!run.network) return { show() {} };
  let now = [];

  new ResizeObserver(() => draw()).observe(root);

  function draw() {
    if (!root.clientWidth) return;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize), shown = now.filter(({ picture }) => picture);
    const wide = ({ picture: { matrices, columns } }) => Math.max(3, columns * Math.min(matrices, 2)), all = shown.reduce((sum,
      one) => sum + wide(one), 0);
    const room = root.clientWidth - 2 * rem - 2.6 * rem * (now.length - 1), height = Math.max(4 * rem, root.clientHeight - 11 * rem);
    for (const one of shown)
      paint(one.target, one.picture, { width: (room * wide(one)) / Math.max(all, 6), height, most: 34, write: true });
  }

  // A picture of a quantity, or its number, with its name below it.
  function card(place, shape, name, kind) {
    const quantity = run.quantities[place], target = canvas(kind), isPicture = quantity.picture || Array.isArray(quantity.number);
    now.push({ target, picture: isPicture ? pictureOfData({ picture: quantity.picture, shape }, quantity.number) : null });
    return html("figure", { class: kind }, isPicture ? target : html("strong", {}, quantity.text),
      html("figcaption", {}, name, ...(quantity.summary ? [html("small", {}, quantity.summary)] : [])));
  }

  // Why the page cannot look inside a function; undefined if it can.
  /** @param {Variable} variable */
  const closedOf = ({ mark }) => mark?.[3];

  // What the colours of boxes say: a remark, or who computes the derivative.
  const legend = () => (run.marks ?? []).map(([kind, label]) => html("p", { class: `by-${kind}` }, `■ ${label}`));

  return {
    show(frame) {
      root.hidden = !frame.layers;
      if (root.hidden) return;
      const { i, current } = frame, part = run.parts[run.partOf(i)];
      now = [];
      // The latest of each kind for the edge of this step.
      const edge = frame.step.edge ?? run.steps.slice(part.from, i + 1).findLast(step => step.edge !== undefined)?.edge;
      if (current === undefined || edge === undefined) {
        root.replaceChildren(html("h2", {}, "one vjp a step"), html("p", { class: "note" }, current === undefined
          ? "Each step takes the derivative that has arrived at a layer, and passes it back to one input of that layer."
          : "The sum begins at 0. One vjp follows for each child."), ...legend());
        return;
      }
      const past = run.steps.slice(part.from, i + 1).filter(step => step.edge === edge || step.y === run.edges[edge].output);
      const latest = field => past.findLast(step => step[field] !== undefined)?.[field];
      const { input, output, ratio } = run.edges[edge], [upstream, term] = [latest("upstream"), latest("term")],
        symbols = latest("factors")?.[0] ?? [];
      const closed = closedOf(run.variables[output]), total = frame.totals.get(current), several = run.edgesFrom[current].length > 1;
      const arrived = upstream ?? frame.totals.get(output)?.quantity, unknown = html("figure", {}, html("strong", {}, "?"),
        html("figcaption", {}, run.formula(ratio)));
      const cards = [
        ...(arrived === undefined ? [] : [card(arrived, run.variables[output].shape, run.formula(run.variables[output].total), "arrives")]),
        html("b", {}, "→"), term === undefined ? unknown : card(term, run.variables[input].shape, run.formula(ratio), "passed"),
        ...(several && total && term !== undefined ? [html("b", {}, "Σ"), card(total.quantity, run.variables[input].shape,
          run.formula(run.variables[input].total), "sum")] : []),
      ];
      root.replaceChildren(html("h2", {}, "one vjp a step"),
        html("p", { class: "formula" }, run.formula(ratio),
          ...(closed ? [] : symbols.filter(place => place !== null && place !== ratio).flatMap(place => [" = ", run.formula(place)]))),
        ...(closed ? [html("p", {}, closed)] : []),
        html("div", { class: "cards" }, ...cards),
        ...(run.scalarGraphs?.[output] ? [html("p", { class: "note" }, "Press Z to see the numbers behind it.")] : []));
      draw();
    },
  };
}
