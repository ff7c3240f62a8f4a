// Chapter 8: a row times a column. An entry of C is pointed at to see its product, one of A or B to see its derivative.

import { column, indices, inner, matrix, point } from "./matrix.js";
import { digits } from "./numbers.js";
import { box, group, picture, words } from "./svg.js";

const A = [[1, 2, 0], [3, -1, 2]], B = [[2, 1], [0, 3], [1, -2]], G = [[1, 2], [3, 4]]; // G is dz/dC
const ROWS = A.length, INNER = B.length, COLUMNS = B[0].length;
const C = A.map(row => B[0].map((_, j) => inner(row, column(B, j))));
const DA = A.map((row, i) => row.map((_, k) => inner(G[i], B[k])));
const DB = B.map((row, k) => row.map((_, j) => inner(column(A, k), column(G, j))));
const HIGH = 50, GAP = 14, TOP = 26;

// Return the entry that is pointed at, and what its number is a sum of: factors, each with a place in the picture, and by what each counts.
// A place is [matrix, i, j]. The entries of C count with their derivatives G, if the derivative of an entry of A or B is asked for.
/** @returns {{ value: number, pairs: any[][] }} */
function sumOf({ of, i, j }) {
  const range = length => Array.from({ length }, (_, k) => k);
  if (of === "A") return { value: DA[i][j], pairs: range(COLUMNS).map(k => [["B", j, k], ["C", i, k]]) };
  if (of === "B") return { value: DB[i][j], pairs: range(ROWS).map(k => [["A", k, i], ["C", k, j]]) };
  return { value: C[i][j], pairs: range(INNER).map(k => [["A", i, k], ["B", k, j]]) };
}

/** @param {any[]} place */
const numberAt = ([of, i, j]) => ({ A, B, C: G })[of][i][j];

// Return the numbers that the figure shows.
function facts(state) {
  const { value, pairs } = sumOf(state);
  return { C, dA: DA, dB: DB, value, terms: pairs.map(([a, b]) => numberAt(a) * numberAt(b)) };
}

const isForward = ({ of }) => of === "C";
const symbol = ({ of, i, j }) => `${of.toLowerCase()}<sub>${i + 1}${j + 1}</sub>`;
const named = (of, i, j) => `${of} ${i} ${j}`;

function shown(state, wide) {
  const cell = Math.min(64, Math.floor((wide - GAP) / (INNER + COLUMNS))), left = (wide - GAP - cell * (INNER + COLUMNS)) / 2;
  const below = TOP + INNER * HIGH + TOP + GAP, right = left + INNER * cell + GAP, { value, pairs } = sumOf(state);
  const look = place => {
    const k = pairs.findIndex(pair => pair.some(one => String(one) === String(place)));
    if (String(place) === String([state.of, state.i, state.j])) return isForward(state) ? "here" : "here derivative";
    return k < 0 ? "" : String(pairs[k][0]) === String(place) ? "factor" : isForward(state) ? "other" : "other derivative";
  };
  const draw = (of, values, gradients, x, y) => matrix({
    x, y, rows: values.length, columns: values[0].length, wide: cell, high: HIGH, name: of,
    cell: (i, j) => ({
      text: digits(values[i][j]), below: digits(gradients[i][j]), look: look([of, i, j]), at: named(of, i, j),
      label: `${of}, row ${i + 1}, column ${j + 1}: ${values[i][j]}, derivative ${gradients[i][j]}`,
      stops: look([of, i, j]).startsWith("here"),
    }),
  });
  const rows = pairs.map(([a, b], k) => words(left + INNER * cell - 12, TOP + 34 + k * 26,
    `${digits(numberAt(a))} · ${digits(numberAt(b))}`, { class: "number", "text-anchor": "end" }));
  return picture(wide, below + ROWS * HIGH + 4, "the matrices A, B and their product C, with the derivatives of z",
    group({}, rows),
    box(left + 40, TOP + 42 + (pairs.length - 1) * 26, INNER * cell - 52, 1.5, { class: "rule" }),
    words(left + INNER * cell - 12, TOP + 64 + (pairs.length - 1) * 26, digits(value), {
      class: `number strong ${isForward(state) ? "current" : "total"}`, "text-anchor": "end",
    }),
    draw("B", B, DB, right, TOP), draw("A", A, DA, left, below), draw("C", C, G, right, below),
  );
}

function says(state) {
  const { i, j } = state, { value, pairs } = sumOf(state);
  const sum = pairs.map(([a, b]) => `${digits(numberAt(a))} · ${digits(numberAt(b))}`).join(" + ");
  if (isForward(state))
    return `${symbol(state)} is <b class="partial">row ${i + 1} of A</b> times <b class="child">column ${j + 1} of B</b>: `
      + `${sum} = <b class="current">${digits(value)}</b>.`;
  const [factors, derivatives] = state.of === "A"
    ? [`row ${j + 1} of B`, `row ${i + 1} of dz/dC`] : [`column ${i + 1} of A`, `column ${j + 1} of dz/dC`];
  return `dz/d${symbol(state)} is <b class="partial">${factors}</b> times <b class="child">${derivatives}</b>: `
    + `${sum} = <b class="total">${digits(value)}</b>.`;
}

// A stands left of C, and B above it, so all three are one plane in which arrow keys move.
function beside(_, at, [x, y]) {
  const { of, i, j } = point(_, at), down = i + (of === "B" ? 0 : INNER) - y, across = j + (of === "A" ? 0 : INNER) + x;
  if (down < INNER) return named("B", down, across - INNER);
  return across < INNER ? named("A", down - INNER, across) : named("C", down - INNER, across - INNER);
}

export const product = {
  does: "Point at any entry",
  hint: "z = c₁₁ + 2c₁₂ + 3c₂₁ + 4c₂₂. Below each number stands the derivative of z with respect to it.",
  start: { of: "C", i: 0, j: 0 },
  still: { of: "B", i: 1, j: 0 },
  others: [{ of: "B", i: 1, j: 0 }, { of: "A", i: 1, j: 2 }, ...indices(ROWS, COLUMNS).slice(1).map(([i, j]) => ({ of: "C", i, j }))],
  facts, says, point, beside,
  picture: shown,
  controls: [],
};
