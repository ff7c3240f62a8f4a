// Act 3 for a network: the steps of the backward pass in the row of layers, the value of each above, its derivative below.

import { backwardAct } from "../acts/backward.js";
import { boxNumber } from "./layers_panel.js";
import { pictureOfData } from "./pictures.js";

const half = (found, numbers, more) => {
  const { text, picture, shape } = found;
  return picture || (Array.isArray(numbers) && numbers.length) ? { ...more, picture: pictureOfData({ picture, shape }, numbers) }
    : { ...more, text: typeof numbers === "number" ? boxNumber(numbers) : text };
};

const inLeaf = ({ upper, lower, ...more }) => ({
  ...more, upper: { ...upper, label: null, about: "value" }, lower: { ...lower, label: null, about: lower.label },
});

// What the boxes show at the end of the backward pass: values, and all derivatives.
/** @param {Run} run */
export function boxesOfLast(run) {
  const totals = run.steps.length ? run.totals(run.steps.length - 1) : new Map();
  const found = v => {
    const quantity = run.quantities[totals.get(v)?.quantity], { shape, data } = run.variables[v];
    const lower = quantity && half({ ...quantity, shape }, quantity.number, { label: "derivative", kind: "total" });
    return { upper: half(run.variables[v], data, { label: "value" }), lower: lower ?? { label: "derivative", text: "?", kind: "quiet" } };
  };
  return { box: found, leaf: v => inLeaf(found(v)) };
}

/** @param {Run} run */
export function networkBackward(run, player) {
  const act = backwardAct(run);
  function layersOf(frame) {
    const { current, active, totals, tags } = frame;
    const lower = v => {
      const total = totals.get(v), { shape } = run.variables[v];
      if (!total) return { label: "derivative", text: "?", kind: "quiet" };
      const quantity = run.quantities[total.quantity];
      return half({ ...quantity, shape }, quantity.number, { label: total.final ? "derivative" : "sum so far", kind: "total" });
    };
    const found = v => ({
      state: v === current ? "current" : v === active ? "child" : totals.get(v)?.final ? "done" : frame.tags.has(v) ? "waiting" : "dim",
      tag: v === current || v === active ? tags.get(v) ?? "" : "", upper: half(run.variables[v], run.variables[v].data,
        { label: "value" }), lower: lower(v),
    });
    // A box shows what the step looks at within it, such as a transposed array, else what it gives.
    const within = (v, box) => [current, active].find(x => x !== undefined && box.holds.includes(x)
      && run.variables[x].function !== null) ?? v;
    return {
      looked: [current ?? frame.origin, active, ...(current === undefined ? [run.z] : [])].filter(v => v !== undefined),
      backward: { current, child: active }, box: (v, box) => found(within(v, box)), leaf: v => inLeaf(found(v)),
      pick: box => player.pick(box.shows), pickLeaf: v => player.pick(v),
    };
  }

  return { ...act, frame: i => { const frame = run.frame(i); return { ...frame, layers: layersOf(frame) }; } };
}
