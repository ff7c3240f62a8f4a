// Chapter 17: a valley seen from above, and 30 steps of descent with momentum from a start that can be dragged.

import { clamp, digits } from "./numbers.js";
import { box, dot, group, handle, line, oval, picture, windowAt, words } from "./svg.js";

const SIDE = 1.7, STEEP = 25, STEPS = 30; // half of the plane's side; how much more the valley bends across than along
const LEVELS = [0.02, 0.2, 1, 3, 7, 13, 21, 31]; // of the loss, whose lines are drawn
const TALL = 330, PLOT = 96, TITLE = 22; // pixels of the plane, of the loss below it, and of its title

/** @param {number[]} place */
const loss = ([x, y]) => (x * x + STEEP * y * y) / 2;

// Return the places of all steps: v ← momentum · v + g, and w ← w − rate · v.
/** @returns {number[][]} */
function pathOf({ x, y, rate, momentum }) {
  const path = [[x, y]];
  for (let step = 0, v = [0, 0]; step < STEPS; step++) {
    const [a, b] = path[step], g = [a, STEEP * b];
    v = v.map((old, k) => momentum * old + g[k]);
    path.push([a - rate * v[0], b - rate * v[1]]);
  }
  return path;
}

function facts(state) {
  const path = pathOf(state);
  return { path, losses: path.map(loss) };
}

// Return the functions from the plane to the picture, and its height.
function plane(wide) {
  const high = Math.min(TALL, wide * 0.7), scale = Math.min(wide, 1.7 * high) / (2 * SIDE) * 0.98;
  return { high, scale, X: x => wide / 2 + x * scale, Y: y => high / 2 - y * scale };
}

function shown(state, wide) {
  const { high, scale, X, Y } = plane(wide), { path, losses } = facts(state);
  /** @param {number[]} place */
  const at = ([x, y]) => [clamp(X(x), -999, 1999), clamp(Y(y), -999, 1999)];
  const low = high + 14 + TITLE, up = value => low + PLOT - 22 - (clamp(Math.log10(Math.max(value, 1e-9)), -3, 2) + 3) / 5 * (PLOT - 30);
  const along = step => 46 + (step / STEPS) * (wide - 58);
  const ring = level => oval(at([0, 0]), Math.sqrt(2 * level) * scale, Math.sqrt((2 * level) / STEEP) * scale, { class: "level" });
  return picture(wide, low + PLOT, "the lines of equal loss of a valley, with the path of the steps, and the loss after each step",
    windowAt({ x: 0, y: 0, wide, high },
      box(0, 0, wide, high, { rx: 8, class: "slope" }),
      [...LEVELS].reverse().map(ring),
      line([[X(0) - 6, Y(0)], [X(0) + 6, Y(0)]], { class: "legs" }), line([[X(0), Y(0) - 6], [X(0), Y(0) + 6]], { class: "legs" }),
      line(path.map(at), { class: "path" }),
      group({}, path.slice(1).map(place => dot(at(place), 3.2, { class: "end" }))),
    ),
    handle("start", "start", state.x, `(${digits(state.x, 2)}, ${digits(state.y, 2)})`, at(path[0])),
    box(46, low, wide - 46, PLOT - 14, { rx: 6, class: "paper" }),
    [0.001, 1, 100].map(value => words(40, up(value) + 5, value, { class: "quiet", "text-anchor": "end" })),
    line(losses.map((value, step) => [along(step), up(value)]), { class: "curve" }),
    words(wide - 2, high + 24, `loss after ${STEPS} steps: ${written(losses.at(-1))}`, { class: "number", "text-anchor": "end" }),
  );
}

const written = value => (value > 1e4 ? "over 10,000" : digits(value, 2));

function says(state) {
  const { path, losses } = facts(state), last = losses.at(-1), jumps = path.filter(([, y], k) => k && y * path[k - 1][1] < 0).length;
  const before = `After ${STEPS} steps the loss is <b class="current">${written(last)}</b>.`;
  if (last > losses[0]) return `${before} <b class="wrong">Each step jumps further across the valley</b>: the rate is too large.`;
  if (state.momentum >= 0.9) return `${before} The speed does not fade, so the path swings past the lowest point.`;
  if (!state.momentum && jumps > 8) return `${before} The steps jump from side to side: the valley is steep across, and flat along.`;
  if (!state.momentum) return `${before} Along the valley the steps are short. Try momentum.`;
  return `${before} Steps along the valley add up, and steps across it cancel.`;
}

const start = { x: -1.5, y: 0.6, rate: 0.07, momentum: 0 };
const at = (x, y) => ({ x: clamp(Math.round(x * 100) / 100, -SIDE, SIDE), y: clamp(Math.round(y * 100) / 100, -0.9, 0.9) });

export const momentum = {
  does: "Drag the start, and change rate and momentum",
  hint: "The cross is the lowest point.",
  start,
  still: { ...start, rate: 0.02, momentum: 0.8 },
  others: [{ ...start, rate: 0.02, momentum: 0.8 }, { x: 1.2, y: -0.3, rate: 0.085, momentum: 0 }],
  facts, says,
  picture: shown,
  drag(_, [x, y], wide) {
    const { high, scale } = plane(wide);
    return at((x - wide / 2) / scale, (high / 2 - y) / scale);
  },
  press: (state, [x, y]) => at(state.x + 0.05 * x, state.y + 0.05 * y),
  controls: [
    { slide: "rate", of: "rate", min: 0.005, max: 0.09, step: 0.005 },
    { slide: "momentum", of: "momentum", max: 0.95, step: 0.05 },
  ],
};
