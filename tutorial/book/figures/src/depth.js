// Chapter 21: how large the derivatives are in each layer of a deep network, with and without normalisation and a path around each layer.

import { brief, clamp, dice } from "./numbers.js";
import { inner } from "./matrix.js";
import { box, dot, group, handle, line, mixed, picture, words } from "./svg.js";

const SIZE = 8, DEEPEST = 60, EPS = 1e-5; // examples and features, layers, the ε of the norm
const KINDS = { plain: "plain", norm: "normalised", around: "path around", both: "both" };
const TOP = 34, HIGH = 210, LEFT = 52, STRIP = 18, HIGHEST = 4; // pixels, and the highest power of 10

const matrixOf = number => Array.from({ length: SIZE }, () => Array.from({ length: SIZE }, number));
const throws = dice(1), INPUT = matrixOf(throws), UPSTREAM = matrixOf(throws);
const WEIGHTS = Array.from({ length: DEEPEST }, () => matrixOf(throws));

const transposed = rows => rows[0].map((_, j) => rows.map(row => row[j]));
const timesColumns = (a, columns) => a.map(row => columns.map(column => inner(row, column)));
const product = (a, b) => timesColumns(a, transposed(b));
const map = (rows, f) => rows.map((row, i) => row.map((x, j) => f(x, i, j)));
const mean = numbers => numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
const size = rows => Math.sqrt(rows.flat().reduce((sum, x) => sum + x * x, 0));

// Return a batch whose columns have mean 0 and variance 1, and the standard deviations that they had.
function normalised(rows) {
  const columns = transposed(rows).map(column => {
    const middle = mean(column), spread = Math.sqrt(mean(column.map(x => (x - middle) ** 2)) + EPS);
    return { y: column.map(x => (x - middle) / spread), spread };
  });
  return { y: transposed(columns.map(({ y }) => y)), spreads: columns.map(({ spread }) => spread) };
}

// Return the derivatives for what was normalised: no part of them is along the mean, or along the result.
function throughNorm({ y, spreads }, upstream) {
  const columns = transposed(y);
  return transposed(transposed(upstream).map((g, j) => {
    const along = mean(g), onto = mean(g.map((x, i) => x * columns[j][i]));
    return g.map((x, i) => (x - along - columns[j][i] * onto) / spreads[j]);
  }));
}

// Return the size of the derivatives at each layer's result, from the input to the last one, where it is 1.
function sizesOf({ kind, depth: layers, gain }) {
  const norm = kind === "norm" || kind === "both", around = kind === "around" || kind === "both", kept = [];
  let h = INPUT;
  for (let k = 0; k < layers; k++) {
    const weights = map(WEIGHTS[k], w => (w * gain) / Math.sqrt(SIZE)), sums = product(h, weights);
    const normed = norm ? normalised(sums) : null;
    const y = map(normed ? normed.y : sums, Math.tanh);
    kept.push({ weights, normed, y });
    h = around ? map(y, (x, i, j) => x + h[i][j]) : y;
  }
  let g = UPSTREAM;
  const sizes = [1];
  for (const { weights, normed, y } of kept.reverse()) {
    const inside = map(g, (x, i, j) => x * (1 - y[i][j] ** 2)), sums = normed ? throughNorm(normed, inside) : inside;
    const through = timesColumns(sums, weights);
    g = around ? map(through, (x, i, j) => x + g[i][j]) : through;
    sizes.unshift(size(g) / size(UPSTREAM));
  }
  return sizes;
}

const facts = state => ({ sizes: sizesOf(state).map(number => Number(number.toPrecision(6))) });
const across = (layer, wide) => LEFT + (layer / DEEPEST) * (wide - LEFT - 14);

// Return the lowest power of 10 of the plot: below what the deepest network with these weights comes to, whatever its layers.
function lowestOf({ gain }) {
  const all = Object.keys(KINDS).flatMap(kind => sizesOf({ kind, depth: DEEPEST, gain }));
  return Math.min(-4, 4 * Math.floor(Math.log10(Math.min(...all)) / 4));
}

function shown(state, wide) {
  const { kind } = state, sizes = sizesOf(state), X = layer => across(layer, wide), low = TOP + HIGH + 12, [first] = sizes;
  const lowest = lowestOf(state), up = number => TOP + ((HIGHEST - Math.log10(number)) / (HIGHEST - lowest)) * HIGH;
  const apart = lowest < -20 ? 12 : 4, powers = [HIGHEST, ...Array.from({ length: 1 - lowest / apart }, (_, k) => -apart * k)];
  const curve = of => line(sizesOf({ ...state, kind: of }).map((number, layer) => [X(layer), up(number)]), {
    class: of === kind ? "curve" : "faint",
  });
  const share = number => clamp(100 + 7 * Math.log10(number), 0, 100); // of the colour of a layer
  return picture(wide, low + STRIP + 44, "the size of the derivatives in each layer",
    words(LEFT, 16, "size of the derivatives", { class: "quiet" }),
    box(LEFT, TOP - 8, wide - LEFT, HIGH + 12, { rx: 8, class: "paper" }),
    powers.map(power => [
      line([[LEFT, up(10 ** power)], [wide, up(10 ** power)]], { class: "grid" }),
      words(LEFT - 6, up(10 ** power) + 5, power ? `1e${power}`.replace("-", "−") : "1", { class: "quiet", "text-anchor": "end" }),
    ]),
    group({}, Object.keys(KINDS).filter(of => of !== kind).map(curve)), curve(kind),
    dot([X(0), up(first)], 6, { class: "promised" }),
    group({}, sizes.slice(1).map((number, k) => box(X(k) + 0.5, low, X(k + 1) - X(k) - 1, STRIP, {
      class: "layer", style: mixed("current", share(number)),
    }))),
    words(LEFT - 6, low + 13, "layers", { class: "quiet", "text-anchor": "end" }),
    line([[X(state.depth), TOP], [X(state.depth), low + STRIP + 18]], { class: "cursor" }),
    handle("depth", "number of layers", state.depth, `${layersIn(state)}, the first one has ${brief(first)}`, [
      X(state.depth), low + STRIP + 22,
    ]),
  );
}

const layersIn = state => `${state.depth} layer${state.depth === 1 ? "" : "s"}`;

const WHY = {
  plain: "Each layer multiplies them by about the same factor.",
  norm: "The size of the weights does not matter, but now each layer makes them a little larger.",
  around: "On the path around each layer they pass unchanged, and each layer adds a little.",
  both: "Whatever the weights and the depth, the first layer gets enough to learn.",
};

function says(state) {
  const [first] = sizesOf(state), look = first < 1e-3 || first > 1e3 ? "wrong" : "child";
  const many = `<b class="current">${layersIn(state)}</b>`;
  const way = state.depth === 1 ? `Through ${many}` : `From the last of ${many} to the first`;
  return `${way}, derivatives change by <b class="${look}">× ${brief(first)}</b>. ${WHY[state.kind]}`;
}

const moved = depth => ({ depth: clamp(Math.round(depth), 1, DEEPEST) });
const start = { kind: "plain", depth: 24, gain: 1 };

export const depth = {
  does: "Drag the depth",
  hint: "The weights can be larger, too: × 2 doubles them.",
  start,
  still: { kind: "both", depth: 60, gain: 1 },
  others: [
    { ...start, depth: 30, gain: 1.7 }, { ...start, kind: "norm", depth: 20 },
    { ...start, kind: "around" }, { ...start, kind: "both", depth: 40 },
  ],
  facts, says,
  picture: shown,
  drag: (_, [x], wide) => moved(((x - LEFT) / (wide - LEFT - 14)) * DEEPEST),
  press: (state, [x, y]) => moved(state.depth + (x || y)),
  controls: [
    { choose: "layers", of: "kind", options: Object.entries(KINDS) },
    { slide: "weights", of: "gain", min: 0.5, max: 3, step: 0.1, written: gain => `× ${gain}` },
  ],
};
