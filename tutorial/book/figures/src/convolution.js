// Chapter 18: a window of weights over an image, with padding and stride. An entry of Y is pointed at to see its window, one of X to see
// which windows have met it.

import { indices, matrix, point } from "./matrix.js";
import { clamp, digits } from "./numbers.js";
import { box, heat, picture } from "./svg.js";

const X = [
  [0, 0, 0, 0, 0, 0], [0, 3, 3, 3, 0, 0], [0, 3, 3, 3, 3, 0], [0, 3, 3, 3, 3, 0], [0, 0, 3, 3, 0, 0], [0, 0, 0, 0, 0, 0],
];
const K = [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], SIZE = X.length, KERNEL = K.length;
const CELL = 38, TOP = 26, GAP = 28;

const sizeOf = ({ padding, stride }) => Math.floor((SIZE + 2 * padding - KERNEL) / stride) + 1;
const pixel = (i, j) => X[i]?.[j] ?? 0;

// Return the place in X of the first entry of a window.
const corner = ({ padding, stride }, i, j) => [i * stride - padding, j * stride - padding];

function terms(state, i, j) {
  const [top, left] = corner(state, i, j);
  return indices(KERNEL, KERNEL).map(([a, b]) => K[a][b] * pixel(top + a, left + b));
}

const total = numbers => numbers.reduce((sum, number) => sum + number, 0);
const square = (size, f) => Array.from({ length: size }, (_, i) => Array.from({ length: size }, (__, j) => f(i, j)));
const result = state => square(sizeOf(state), (i, j) => total(terms(state, i, j)));

// Return the windows that an entry of X is in: the place of each in Y, and the weight that meets the entry there.
function windowsOf(state, i, j) {
  return indices(sizeOf(state), sizeOf(state)).flatMap(([p, q]) => {
    const [top, left] = corner(state, p, q), weight = K[i - top]?.[j - left];
    return weight === undefined ? [] : [{ p, q, weight }];
  });
}

// Return the derivatives of z = Σ y² / 2, so that dz/dY is Y.
function derivatives(state) {
  const Y = result(state);
  return X.map((row, i) => row.map((_, j) => total(windowsOf(state, i, j).map(({ p, q, weight }) => Y[p][q] * weight))));
}

const facts = state => ({ Y: result(state), dX: derivatives(state) });

const times = number => `·${digits(number)}`;

function shown(state, wide) {
  const { padding, of, i, j } = state, size = sizeOf(state), whole = SIZE + 2 * padding, Y = result(state);
  const isNarrow = wide < (SIZE + 2 + SIZE) * CELL + GAP, left = isNarrow ? (wide - (SIZE + 2) * CELL) / 2 : 0;
  const x = left + (1 - padding) * CELL, y = TOP + (isNarrow ? 0 : 1 - padding) * CELL;
  const to = isNarrow ? { x: (wide - size * CELL) / 2, y: y + whole * CELL + TOP + 10 } : { x: (SIZE + 2) * CELL + GAP, y: TOP + CELL };
  const [top, first] = corner(state, i, j), hits = of === "X" ? windowsOf(state, i, j) : [];
  const inWindow = (a, b) => of === "Y" && K[a - top]?.[b - first] !== undefined;
  const image = matrix({
    x, y, rows: whole, columns: whole, wide: CELL, high: CELL, name: padding ? "X, with zeros around it" : "X",
    cell(row, at) {
      const a = row - padding, b = at - padding, inside = X[a]?.[b] !== undefined, here = of === "X" && a === i && b === j;
      const spoken = { at: `X ${a} ${b}`, label: `X, row ${a + 1}, column ${b + 1}: ${pixel(a, b)}`, stops: here };
      const below = inWindow(a, b) ? times(K[a - top][b - first]) : here ? digits(derivatives(state)[i][j]) : "";
      const look = here ? "here derivative" : inWindow(a, b) ? "factor weighed" : inside ? "" : "padding";
      return { text: digits(pixel(a, b)), below, look, style: inside ? heat(pixel(a, b), 5, 45) : null, ...(inside ? spoken : {}) };
    },
  });
  const results = matrix({
    ...to, rows: size, columns: size, wide: CELL, high: CELL, name: `Y: ${size} × ${size}`,
    cell(p, q) {
      const here = of === "Y" && p === i && q === j, hit = hits.find(one => one.p === p && one.q === q);
      const label = `Y, row ${p + 1}, column ${q + 1}: ${Y[p][q]}`;
      const look = here ? "here" : hit ? "other weighed" : "";
      const below = hit ? times(hit.weight) : "", style = heat(Y[p][q], 14, 45);
      return { text: digits(Y[p][q]), below, look, style, at: `Y ${p} ${q}`, label, stops: here };
    },
  });
  const frames = of === "Y" ? [[top, first]] : hits.map(({ p, q }) => corner(state, p, q));
  const high = isNarrow ? to.y + size * CELL + 6 : TOP + (SIZE + 2) * CELL + 6;
  return picture(wide, high, "an image X, a window of weights over it, and the result Y",
    image, results,
    frames.map(([a, b]) => box(x + (b + padding) * CELL, y + (a + padding) * CELL, KERNEL * CELL, KERNEL * CELL, {
      rx: 7, class: of === "Y" ? "window" : "window seen",
    })),
  );
}

function says(state) {
  const { of, i, j } = state, place = `Row ${i + 1}, column ${j + 1} of ${of}`;
  if (of === "Y") {
    const [top, left] = corner(state, i, j), met = indices(KERNEL, KERNEL).filter(([a, b]) => K[a][b] && pixel(top + a, left + b));
    const sum = met.map(([a, b]) => `${digits(pixel(top + a, left + b))} ${times(K[a][b])}`).join(" + ") || "0";
    return `${place} is ${sum} = <b class="current">${digits(result(state)[i][j])}</b>. Y has ${sizeOf(state)} × ${sizeOf(state)} entries.`;
  }
  const windows = windowsOf(state, i, j), Y = result(state);
  const sum = windows.filter(({ weight }) => weight).map(({ p, q, weight }) => `${digits(Y[p][q])} ${times(weight)}`).join(" + ") || "0";
  return `${place} is in ${windows.length} window${windows.length === 1 ? "" : "s"}. With dz/dY = Y, `
    + `its derivative is ${sum} = <b class="total">${digits(derivatives(state)[i][j])}</b>.`;
}

// An arrow key goes to the next entry, and from the right end of X to Y.
function beside(state, at, [right, up]) {
  const { of, i, j } = point(state, at), last = sizeOf(state) - 1;
  if (of === "X" && j + right === SIZE) return `Y ${Math.min(i, last)} 0`;
  return of === "Y" && j + right < 0 ? `X ${i} ${SIZE - 1}` : `${of} ${i - up} ${j + right}`;
}

// Return the state with another padding or stride, and with an entry that is still there.
function resized(state, changed) {
  const last = sizeOf({ ...state, ...changed }) - 1;
  return state.of === "X" ? changed : { ...changed, i: clamp(state.i, 0, last), j: clamp(state.j, 0, last) };
}

const start = { padding: 0, stride: 1, of: "Y", i: 1, j: 0 };

export const convolution = {
  does: "Point at an entry of Y, then at one of X",
  hint: "Y shows its window, and X the windows that it is in.",
  start,
  still: { ...start, padding: 1, stride: 2, i: 1, j: 1 },
  others: [{ padding: 1, stride: 2, of: "Y", i: 1, j: 1 }, { padding: 1, stride: 1, of: "X", i: 2, j: 3 }, { ...start, stride: 2 }],
  facts, says, point, beside,
  picture: shown,
  controls: [
    {
      choose: "padding", of: "padding", options: [[0, "no padding"], [1, "padding 1"]],
      change: (state, padding) => resized(state, { padding }),
    },
    { choose: "stride", of: "stride", options: [[1, "stride 1"], [2, "stride 2"]], change: (state, stride) => resized(state, { stride }) },
  ],
};
