// Chapter 5: the dictionary of Figure 1 fills, one entry at each click. An entry can be computed when those of all children are there.

import { digits } from "./numbers.js";
import { box, group, line, part, picture, words } from "./svg.js";

const CHILDREN = { // of Figure 1 with x = (3, 1, −2, 4): each child with the partial derivative on its arrow
  z: {}, y2: { z: 1 }, y1: { z: 3 }, x2: { y1: 1 }, x1: { z: 6, y1: 1 }, x3: { y1: 1 }, x4: { y1: 1, y2: 8 },
};
const ORDER = Object.keys(CHILDREN); // the tutorial's
const ROW = 44, TOP = 24;

const nameOf = v => v.replace(/\d/, digit => "₀₁₂₃₄"[Number(digit)]);

// Return {variable: total derivative} in the order in which they were inserted.
function computedOf(order) {
  const computed = { z: 1 };
  for (const x of order) computed[x] = Object.entries(CHILDREN[x]).reduce((sum, [y, partial]) => sum + computed[y] * partial, 0);
  return computed;
}

const facts = ({ order }) => computedOf(order);
const missing = (order, x) => Object.keys(CHILDREN[x]).filter(y => y !== "z" && !order.includes(y));
const terms = (computed, x) => Object.entries(CHILDREN[x]).map(([y, partial]) => `${digits(computed[y])}·${digits(partial)}`).join(" + ");

// Return the state in which a variable's entry is inserted, or in which it is said what is missing.
function choose({ order }, x) {
  if (x === "z" || order.includes(x)) return { asked: "" };
  return missing(order, x).length ? { asked: x } : { order: [...order, x], asked: "" };
}

function next({ order }) {
  const ready = ORDER.slice(1).find(x => !order.includes(x) && !missing(order, x).length);
  return ready ? { order: [...order, ready], asked: "" } : {};
}

const back = ({ order }) => ({ order: order.slice(0, -1), asked: "" });

function shown({ order, asked }, wide) {
  const chip = wide < 520 ? 88 : 120, left = chip + 34, computed = computedOf(order), rows = Object.keys(computed), last = order.at(-1);
  const lacks = asked ? missing(order, asked) : [], used = last && !asked ? Object.keys(CHILDREN[last]) : [];
  const rowOf = v => TOP + rows.indexOf(v) * ROW + ROW / 2;
  const read = (y, k) => line([[left, rowOf(y)], [left - 10 - 9 * k, rowOf(y)], [left - 10 - 9 * k, rowOf(last)], [left, rowOf(last)]], {
    class: "read",
  });
  return picture(wide, TOP + ORDER.length * ROW + 4, "the variables of Figure 1, and the dictionary of their derivatives",
    words(2, 14, "variables", { class: "quiet" }), words(left, 14, "computed", { class: "quiet" }),
    group({}, ORDER.map((v, k) => {
      const inserted = v in computed, y = TOP + k * ROW, free = !inserted && !missing(order, v).length;
      const look = v === asked ? "here" : inserted ? "padding" : free ? "other" : "";
      const of = Object.keys(CHILDREN[v]).map(nameOf).join(", ");
      return part(v, `${nameOf(v)}${inserted ? ", in the dictionary" : free ? ", can be computed" : ""}`, true, { class: look },
        box(1.5, y + 2, chip, ROW - 5, { rx: 7, class: "cell" }),
        words(12, y + 27, nameOf(v), { class: "name" }),
        of ? words(chip - 7, y + 27, `→ ${of}`, { class: "quiet", "text-anchor": "end" }) : "",
      );
    })),
    group({}, ORDER.map((_, k) => {
      const x = rows[k], y = TOP + k * ROW, look = !x ? "padding" : x === last && !asked ? "here" : used.includes(x) ? "factor" : "";
      return group({ class: look },
        box(left, y + 2, wide - left - 2, ROW - 5, { rx: 7, class: "cell" }),
        x ? words(left + 10, y + 27, `dz/d${nameOf(x)}`, { class: "total" }) : "",
        x ? words(wide - 12, y + 27, `${terms(computed, x) ? `${terms(computed, x)} = ` : ""}${digits(computed[x])}`, {
          class: "number", "text-anchor": "end",
        }) : "",
      );
    })),
    group({}, used.map(read)),
    group({}, lacks.map((y, k) => words(left + 10, TOP + (rows.length + k) * ROW + 27, `dz/d${nameOf(y)} ?`, { class: "wrong strong" }))),
  );
}

function says({ order, asked }) {
  if (asked) {
    const lacks = missing(order, asked).map(y => `dz/d${nameOf(y)}`).join(" and ");
    return `<b class="current">dz/d${nameOf(asked)}</b> needs <b class="wrong">${lacks}</b>, which is not in the dictionary yet.`;
  }
  const x = order.at(-1), computed = computedOf(order);
  if (!x) return "The dictionary begins with dz/dz = 1. Click a variable whose children are all in it.";
  const reads = Object.keys(CHILDREN[x]).map(y => `dz/d${nameOf(y)}`).join(" and ");
  return `<b class="current">dz/d${nameOf(x)}</b> reads <b class="partial">${reads}</b>: `
    + `${terms(computed, x)} = <b class="total">${computed[x]}</b>. ${order.length === 6 ? "Each entry was computed once." : ""}`;
}

export const dictionary = {
  does: "Click a variable to insert its derivative",
  hint: "Or press next.",
  start: { order: [], asked: "" },
  still: { order: ["y2", "y1", "x2", "x1"], asked: "" },
  others: [{ order: ["y2", "y1", "x2", "x1"], asked: "" }, { order: ["y1", "y2", "x4", "x1", "x3", "x2"], asked: "" }],
  facts, says, choose,
  picture: shown,
  walk: (state, [x, y]) => ((x || -y) > 0 ? next(state) : back(state)),
  controls: [
    { press: "back", change: back, idle: ({ order }) => !order.length },
    { press: "next", change: next, idle: ({ order }) => order.length === ORDER.length - 1 },
  ],
};
