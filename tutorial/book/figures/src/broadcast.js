// Chapter 10: a small array is stretched over P. In the backward pass the gradient folds back, and what meets adds up.

import { indices } from "./matrix.js";
import { alongTrack, clamp, digits } from "./numbers.js";
import { box, group, handle, line, picture, words } from "./svg.js";

const P = [[2, 1], [4, 5], [0, 9]], G = [[1, 2], [3, 4], [5, 6]]; // G is dz/dY for Y = P + b
const SHAPES = { "(2,)": [1, 2], "(3, 1)": [3, 1], "()": [1, 1], "(3, 2)": [3, 2] }; // as rows and columns
const HIGH = 46, TOP = 30;

// Return the place in b from which an entry of Y takes its number.
/** @param {any} state @param {number[]} entry */
const source = (state, entry) => SHAPES[state.shape].map((length, axis) => (length === 1 ? 0 : entry[axis]));
/** @param {any} state @param {number[]} place */
const valueOf = (state, [i, j]) => 10 * (1 + i * SHAPES[state.shape][1] + j);
/** @type {number[][]} */
const entries = indices(3, 2);

// Return the entries of Y that take their number from a place of b.
const childrenOf = (state, place) => entries.filter(entry => String(source(state, entry)) === String(place));
const sumAt = (state, place) => childrenOf(state, place).reduce((sum, [i, j]) => sum + G[i][j], 0);

function facts(state) {
  const [rows, columns] = SHAPES[state.shape];
  const Y = P.map((row, i) => row.map((p, j) => p + valueOf(state, source(state, [i, j]))));
  return { Y, db: indices(rows, columns).map(place => sumAt(state, place)) };
}

function layout(wide) {
  const cell = Math.min(76, (wide - 60) / 4), track = { y: TOP + 3 * HIGH + 30, from: cell, to: wide - cell };
  return { cell, track, home: 2, away: wide - 2 * cell - 2 };
}

function shown(state, wide) {
  const { cell, track, home, away } = layout(wide), [rows, columns] = SHAPES[state.shape], { Y } = facts(state), { t, way } = state;
  /** @param {number[]} place */
  const middle = ([i, j]) => [home + j * cell + (columns === 1 ? cell / 2 : 0), TOP + i * HIGH + (rows === 1 ? HIGH : 0)];
  /** @param {number[]} entry */
  const far = ([i, j]) => [away + j * cell, TOP + i * HIGH];
  const isBack = way === "backward", whole = isBack ? t === 0 : t === 1;
  /** @param {number[]} corner @param {string} look */
  const square = ([x, y], text, below, look) => group({ class: look },
    box(x + 2, y + 2, cell - 4, HIGH - 4, { rx: 6, class: "cell" }),
    words(x + cell / 2, y + (below ? 21 : 28), text, { class: "number", "text-anchor": "middle" }),
    below ? words(x + cell / 2, y + HIGH - 8, below, { class: "number below", "text-anchor": "middle" }) : "",
  );
  const between = entry => middle(source(state, entry)).map((from, axis) => from + t * (far(entry)[axis] - from));
  /** @param {number[]} corner */
  const centre = ([x, y]) => [x + cell / 2, y + HIGH / 2];
  const x = track.from + t * (track.to - track.from);
  return picture(wide, track.y + 24, "a small array, and the array of the shape (3, 2) over which it is stretched",
    words(home + cell, 16, isBack ? "dz/db" : "b", { class: "name", "text-anchor": "middle" }),
    words(away + cell, 16, isBack ? "dz/dY" : "Y = P + b", { class: "name", "text-anchor": "middle" }),
    group({}, entries.map(entry => line([centre(middle(source(state, entry))), centre(far(entry))], { class: "thread" }))),
    group({}, entries.map(entry => square(far(entry), digits((isBack ? G : P)[entry[0]][entry[1]]), "", isBack ? "padding" : ""))),
    group({}, indices(rows, columns).map(place =>
      square(middle(place), isBack ? "" : digits(valueOf(state, place)), "", isBack ? "padding" : ""))),
    group({}, entries.map(entry => {
      const [i, j] = entry, value = isBack ? G[i][j] : valueOf(state, source(state, entry));
      if (whole && !isBack) return square(far(entry), digits(Y[i][j]), `${P[i][j]}+${value}`, "other");
      return square(between(entry), digits(value), "", isBack ? "here" : "other");
    })),
    group({}, whole && isBack ? indices(rows, columns).map(place => {
      const parts = childrenOf(state, place).map(([i, j]) => G[i][j]), sum = parts.length > 3 ? `sum of ${parts.length}` : parts.join("+");
      return square(middle(place), digits(sumAt(state, place)), parts.length > 1 ? sum : "", "here");
    }) : []),
    line([[track.from, track.y], [track.to, track.y]], { class: "legs" }),
    handle("t", "how far b is stretched", Number(t.toFixed(2)), `${Math.round(100 * t)} percent`, [x, track.y]),
  );
}

function says(state) {
  const { way, shape } = state, children = childrenOf(state, [0, 0]), sum = children.map(([i, j]) => G[i][j]).join(" + ");
  const many = children.length === 1 ? "one entry" : `${children.length} entries`;
  if (way === "forward") return `b has the shape ${shape}. Its first entry is added to <b class="child">${many}</b> of P.`;
  const child = children.length === 1 ? "its child" : "children";
  return `The first entry of b has <b class="child">${many}</b> of Y as ${child}, so its derivative is `
    + `${children.length > 1 ? `${sum} = ` : ""}<b class="total">${sumAt(state, [0, 0])}</b>.`;
}

const start = { shape: "(2,)", way: "forward", t: 0 };

export const broadcast = {
  does: "Drag the point to stretch b and to fold it back",
  hint: "Then give b another shape.",
  start,
  still: { ...start, way: "backward", t: 0 },
  others: Object.keys(SHAPES).slice(1).map(shape => ({ ...start, shape })),
  facts, says,
  picture: shown,
  drag: (_, [x], wide) => ({ t: alongTrack(x, layout(wide).track) }),
  press: (state, [x, y]) => ({ t: clamp(Math.round(10 * state.t + (x || y)) / 10, 0, 1) }),
  controls: [
    { choose: "direction", of: "way", options: [["forward"], ["backward"]], change: (_, way) => ({ way, t: way === "forward" ? 0 : 1 }) },
    { choose: "shape of b", of: "shape", options: Object.keys(SHAPES).map(shape => [shape]) },
  ],
};
