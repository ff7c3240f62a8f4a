// Chapter 11: which entry of x moves which entry of y. A diagonal, a triangle, a full matrix: three kinds of function at one glance.

import { beside, column, inner, matrix, point } from "./matrix.js";
import { clamp, digits, two } from "./numbers.js";
import { box, group, handle, heat, line, picture, words } from "./svg.js";

const G = [1, -1, 2, 0.5], N = G.length, MOST = 2; // dz/dy; the ends of x are −2 and 2
const BARS = 96, HIGH = 42, GAP = 14; // pixels

// A function: its values, its partial derivatives ∂yᵢ/∂xⱼ, and what is to be seen. The chapter derives how an engine multiplies by them.
const FUNCTIONS = {
  tanh: {
    y: x => x.map(Math.tanh), partial: (y, i, j) => (i === j ? 1 - y[i] ** 2 : 0),
    shape: "Each y has one x: a diagonal",
  },
  cumsum: {
    y: x => x.map((_, i) => x.slice(0, i + 1).reduce((sum, value) => sum + value, 0)), partial: (_, i, j) => Number(j <= i),
    shape: "A joint turns all links behind it: a triangle",
  },
  softmax: {
    y(x) {
      const powers = x.map(value => Math.exp(value - Math.max(...x))), sum = powers.reduce((a, b) => a + b);
      return powers.map(power => power / sum);
    },
    partial: (y, i, j) => y[i] * (Number(i === j) - y[j]),
    shape: "If one share grows, the others shrink: a full matrix",
  },
};

function facts({ f, x }) {
  const y = FUNCTIONS[f].y(x), J = y.map((_, i) => x.map((__, j) => FUNCTIONS[f].partial(y, i, j)));
  return { y, J, dx: x.map((_, j) => inner(G, column(J, j))) };
}

function layout(wide) {
  const cell = Math.min(74, Math.floor((wide - 2 * GAP) / (N + 2))), left = Math.max(0, (wide - 2 * GAP - (N + 2) * cell) / 2);
  const top = BARS + 26;
  return {
    cell, left, top, low: top + N * HIGH + GAP, y: left + N * cell + GAP, G: left + (N + 1) * cell + 2 * GAP,
    X: j => left + (j + 0.5) * cell, named: (value, k) => (cell < 60 ? two(value) : `x${"₁₂₃₄"[k]} = ${two(value)}`),
  };
}

const upOf = value => 12 + ((MOST - value) / (2 * MOST)) * (BARS - 24);
const signed = number => (number < 0 ? `(${two(number)})` : two(number));

function shown(state, wide) {
  const { x, i, j } = state, { y, J, dx } = facts(state), at = layout(wide), { cell, left, top, low, X } = at;
  const part = (name, [x0, y0], [rows, columns], of) => matrix({ x: x0, y: y0, rows, columns, wide: cell, high: HIGH, name, cell: of });
  return picture(wide, low + HIGH + 4, "the matrix of the partial derivatives of y with respect to x",
    box(left, 0, N * cell, BARS, { rx: 8, class: "paper" }),
    line([[left, upOf(0)], [left + N * cell, upOf(0)]], { class: "grid" }),
    group({}, x.map((value, k) => [
      line([[X(k), upOf(0)], [X(k), upOf(value)]], { class: k === j ? "stem now" : "stem" }),
      words(X(k), BARS + 17, at.named(value, k), { class: k === j ? "below strong" : "below quiet", "text-anchor": "middle" }),
    ])),
    group({}, x.map((value, k) => handle(`x${k}`, `x${k + 1}`, value, two(value), [X(k), upOf(value)]))),
    part("", [left, top], [N, N], (row, col) => ({
      text: two(J[row][col]), look: row === i && col === j ? "here" : col === j ? "other" : J[row][col] ? "" : "zero",
      style: J[row][col] ? heat(J[row][col], 1, 50) : "fill: none", at: `J ${row} ${col}`, stops: row === i && col === j,
      label: `∂y${row + 1}/∂x${col + 1} = ${two(J[row][col])}`,
    })),
    part("y", [at.y, top], [N, 1], row => ({ text: two(y[row]), look: row === i ? "factor" : "" })),
    part("G", [at.G, top], [N, 1], row => ({ text: two(G[row]), look: "other" })),
    part("", [left, low], [1, N], (_, col) => ({ text: two(dx[col]), look: col === j ? "here total" : "" })),
    words(at.y + 4, low + 27, "dz/dx", { class: "name" }),
  );
}

function says(state) {
  const { f, i, j } = state, { J, dx } = facts(state), { shape } = FUNCTIONS[f];
  const x = `x<sub>${j + 1}</sub>`, y = `y<sub>${i + 1}</sub>`;
  const moves = J[i][j]
    ? `If ${x} grows by 0.1, ${y} ${J[i][j] > 0 ? "grows" : "falls"} by about <b class="current">${digits(Math.abs(J[i][j]) / 10, 2)}</b>.`
    : `${x} does not move ${y}.`;
  const terms = column(J, j).flatMap((partial, k) => (partial ? [`${signed(partial)} · ${signed(G[k])}`] : []));
  return `${moves} ${shape}. dz/d${x} is its column times G: ${terms.join(" + ")} = <b class="total">${two(dx[j])}</b>.`;
}

const start = { f: "tanh", x: [1, -0.5, 0.3, -1.2], i: 1, j: 1 };

// Return the state in which an entry of x has another value.
function moveTo(state, name, value) {
  const j = Number(name[1]);
  return { j, x: state.x.with(j, clamp(Math.round(10 * value) / 10, -MOST, MOST)) };
}

export const jacobian = {
  does: "Point at an entry, and drag the points of x",
  hint: "Row i is what moves yᵢ. Column j is what xⱼ moves.",
  start,
  still: { ...start, f: "softmax" },
  others: [{ ...start, f: "cumsum", i: 3, j: 0 }, { ...start, f: "softmax", x: [2, 1, 0.2, -1] }],
  facts, says, point, beside,
  picture: shown,
  drag: (state, [, y], __, name) => moveTo(state, name, MOST - ((y - 12) / (BARS - 24)) * 2 * MOST),
  press: (state, [x, y], name) => moveTo(state, name, state.x[Number(name[1])] + 0.1 * (x || y)),
  controls: [
    { choose: "function", of: "f", options: [["tanh"], ["cumsum"], ["softmax"]] },
  ],
};
